import { valueOf } from '../../analysis/provenance/value-of.ts';
import { collectFrom } from '../../engine/regions.ts';
import { query } from '../../engine/query.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import {
  bare,
  contains,
  functionAround,
  type FunctionNode,
  type Node,
  rootOf,
} from '../../analysis/syntax/ast.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { argumentsOf, calleeOf, isCall } from '../../analysis/syntax/calls.ts';
import {
  type CheckoutCost,
  checkoutCostOf,
  declaredCheckoutCost,
  type DriverCosts,
  NO_DRIVER_COSTS,
} from './checkout-cost.ts';
import { type Checkout, checkoutFor, setsUp } from '../../analysis/connections/checkouts.ts';
import { conditionsOn, isChoice } from '../../analysis/syntax/conditions.ts';
import { callTo, isLoopedBehind } from '../../analysis/loops/effect-places.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { isLoopOfItems, isOfFew, knownBehaviourOfRun } from '../../analysis/loops/item-loops.ts';
import { type Loop, loopAround, loopsOf } from '../../analysis/flow/loops.ts';
import { mentions, mentionsSome } from '../../analysis/syntax/mentions.ts';
import { limitOf } from '../../analysis/values/pool-limits.ts';
import { poolOf } from '../../analysis/effects/pool-origins.ts';
import { sqlTextOf } from '../../analysis/provenance/sql-text.ts';
import { type LibraryValue } from '../../analysis/file/value.ts';
import { variantsOf } from '../../analysis/loops/variants.ts';
import { isCollectedPromise, isSideBySide, isWaitedFor } from '../../analysis/flow/waits.ts';
import { mentionsOf } from '../../analysis/provenance/function-uses.ts';

/** A loop that acquires a connection from a pool and releases it around every query. */
export interface LoopedCheckouts {
  readonly loop: Loop;
  /** The first of an iteration: the call in the loop's body that leads to it. */
  readonly at: Node;
  readonly driver: string;
  readonly cost: CheckoutCost;
  readonly trips: readonly Trip[];
}

/** One query with a checkout of its own. */
export interface Trip {
  readonly file: FileFacts;
  /** In the loop's body. */
  readonly place: Node;
  /** The query, at any place. */
  readonly query: Node;
  readonly pool: LibraryValue | undefined;
  readonly library: string;
  /** Undefined where the pool itself runs the query: `pool.query()`. */
  readonly checkout: Checkout | undefined;
  readonly isWaitedFor: boolean;
}

export function loopedCheckoutsOf(
  file: FileFacts,
  drivers = NO_DRIVER_COSTS,
): readonly LoopedCheckouts[] {
  return loopedCheckouts(file, drivers);
}

const loopedCheckouts = collectFrom(
  'looped checkouts',
  loopsOf,
  (
    file: FileFacts,
    loop: Loop,
    drivers: DriverCosts,
  ): LoopedCheckouts | readonly LoopedCheckouts[] => found(file, loop, drivers) ?? [],
  { keyOf: (drivers) => JSON.stringify(drivers) },
);

/** What waits, or starts a query without waiting, is spelled so: other loops need no question. */
const QUERIES = /\bawait\b|conn|exec|insert|knex|pool|quer|sql|update/i;

function found(file: FileFacts, loop: Loop, drivers: DriverCosts): LoopedCheckouts | undefined {
  // no veto: spares most loops the question.
  if (!QUERIES.test(file.textOf(loop.body))) return undefined;
  // veto: the loop or its callers run concurrently, or the loop polls, retries, batches or runs a callback
  if (!loop.isSequential || !isLoopOfItems(file, loop) || isOneOfMany(file, loop)) return undefined;
  const behaviour = knownBehaviourOfRun(file, loop);
  // What waits for something else would keep the connection from others meanwhile.
  // veto: an iteration also sleeps, or makes a call that Deadtime cannot resolve
  if (!behaviour || behaviour.sleeps) return undefined;
  const trips: Trip[] = [];
  for (const effect of behaviour.effects) {
    if (isHandover(effect)) continue;
    const trip = tripOf(file, loop, effect);
    if (!trip) return undefined;
    if (!conditionsOn(trip.place, loop.body).some((it) => it.kind === 'catch')) trips.push(trip);
  }
  const [first] = trips;
  // veto: the loop has no query with a checkout of its own, or its queries use several pools
  if (!first || !trips.every((it) => isOnSamePool(it, first))) return undefined;
  // veto: the loop has at most three iterations
  if (isOfFew(loop)) return undefined;
  // veto: the loop does not await each query, so its iterations run concurrently
  if (!trips.every((it) => it.isWaitedFor) && !isQueuedAtPool(loop, trips)) return undefined;
  // Several loops around one query: the innermost is the cause.
  // veto: a loop inside of this loop runs the query: the inner loop is the cause
  if (loopAround(file, first.place) !== loop) return undefined;
  const cost = declaredCheckoutCost(first.library, drivers) ?? checkoutCostOf(first.pool);
  // Behind functions of its own nobody could hold a connection for the loop, and what that would save is little.
  const isCheap = cost.roundTrips === 0 && trips.every((it) => !it.checkout);
  // veto: a checkout costs no round trip here, and a function that the loop calls contains the query
  if (isCheap && !trips.every((it) => it.query === it.place)) return undefined;
  return { loop, at: first.place, driver: first.library, cost, trips };
}

