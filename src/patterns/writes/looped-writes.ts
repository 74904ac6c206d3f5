import { queryOfFile } from '../../engine/query.ts';
import { collectFrom } from '../../engine/regions.ts';
import {
  calledName,
  contains,
  functionAround,
  type Node,
  walk,
} from '../../analysis/syntax/ast.ts';
import { knownBehaviourOf } from '../../analysis/behaviour/behaviour.ts';
import { isAfterVainTry, isCleanUp } from './clean-ups.ts';
import {
  completes,
  type Condition,
  conditionsOn,
  isChoice,
} from '../../analysis/syntax/conditions.ts';
import { isLoopedBehind, wayTo } from '../../analysis/loops/effect-places.ts';
import { type Effect, sqlAt } from '../../analysis/effects/effects.ts';
import { expectsDuplicates } from '../pools/errors-as-control-flow.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { waitedOutside } from './given-work.ts';
import { isLoopOfItems, isOfFew, knownBehaviourOfRun } from '../../analysis/loops/item-loops.ts';
import { endsLoop } from '../../analysis/flow/last-rounds.ts';
import { choosesTable, isFormOfElement } from './iteration-writes.ts';
import { isOverTypedList } from '../../analysis/flow/loop-bounds.ts';
import { type Loop, loopAround, loopsOf } from '../../analysis/flow/loops.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { isDecidedByAnswer, isForMissingRow } from './missing-rows.ts';
import { keepsDocuments, libraryNamed } from '../../analysis/model/index.ts';
import { setsOffMore } from '../../analysis/effects/model-hooks.ts';
import { namesRow } from './named-rows.ts';
import { maySend } from './may-send.ts';
import { mayGoToSeveral } from './message-destinations.ts';
import { jointRequestOf } from './joint-requests.ts';
import { asksWhatIsWritten, claimsKey, mayBeSpread } from './redis-writes.ts';
import { isRepairBeside } from './repairs.ts';
import { isErrorPassedOver, isOneRowARequest } from './rows-by-request.ts';
import { asksForRowsBefore, looksForRow } from './rows-before.ts';
import { isRowKind, isUnanswered, kindOf, type WriteKind } from './row-writes.ts';
import { variantsOf } from '../../analysis/loops/variants.ts';
import {
  isAnswerUsed,
  isCollectedPromise,
  isSideBySide,
  isWaitedFor,
} from '../../analysis/flow/waits.ts';
import { feedsOthers, isCaughtOnTheWay, isIsolated, isPassedOver } from './order.ts';
import { type Commit, commitOf } from './scopes.ts';

/** A loop over data that sends a write for each element, where one statement or one commit would do for all. */
export interface LoopedWrites {
  readonly loop: Loop;
  readonly writes: readonly [RowWrite, ...(readonly RowWrite[])];
  /** When what the loop writes becomes durable: with each row, or with the transaction around the loop. */
  readonly commit: Commit;
  /** A row that fails is recorded, and all other rows are kept. */
  readonly isIsolated: boolean;
  /** An async callback starts them all, and nothing waits for its promises: `rows.forEach(async …)`. */
  readonly isNotAwaited: boolean;
  /** An element looks first whether the row that it would insert is there, also for one that came before it. */
  readonly isLookedFor: boolean;
}

export interface RowWrite {
  readonly kind: WriteKind;
  readonly effect: Effect;
  /** In the loop's body: the write, or the call that leads to it. */
  readonly place: Node;
}

export const loopedWritesOf: (file: FileFacts) => readonly LoopedWrites[] = collectFrom(
  'looped writes',
  loopsOf,
  (file: FileFacts, loop: Loop): LoopedWrites | readonly LoopedWrites[] => found(file, loop) ?? [],
);

/** Whether the rows of the loop can go together: what else it costs goes away with the same change. */
export function isLoopOfWrites(file: FileFacts, loop: Loop): boolean {
  return loopsOfWrites(file).has(loop);
}

