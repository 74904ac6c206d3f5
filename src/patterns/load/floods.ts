import { queryOfFile } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  contains,
  dottedName,
  functionAround,
  type FunctionNode,
  isFunction,
  type Node,
  propertyName,
} from '../../analysis/syntax/ast.ts';
import { argumentsOf, calleeOf, isCall } from '../../analysis/syntax/calls.ts';
import { isChoice } from '../../analysis/syntax/conditions.ts';
import { type Context, contextOf } from '../../analysis/contexts/contexts.ts';
import { callTo, isLoopedBehind } from '../../analysis/loops/effect-places.ts';
import { type Effect, isOnPool } from '../../analysis/effects/effects.ts';
import { type FanOut, fanOutsOf } from './fan-outs.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { queriesOfFanOut } from './item-queries.ts';
import { conditionsOnWay, isLimited } from './item-work.ts';
import { keepsContent } from './kept-contents.ts';
import { loopAround } from '../../analysis/flow/loops.ts';
import { isForMissingRow } from '../writes/missing-rows.ts';
import { type PoolLimit, poolLimitOf } from '../../analysis/values/pool-limits.ts';
import { poolOf } from '../../analysis/effects/pool-origins.ts';

/** More concurrent work than libuv has threads, or a pool connections. */
export interface Flood {
  readonly fanOut: FanOut;
  readonly effect: Effect;
  readonly context: Context;
  readonly threads: number;
  /** Whether `threads` is neither an option nor in the project. */
  readonly areThreadsDefault: boolean;
  /** For a lack of connections: their number. */
  readonly limit: PoolLimit | undefined;
  /** It reads files whole, of any content: all of them are in memory together. */
  readonly readsWhole: boolean;
}

/** libuv's own number, where UV_THREADPOOL_SIZE says no other. */
const THREADS = 4;

export interface FloodOptions {
  /** The user's number of threads; 0: that of the project. */
  readonly threads: number;
  readonly classes: readonly string[];
  /** Names of functions and objects that let only so many through. */
  readonly limiters: readonly string[];
}

export function floodsOf(file: FileFacts, options: FloodOptions): readonly Flood[] {
  const floods = fanOutsOf(file).flatMap((fanOut) => floodOf(file, fanOut, options) ?? []);
  // The same work, of a list in each element of another list.
  const around = new Map<Node, Set<Node>>();
  for (const { fanOut, effect } of floods) {
    const { node } = effect.at;
    const ofWork = around.get(node) ?? new Set();
    around.set(node, ofWork);
    for (let it = fanOut.all.parent as Node | undefined; it && !ofWork.has(it); it = it.parent)
      ofWork.add(it);
  }
  // veto: the same work is reported at an inner `Promise.all`
  return floods.filter(({ fanOut, effect }) => !around.get(effect.at.node)!.has(fanOut.all));
}

function floodOf(
  file: FileFacts,
  fanOut: FanOut,
  { threads: said, classes, limiters }: FloodOptions,
): Flood | undefined {
  const { work, count, all, part } = fanOut;
  // veto: the list is one batch, slice or page of a longer one
  if (part) return undefined;
  const context = contextOf(file, all);
  // veto: the code runs at startup, when no request waits yet
  if (context === 'startup') return undefined;
  // veto: the function is a durable workflow (`'use workflow'`), whose steps run elsewhere
  if (isWorkflow(functionAround(all))) return undefined;
  // veto: a pause or a lock in the work of each element limits how much runs concurrently
  if (work.sleeps || work.effects.some(({ env }) => env === 'lock')) return undefined;
  const threaded = work.effects.filter(
    // veto: the call is cached per request, so equal calls share the result of the first
    ({ threadPool, isRemembered }) => !isRemembered && threadPool && classes.includes(threadPool),
  );
  // The file that is read before the work is the smaller part of it.
  const whole =
    count === undefined
      ? threaded.find((it) => isWholeFile(it) && isOneForEach(fanOut, it))
      : undefined;
  const flooding = threaded.find(({ threadPool }) => threadPool === 'cpu') ?? whole ?? threaded[0];
  const effect =
    flooding ?? work.effects.find((it) => classes.includes('db') && mayTakeConnection(it));
  if (!effect) return undefined;
  // veto: a call around the work is named like a limiter, or its name is in the option `limiters`
  if (isLimited(file, all, effect, limiters)) return undefined;
  // veto: a condition or a `catch` on the path to the work selects only some elements
  if (isForSome(fanOut, effect)) return undefined;
  const threads = said || threadsOf(file);
  const limit = flooding ? undefined : connectionsOf(effect);
  const room = flooding ? threads : limit?.max;
  // veto: the size of the pool is unresolved, or the elements are no more than the threads or connections
  if (room === undefined || (count !== undefined && count <= room)) return undefined;
  // veto: each element also waits for a database, a request or a process, which spreads its file calls
  if (flooding && effect.threadPool !== 'cpu' && isPaced(work.effects)) return undefined;
  // veto: an earlier query on one shared connection lets the elements through one at a time
  if (!flooding && isBehindConnection(work.effects, effect)) return undefined;
  // veto: no-query-per-item reports queries that one query for all elements can replace
  if (!flooding && queriesOfFanOut(file, fanOut, limiters)) return undefined;
  const areThreadsDefault = !said && !threadsIn(file);
  return {
    fanOut,
    effect,
    context,
    threads,
    areThreadsDefault,
    limit,
    readsWhole: effect === whole,
  };
}