/** Taking and giving back: what the query between them costs is counted there. */
function isHandover({ at }: Effect): boolean {
  const signature = isCall(at.node) ? libraryCallOf(at.file, at.node)?.signature : undefined;
  return (
    signature?.acquires === 'connection' ||
    signature?.releases !== undefined ||
    setsUp(at.file, at.node)
  );
}

/** Undefined when the effect is anything but a query with a checkout of its own. */
function tripOf(file: FileFacts, loop: Loop, effect: Effect): Trip | undefined {
  const { at } = effect;
  // no veto: nothing else is asked through these pools.
  if (effect.env !== 'db') return undefined;
  const checkout = checkoutFor(at.file, queryAt(at.node));
  const pool = checkout ? checkout.pool : poolOf(effect);
  if (!checkout && (!pool || !isImplicit(effect, pool))) return undefined;
  const isOwn = at.file === file && contains(loop.body, at.node);
  const place = isOwn ? (checkout?.call ?? at.node) : callTo(file, loop.body, effect);
  if (!place) return undefined;
  // What it asks beside the query is not paid by every checkout.
  // veto: a condition decides whether the code sets up the session, so not every checkout pays for it
  if (checkout?.setUp.some((it) => conditionsOn(it, checkout.acquisition.root).some(isChoice)))
    return undefined;
  // veto: the checkout or the set-up of its session depends on the element
  if (checkout && dependsOnElement(file, loop, checkout)) return undefined;
  const variants = variantsOf(file, loop);
  // veto: the element decides which pool the query uses
  if (isOwn && mentions(file, lenderOf(file, at.node), variants)) return undefined;
  // veto: the statement changes the schema (CREATE, ALTER, DROP), or its text comes from the element
  if (isDefinition(file, place, effect, variants)) return undefined;
  const root = isOwn ? loop.body : outermostFunction(at.node);
  // veto: the iteration runs the query concurrently, for example in Promise.all
  if (isSideBySide(at.node, root) || isSideBySide(place, loop.body)) return undefined;
  // A loop of its own in the callee: that one is the cause.
  // veto: the called function has a loop of its own around the query: that loop is the cause
  if (!isOwn && isLoopedBehind(file, place, effect)) return undefined;
  // veto: the called function receives the pool as a parameter, so each call may use a different pool
  if (!isOwn && isPassedIn(at.file, checkout?.call ?? at.node)) return undefined;
  const isWaited =
    isWaitedFor(at.file, at.node, root) &&
    (isOwn || isWaitedFor(file, place, loop.body)) &&
    // veto: the loop collects the promises in a list and awaits them together
    !isCollectedPromise(place, loop.body);
  return {
    file: at.file,
    place,
    query: at.node,
    pool,
    library: effect.library,
    checkout,
    isWaitedFor: isWaited,
  };
}

/** What is awaited: a statement that runs then. */
function queryAt(node: Node): Node {
  return node.type === 'AwaitExpression' ? bare(node.argument) : node;
}

function isImplicit(effect: Effect, pool: LibraryValue): boolean {
  const { at, op } = effect;
  // veto: the statement locks, changes the session, or begins or ends a transaction
  if (op === 'sync') return false;
  const library = isCall(at.node) ? libraryCallOf(at.file, at.node) : undefined;
  // veto: the call runs a callback on one connection or in one transaction
  if (library?.signature.callback?.scope) return false;
  return pool.type.role === 'pool' || pool.type.pool?.isPerCall === true;
}