const loopsOfWrites = queryOfFile(
  'loops of writes',
  (file: FileFacts): ReadonlySet<Loop> =>
    new Set(loopedWritesOf(file).flatMap((it) => (it.isIsolated ? [] : it.loop))),
  { whileCyclic: new Set() },
);

const WAITS = new Set(['db', 'redis', 'queue', 'console']);

function found(file: FileFacts, loop: Loop): LoopedWrites | undefined {
  // veto: the iterations run concurrently, and the code awaits their promises together
  if (!isOneByOne(loop)) return undefined;
  // no veto: spares most loops the question what their calls do.
  if (!maySend(file, loop)) return undefined;
  // veto: the loop polls, retries, handles batches, or only runs a function that callers pass
  if (!isLoopOfItems(file, loop)) return undefined;
  // veto: the list is written out in the code, or has at most 12 elements
  if (isOverTypedList(file, loop)) return undefined;
  const behaviour = knownBehaviourOfRun(file, loop);
  // What waits for something else pays more for that, and keeps a transaction open meanwhile.
  // veto: an iteration pauses, or contains an unresolved call
  if (!behaviour || behaviour.sleeps) return undefined;
  const { effects } = behaviour;
  // veto: an iteration locks, fetches work, runs a transaction, or waits for a different kind of service
  const others = effects.filter((it) => !isPlain(it));
  if (!others.every(isControl)) return undefined;
  const [first, ...rest] = distinct(effects.flatMap((it) => writeOf(file, loop, it) ?? []));
  // no veto: nothing is written.
  if (!first) return undefined;
  // veto: the loop has at most three iterations
  if (isOfFew(loop)) return undefined;
  const writes = [first, ...rest] as const;
  // veto: the Redis write caches a result that the same call loads and returns
  if (writes.some((it) => it.kind === 'redis' && isKeptAnswer(file, loop, it))) return undefined;
  const commit = commitOf(file, loop, first);
  // veto: the loop is a clean-up that runs only after a failure
  if (isCleanUp(file, loop.node)) return undefined;
  // veto: the code does not show when a row is committed, or not all writes are committed alike
  if (commit === 'unknown' || rest.some((it) => commitOf(file, loop, it) !== commit))
    return undefined;
  // What goes through the pool is in no transaction that the loop begins and ends on a connection, and one row needs none.
  // veto: each element has a transaction of its own around several statements
  const isAlone =
    !others.every((it) => TAKES.test(it.method)) &&
    effects.every((it) => others.includes(it) || isSameWrite(it, first.effect));
  if (others.length > 0 && !isAlone && !writes.every((it) => it.effect.handle === 'pool'))
    return undefined;
  // veto: the loop expects duplicates, which would abort a transaction around all rows
  if (expectsDuplicates(file, loop)) return undefined;
  // veto: each row triggers hooks of its model, which one statement for all rows would omit
  if (isRowKind(first.kind) && setsOffMore(first.effect, first.kind)) return undefined;
  // veto: each element reads a Redis key that earlier elements change, such as a limit
  const isAsked = (it: Effect) =>
    asksWhatIsWritten(file, loop, it, placeOf(file, loop, it), effects);
  if (effects.filter((it) => it.env === 'redis' && it.op === 'read').some(isAsked))
    return undefined;
  // veto: a later call, a later row or the end of the loop depends on the result of the write
  if (feedsOthers(file, loop, writes)) return undefined;
  const rows = writes.map((it) => it.effect);
  const isOfAll = (it: Effect) =>
    asksForRowsBefore(file, loop, { effect: it, place: placeOf(file, loop, it) }, rows);
  // veto: each element reads the table to which earlier elements have written
  if (effects.some(isOfAll)) return undefined;
  const commitsEach = libraryNamed(first.effect.library)?.commitsEach === true;
  const inserted = writes.filter((it) => it.kind === 'insert').map((it) => it.effect);
  const isLookedFor = effects.some((it) => looksForRow(it, inserted));
  // veto: each element first queries its row, and this client keeps no transaction open across the loop
  if (isLookedFor && commitsEach) return undefined;
  const tables = new Set(rows.flatMap((it) => it.keys));
  // veto: each element writes to several tables, and this client keeps no transaction open between calls
  if (commitsEach && !keepsDocuments(first.effect.library) && tables.size > 1) return undefined;
  const isAttempt = isIsolated(file, loop, writes) || writes.some((it) => isAnswered(file, it));
  // veto: a row can fail alone, and this client has no transaction with a savepoint that would keep the rest
  if (isAttempt && commitsEach) return undefined;
  const isNotAwaited = !loop.isSequential && loop.awaits.length > 0;
  return { loop, writes, commit, isIsolated: isAttempt, isNotAwaited, isLookedFor };
}

