import type { HeldWaits } from '../../src/patterns/pools/held-waits.ts';
import { poolLimitOf } from '../../src/analysis/values/pool-limits.ts';
import type { LiveScope } from '../../src/patterns/pools/live-scopes.ts';
import { placeOf, type ReachedWait } from '../../src/patterns/pools/reached-waits.ts';
import { lineOf } from '../../src/analysis/ownership/witness.ts';
import { isAnswerUsed } from '../../src/analysis/flow/waits.ts';
import type { Evidence, Related } from '../define-rule.ts';
import { numberFrom } from '../origins.ts';
import { heldPlaces, nameOfWait } from '../held-places.ts';

/** A transaction that only asks leaves nothing behind that a rollback could not undo. */
export function messageOf({ variant, waits }: HeldWaits) {
  if (variant !== 'tx') return variant;
  if (waits.every((it) => it.pause)) return 'txSleep';
  return waits.every(isQuestion) ? 'txRead' : 'tx';
}

/** A call whose result is unused is a notification: `await fetch('…/revalidate')`. */
function isQuestion(wait: ReachedWait): boolean {
  const { effect } = wait;
  return effect?.op === 'read' && isAnswerUsed(effect.at.node) && isAnswerUsed(placeOf(wait));
}

/** The placeholders of the messages, and the parameters of the benchmark of a pool whose connections wait. */
export function evidenceOf({ scope, variant, waits }: HeldWaits): Evidence {
  const { file, handle, pool, call } = scope;
  const [first] = waits;
  const limit = pool && !isOfSession(scope) ? poolLimitOf(pool) : undefined;
  const externalMs = first!.pause?.duration.value;
  return {
    variant,
    driver: handle.library.name,
    call: nameOfWait(first!),
    line: lineOf(file, call),
    ...(limit ? numberFrom('max', limit.max, limit.defaultOf) : {}),
    ...(externalMs === undefined ? {} : { externalMs }),
    cost: costOf(scope, limit?.max),
  };
}

function costOf(scope: LiveScope, max: number | undefined): string {
  if (isOfSession(scope)) return 'its documents stay locked';
  return max === undefined
    ? 'the pool lacks a connection'
    : `${max === 1 ? 'one such call exhausts' : `${max} concurrent calls exhaust`} the pool`;
}

/** MongoDB acquires a connection for each call of a transaction; the open transaction is on the server. */
function isOfSession({ handle }: LiveScope): boolean {
  return handle.type.role === 'session';
}

/** The acquisition of the connection, the calls that lead to the wait, and the further waits. */
export function placesOf({ scope, waits }: HeldWaits): readonly Related[] {
  return heldPlaces({
    ...{ scope, waits },
    taken: isOfSession(scope) ? 'the transaction begins here' : 'the connection is acquired here',
    reached: 'the wait is here',
    further: 'a further wait is here',
  });
}