/** `function save(pool, row)`: each call may name another pool. */
function isPassedIn(file: FileFacts, node: Node): boolean {
  const it = rootOf(isCall(node) ? calleeOf(node) : node);
  const definition = it.type === 'Identifier' ? file.variableOf(it)?.defs[0] : undefined;
  return definition?.type === 'Parameter';
}

/** The session, or the server, is another one for each element: no single connection would do. */
function dependsOnElement(file: FileFacts, loop: Loop, checkout: Checkout): boolean {
  const asked = [checkout.call, ...checkout.setUp];
  const isOwn = checkout.file === file && contains(loop.body, checkout.call);
  if (isOwn) return asked.some((it) => mentions(file, it, variantsOf(file, loop)));
  return checkout.setUp.some((it) => mentionsParameter(checkout.file, it));
}

function mentionsParameter(file: FileFacts, node: Node): boolean {
  return mentionsSome(file, node, ({ defs }) => defs.some(({ type }) => type === 'Parameter'));
}

/**
 * Tables are made once, with whatever each of them needs; a statement that the element itself is may be anything, a
 * BEGIN as well.
 */
function isDefinition(
  file: FileFacts,
  place: Node,
  { at, op }: Effect,
  variants: ReadonlySet<Variable>,
): boolean {
  const statement = isCall(at.node) ? argumentsOf(at.node)[0] : undefined;
  let text = statement && sqlTextOf(at.file, statement);
  let passed = statement;
  if (text?.kind === 'parameter' && isCall(place)) {
    passed = argumentsOf(place)[text.index];
    text = passed && sqlTextOf(file, passed);
  }
  if (text?.kind === 'text') return DEFINITION.test(text.text);
  return op === 'unknown' && passed !== undefined && mentions(file, passed, variants);
}

const DEFINITION = /^\s*(?:create|alter|drop|truncate|grant|vacuum|analyze|refresh)\b/i;

function outermostFunction(node: Node): Node {
  let root = node;
  for (let it = functionAround(node); it; it = functionAround(it)) root = it;
  return root;
}

/** Made at one place or, where only a caller knows that, spelled alike. */
function isOnSamePool(a: Trip, b: Trip): boolean {
  const [one, other] = [a.pool?.origin?.node, b.pool?.origin?.node];
  if (one ?? other) return one === other;
  return a.library === b.library && lenderText(a) === lenderText(b);
}

function lenderText({ file, query, checkout }: Trip): string {
  return file.textOf(lenderOf(file, checkout?.call ?? query));
}

/** `stores.pool` in `stores.pool.request().input('id', id).query(…)`. */
function lenderOf(file: FileFacts, node: Node): Node {
  let it = node;
  for (;;) {
    const value = valueOf(file, it);
    if (value.kind === 'library' && value.type.role === 'pool') return it;
    if (it.type === 'MemberExpression') it = bare(it.object);
    else if (it.type === 'AwaitExpression') it = bare(it.argument);
    else if (isCall(it) && it.type !== 'NewExpression') it = bare(calleeOf(it));
    else return it;
  }
}

/** Started all at once, and more of them than the pool has connections: each connection is checked out again and again. */
function isQueuedAtPool({ bound }: Loop, trips: readonly Trip[]): boolean {
  const [first] = trips;
  const library = first?.checkout?.acquisition.subject.handle.library;
  if (!library || bound === undefined) return false;
  const max = first.pool ? limitOf(first.pool) : library.types['Pool']?.pool?.max;
  return max !== undefined && bound > max && trips.every((it) => it.checkout);
}

/** Several runs of the loop work on the same data at once, or each element has a run of its own. */
function isOneOfMany(file: FileFacts, loop: Loop): boolean {
  for (let it = loop.outer; it; it = it.outer) {
    // veto: the loop is in a callback that runs concurrently for each element
    if (it.kind === 'elements') return true;
  }
  const fn = functionAround(loop.node);
  return fn !== undefined && isRunSideBySide(file, fn);
}

const isRunSideBySide = query(
  'run concurrently',
  (file: FileFacts, fn: FunctionNode): boolean =>
    mentionsOf(file, fn).some(
      (it) => isSideBySide(it, file.ast) || loopAround(file, it)?.kind === 'elements',
    ),
  { whileCyclic: false },
);