/** What a function does that is passed to another is seen where it stands and where it is called. */
function distinct(writes: readonly RowWrite[]): readonly RowWrite[] {
  return writes.filter((it, i) => {
    const first = writes.findIndex(
      ({ place, effect }) => place === it.place && isSameWrite(effect, it.effect),
    );
    return first === i;
  });
}

function placeOf(file: FileFacts, loop: Loop, effect: Effect): Node | undefined {
  const { at } = effect;
  const isOwn = at.file === file && contains(loop.body, at.node);
  return isOwn ? at.node : callThatLeadsTo(file, loop, effect);
}

/** The innermost call of the body that comes to this very effect: several may share the function that has it. */
function callThatLeadsTo(file: FileFacts, loop: Loop, effect: Effect): Node | undefined {
  const scope = functionAround(loop.node) ?? file.ast;
  let found: Node | undefined;
  walk(loop.body, (it) => {
    // no veto: only calls send something.
    if (it.type !== 'CallExpression') return true;
    // What a call gives back to be run is run where it is waited for.
    const run = it.parent.type === 'AwaitExpression' ? it.parent : it;
    const effects = knownBehaviourOf(file, run, scope)?.effects ?? [];
    if (!effects.some((other) => isSameWrite(other, effect))) return true;
    if (!found || contains(found, it)) found = it;
    return true;
  });
  return found;
}

function isSameWrite(a: Effect, b: Effect): boolean {
  return (
    a.at.node === b.at.node && a.op === b.op && a.verb === b.verb && a.keys.join() === b.keys.join()
  );
}

/** Also a callback that starts them all, and nobody has their promises: they stand in line at the connection. */
function isOneByOne({ kind, isSequential, node }: Loop): boolean {
  return isSequential || (kind === 'elements' && isDropped(node));
}

/** What `forEach` answers is nothing: to return or to await it keeps no promise. */
function isDropped(call: Node): boolean {
  const isForEach = call.type === 'CallExpression' && calledName(call.callee) === 'forEach';
  return isForEach || call.parent?.type === 'ExpressionStatement';
}

function isPlain(effect: Effect): boolean {
  const { env, op, work } = effect;
  if (!WAITS.has(env) && !jointRequestOf(effect)) return false;
  return (op === 'read' || op === 'write') && !work;
}

/** Takes a connection, begins or ends a transaction on it, or gives it back. */
function isControl(effect: Effect): boolean {
  const { env, handle, method } = effect;
  // no veto: others take nothing of a database.
  if (env !== 'db') return false;
  if (TAKES.test(method)) return true;
  return (
    handle === 'serial' && (CONTROL.test(method) || CONTROL_STATEMENT.test(sqlAt(effect) ?? ''))
  );
}

const TAKES = /^(?:getConnection|connect|release)$/;
const CONTROL = /^(?:begin(?:Transaction)?|startTransaction|commit|rollback)$/;
const CONTROL_STATEMENT = /^\s*(?:begin|start\s+transaction|commit|rollback|end)[\s;]*$/i;