function mayTakeConnection(effect: Effect): boolean {
  // veto: the driver sends what is asked in one tick together
  if (effect.isBatched) return false;
  return effect.env === 'db' && isOnPool(effect);
}

/** `'use workflow'`: the function is played again after each of its steps, which run elsewhere. */
function isWorkflow(fn: FunctionNode | undefined): boolean {
  const body = fn && bodyOf(fn);
  return (
    body?.type === 'BlockStatement' &&
    body.body.some((it) => it.type === 'ExpressionStatement' && it.directive === 'use workflow')
  );
}

/** `readFile(path)` without an encoding: data of any size, where text is mostly small. */
function isWholeFile({ method, at: { node } }: Effect): boolean {
  if (method !== 'readFile' || !isCall(node)) return false;
  return argumentsOf(node)
    .slice(1)
    .every((it) => it.type === 'ObjectExpression' && !hasEncoding(it));
}

/** One for each element, of which something smaller is kept; what is read in a loop further in is that one's affair. */
function isOneForEach({ started: { file, node } }: FanOut, effect: Effect): boolean {
  // no veto: what is started is the reading.
  if (!isFunction(node)) return true;
  const isOwn = effect.at.file === file && contains(node, effect.at.node);
  const place = isOwn ? effect.at.node : callTo(file, bodyOf(node)!, effect);
  const loop = place && loopAround(file, place);
  const isInner = loop !== undefined && loop.body !== bodyOf(node) && contains(node, loop.body);
  // veto of an exclusion: the file is read in an inner loop, so one element reads several files
  if (isInner || (!isOwn && place && isLoopedBehind(file, place, effect))) return false;
  return !keepsContent(file, node, effect);
}

function hasEncoding({ properties }: TSESTree.ObjectExpression): boolean {
  return properties.some((it) => it.type !== 'Property' || propertyName(it) === 'encoding');
}

/** How many connections the pool has, where the place is known that makes it. */
function connectionsOf(effect: Effect): PoolLimit | undefined {
  const pool = poolOf(effect);
  return pool && poolLimitOf(pool);
}

/** How many threads libuv has for files, names, zlib and crypto: as many as the file itself or the project around it sets. */
export function threadsOf(file: FileFacts): number {
  return threadsIn(file) || THREADS;
}

/** 0 where neither states it. */
function threadsIn(file: FileFacts): number {
  const said = file.source.modules?.deploymentOf(file.path).threads;
  return Math.max(ownThreadsOf(file), said ?? 0);
}

const ownThreadsOf = queryOfFile(
  'threads',
  (file: FileFacts): number =>
    Number(/UV_THREADPOOL_SIZE.{0,3}=\s*['"]?(\d+)/.exec(file.text)?.[1] ?? 0),
  { whileCyclic: 0 },
);

/** Requests and processes take longer than files do, so that those come in ones and twos. */
function isPaced(effects: readonly Effect[]): boolean {
  return effects.some(({ env }) => env !== 'fs' && env !== 'dns');
}

/** One connection that all elements share answers one of them after the other. */
function isBehindConnection(effects: readonly Effect[], effect: Effect): boolean {
  return effects.slice(0, effects.indexOf(effect)).some((it) => it.handle === 'serial');
}

/**
 * A condition around the work, or on the way to it through other functions, says that not every element needs it:
 * what is not cached yet, pictures of one kind, rows that have a password, what is there already when it is to be written.
 */
function isForSome({ started }: FanOut, effect: Effect): boolean {
  return conditionsOnWay(started, effect).some(
    ({ file, condition }) =>
      condition.kind === 'catch' || (isChoice(condition) && !isForMissingRow(file, condition)),
  );
}

/** The call that takes a thread or a connection, as the source names it. */
export function nameOfWork({ effect: { at, library, method } }: Flood): string {
  const { node } = at as { node: Node };
  const call = bare(node.type === 'AwaitExpression' ? node.argument : node);
  const name = isCall(call) ? dottedName(calleeOf(call)) : undefined;
  return `${name?.replace(/^this\./, '') ?? `${library} ${method}`}()`;
}
