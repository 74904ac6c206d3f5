import { dottedName, type Node } from '../../src/analysis/syntax/ast.ts';
import { calleeOf } from '../../src/analysis/syntax/calls.ts';
import type { Checkout } from '../../src/analysis/connections/checkouts.ts';
import { contextOf } from '../../src/analysis/contexts/contexts.ts';
import type { Violation } from '../../src/patterns/pools/errors-as-control-flow.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import type { LoopedCheckouts } from '../../src/patterns/pools/looped-checkouts.ts';
import type { LibraryValue } from '../../src/analysis/file/value.ts';
import { libraryNamed, verifiedName } from '../../src/analysis/model/index.ts';
import { memberOf } from '../../src/analysis/provenance/members.ts';
import type { Opening } from '../../src/patterns/pools/openings.ts';
import { endsAt, rangeOf, startsAt } from '../../src/analysis/syntax/places.ts';
import { sqlOf } from '../../src/analysis/provenance/sql-text.ts';
import type { Evidence, Related } from '../define-rule.ts';
import { openedText } from '../opened-text.ts';
import { numberFrom, type Origin } from '../origins.ts';

export function loopedMessage({ cost, trips }: LoopedCheckouts) {
  const [trip] = trips;
  if (trip?.checkout?.setUp.length) return 'setUp';
  if (cost.roundTrips > 0) return 'perQuery';
  return trip?.pool?.type.role === 'orm' ? 'mapper' : 'cheap';
}

/** A pool that runs queries and transactions, and hands no connection out. */
function lendsNone(pool: LibraryValue | undefined): boolean {
  const members = Object.values(pool?.type.members ?? {});
  return members.length > 0 && !members.some((it) => it.acquires !== undefined);
}

const HOLD = {
  remedy: 'Hold one connection for the loop',
  start: 'Check it out',
  end: 'release it in `finally`',
};

const BY_TRANSACTION = {
  remedy: 'Run the loop in one transaction, which holds one connection',
  start: 'Begin it',
  end: 'commit it after the loop',
};

export function loopedEvidence(file: FileFacts, looped: LoopedCheckouts): Evidence {
  const { driver, cost, trips, at } = looped;
  const checkout = trips[0]?.checkout;
  const [setUp] = checkout?.setUp ?? [];
  const roundTrips = cost.roundTrips + (checkout?.setUp.length ?? 0);
  return {
    driver,
    variant: 'loop',
    queries: trips.length,
    ...numberFrom('roundTrips', roundTrips, tripsFrom(looped)),
    ...(roundTrips > 0
      ? { price: `${roundTrips} more round trip${roundTrips > 1 ? 's' : ''}` }
      : {}),
    ...(loopedMessage(looped) === 'perQuery'
      ? lendsNone(trips[0]?.pool)
        ? BY_TRANSACTION
        : HOLD
      : {}),
    ...(cost.request ? { request: cost.request } : {}),
    ...(setUp ? { statement: shortened(sqlOf(checkout!.file, setUp) ?? '') } : {}),
    context: contextOf(file, at),
  };
}

function tripsFrom({ cost, driver }: LoopedCheckouts): Origin | undefined {
  // What the checkout itself sends is in the code.
  if (cost.roundTrips === 0 || cost.by === 'code') return undefined;
  const library = libraryNamed(driver);
  return cost.by === 'options' || !library ? 'configured' : verifiedName(library);
}

function shortened(statement: string): string {
  const line = statement.replaceAll('\0', '?').replaceAll(/\s+/g, ' ').trim();
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}

/** The loop, and the checkouts at other places. */
export function loopedPlaces(file: FileFacts, { loop, trips, at }: LoopedCheckouts): Related[] {
  const places: Related[] = [{ path: file.path, range: loop.head, message: 'the loop' }];
  for (const { file: owner, checkout, query } of trips.slice(0, 3)) {
    const node: Node = checkout?.call ?? query;
    if (node === at) continue;
    places.push({
      path: owner.path,
      range: checkout ? [startsAt(node), endsAt(calleeOf(checkout.call))] : rangeOf(node),
      message: checkout ? 'one checkout' : 'one checkout, by a query on the pool',
    });
  }
  return places;
}

export function openedEvidence(opening: Opening): Evidence {
  const { handle, context } = opening;
  // What runs one call at a time is one connection of several.
  const isOneOfMany = handle.type.concurrency === 'serial';
  return {
    driver: handle.library.name,
    variant: 'open',
    ...openedText(opening),
    remedy: handle.type.isConnected ? `\`${handle.typeName}\`` : isOneOfMany ? 'pool' : 'client',
    context,
  };
}

export function violationEvidence({ code, closedBy = '' }: Violation): Evidence {
  return {
    driver: closedBy,
    variant: 'error',
    code,
    remedy: libraryNamed(closedBy)?.remedies?.duplicate ?? 'Hold one connection for the loop',
  };
}

/** Undefined where the pool has no such method, or the connection needs more than the query. */
export function queryEvidence({ file, call, pool, method, setUp }: Checkout): Evidence | undefined {
  if (!pool || setUp.length > 0) return undefined;
  const own = method === '' ? undefined : memberOf(pool, method, { file, node: call });
  if (own && own.kind !== 'callable') return undefined;
  const callee = calleeOf(call);
  const name = callee.type === 'MemberExpression' ? dottedName(callee.object) : undefined;
  const { name: driver, closesFailed } = pool.library;
  return {
    driver,
    variant: 'single',
    pool: name ?? 'pool',
    method: method || 'sql',
    context: contextOf(file, call),
    difference: closesFailed
      ? ' (after an error, it closes the connection; `release()` keeps it)'
      : '',
  };
}