function writeOf(file: FileFacts, loop: Loop, effect: Effect): RowWrite | undefined {
  const kind = effect.op === 'write' ? kindOf(effect) : undefined;
  // veto: the call does not write one row, or only caches a value that Redis did not have
  if (!kind || effect.readThrough) return undefined;
  // veto: the write asks for no response (`w: 0`), so the loop does not wait for it
  if (isUnanswered(effect)) return undefined;
  const { at } = effect;
  const place = placeOf(file, loop, effect);
  const isOwn = place === at.node;
  const outside = place && waitedOutside(file, place);
  // The innermost loop is the cause, here or in the callee.
  // veto: an inner loop repeats the write, or the function around the write does not wait for it
  if (!outside || loopAround(file, outside) !== loop) return undefined;
  if (!isOwn && isLoopedBehind(file, place, effect)) return undefined;
  // veto: the loop uses the result of the call, which repairs a row only under a condition
  if (!isOwn && kind !== 'insert' && isPutRight(file, place, outside, effect)) return undefined;
  // veto: the loop collects or updates a list for later use, and repairs only some of its rows
  if (kind !== 'insert' && isRepairBeside(file, loop, outside)) return undefined;
  // veto: the write uses nothing of the element, so it is the same in each iteration
  if (!mentions(file, place, variantsOf(file, loop))) return undefined;
  // veto: each element selects a different table
  if (choosesTable(file, loop, effect)) return undefined;
  // veto: each element is an object with a write method of its own, which can use a table of its own
  if (isFormOfElement(file, loop, place)) return undefined;
  // veto: the command claims a key (`NX`), and its result decides what follows
  if (kind === 'redis' && claimsKey(effect)) return undefined;
  // veto: the keys can be on several servers of a cluster
  if (kind === 'redis' && mayBeSpread(file, loop, effect)) return undefined;
  // veto: the element can select a different queue, topic or table
  if (kind === 'enqueue' && mayGoToSeveral(file, loop, effect)) return undefined;
  // veto: the element does not decide which row the UPDATE or DELETE changes
  if (kind === 'update' || kind === 'delete') {
    if (!namesRow(file, loop, effect, place)) return undefined;
  }
  // veto: the write is in a `catch`, so it runs only after a failure
  const conditions = conditionsOn(place, loop.body);
  if (conditions.some((it) => it.kind === 'catch')) return undefined;
  // What is missing is mostly missing for all: rows that are inserted are asked for first, to leave none twice.
  // veto: the result of a query for each element decides whether its row is written
  if (kind !== 'insert' && conditions.some((it) => isDecision(file, loop, it))) return undefined;
  // veto: each row gets values of its own, and one request of this service cannot update such rows
  if (kind === 'update' && isOneRowARequest(file, loop, effect)) return undefined;
  // veto: the write is in a branch that logs or records a problem, which few elements have
  if (conditions.some((it) => isComplaint(it) || isFailureNoted(file, place, it))) return undefined;
  // veto: the callee writes only where it logs a problem, which few elements have
  if (!isOwn && isComplainedOf(file, place, effect)) return undefined;
  // veto: the write records failed attempts, and the first success ends the loop
  if (isAfterVainTry(file, place, loop)) return undefined;
  // veto: the loop ends after the write, so it writes only once
  if (endsLoop(outside, loop)) return undefined;
  // veto: the iteration does not await the write itself, or runs several writes concurrently
  if (!isSent(file, loop, outside, effect) || isSideBySide(outside, loop.body)) return undefined;
  // veto: the promise of the write goes into a list that the code awaits later
  if (isCollectedPromise(outside, loop.body)) return undefined;
  return { kind, effect, place };
}

/** Whether what an element asks for writes only now and then, before it answers: an id that older rows lack. */
export function putsRight(file: FileFacts, loop: Loop, effects: readonly Effect[]): boolean {
  return effects.some((it) => {
    // no veto: reading puts nothing right.
    if (it.op !== 'write') return false;
    const place = callThatLeadsTo(file, loop, it);
    const outside = place && waitedOutside(file, place);
    return !!outside && isPutRight(file, place, outside, it);
  });
}

function isPutRight(file: FileFacts, place: Node, outside: Node, effect: Effect): boolean {
  return isAnswerUsed(outside) && isNowAndThen(file, place, effect);
}

/**
 * `const { ok } = await save(row)`: the loop asks how each row went, because one that fails leaves the others as they are; or
 * nobody wants to know, and nothing is said of it: `try { … } catch {}`.
 */
function isAnswered(file: FileFacts, { place, effect }: RowWrite): boolean {
  if (isPassedOver(file, place, effect)) return true;
  const outside = waitedOutside(file, place);
  if (!outside || !isAnswerUsed(outside)) return false;
  return isCaughtOnTheWay(file, place, effect) || isErrorPassedOver(file, outside, effect);
}

/** On the way to the write is a call that somebody wants the answer of, and the answer comes from elsewhere: `load(id)` of a cache. */
function isKeptAnswer(file: FileFacts, loop: Loop, { place, effect }: RowWrite): boolean {
  const way = [{ file, node: place, root: loop.body }, ...wayTo({ file, node: place }, effect)];
  return way.some((it) => {
    const scope = functionAround(it.node) ?? it.file.ast;
    const effects = knownBehaviourOf(it.file, it.node, scope)?.effects ?? [];
    return isAnswerUsed(it.node) && effects.some(({ env, op }) => env !== 'redis' && op === 'read');
  });
}

/** Only under a condition, without which nothing is written: rows of an older kind, entries that have run out. */
function isNowAndThen(file: FileFacts, place: Node, effect: Effect): boolean {
  return wayTo({ file, node: place }, effect).some(({ file: owner, node, root }) =>
    conditionsOn(node, root).some(
      (it) => isChoice(it) && !hasOtherSide(it) && !isForMissingRow(owner, it),
    ),
  );
}

function isComplainedOf(file: FileFacts, place: Node, effect: Effect): boolean {
  return wayTo({ file, node: place }, effect).some(({ node, root }) =>
    conditionsOn(node, root).some(isComplaint),
  );
}

/** `if (known) await update(it); else await insert(it);`, also with a `return` in place of `else`. */
function hasOtherSide({ kind, node }: Condition): boolean {
  // veto: a condition decides whether the row is written
  if (kind === 'branch') return 'alternate' in node && node.alternate !== null;
  let waits = false;
  walk(node, (it) => {
    waits ||= it.type === 'AwaitExpression';
  });
  return waits;
}

/** The answer decides, and in place of what is written stands nothing else. */
function isDecision(file: FileFacts, loop: Loop, condition: Condition): boolean {
  return !hasOtherSide(condition) && isDecidedByAnswer(file, loop, condition);
}

/** `if (!parsed) { logger.warn(…); await drop(it); continue; }`: few elements come here, if any. */
function isComplaint(condition: Condition): boolean {
  const side = sideThatLeaves(condition);
  return (
    side?.type === 'BlockStatement' &&
    side.body.some(
      (it) =>
        it.type === 'ExpressionStatement' &&
        it.expression.type === 'CallExpression' &&
        /^(?:warn|warning|error)$/.test(calledName(it.expression.callee) ?? ''),
    )
  );
}

/** `if (!student) { await update(row, { status: 'error' }); continue; }`: nor do many come here. */
function isFailureNoted(file: FileFacts, place: Node, condition: Condition): boolean {
  return sideThatLeaves(condition) !== undefined && FAILURE.test(file.textOf(place));
}

/** The branch that goes on with the next element, or ends the loop. */
function sideThatLeaves({ kind, node, holds }: Condition): Node | undefined {
  // no veto: narrows the type.
  if (kind !== 'branch' || node.type !== 'IfStatement') return undefined;
  const side = holds ? node.consequent : node.alternate;
  return side && !completes(side) ? side : undefined;
}

const FAILURE =
  /\b(?:status|state|outcome|result)\b['"]?\s*[:=]\s*['"](?:error|fail(?:ed|ure)|invalid|rejected|skipped)['"]/i;

/** Waited for, or queued by the one connection that it is given to. */
function isSent(file: FileFacts, loop: Loop, place: Node, { handle }: Effect): boolean {
  if (isWaitedFor(file, place, loop.body)) return true;
  return handle === 'serial' && place.parent?.type === 'ExpressionStatement';
}
