import { behaviourOfFunction } from '../../analysis/behaviour/behaviour.ts';
import type { Behaviour } from '../../analysis/behaviour/collected.ts';
import { contextOf } from '../../analysis/contexts/contexts.ts';
import { type FieldResolver, fieldResolversOf } from '../../analysis/contexts/field-resolvers.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { isOnceIn } from '../../analysis/loops/effect-places.ts';
import { libraryNamed } from '../../analysis/model/index.ts';
import type { Node } from '../../analysis/syntax/ast.ts';
import { FEW, isPartOfRows } from '../../analysis/values/limited-rows.ts';
import { asksByKey, asksElsewhere, type Run } from '../writes/named-rows.ts';
import { type FanOut, fanOutsOf } from './fan-outs.ts';
import { isForSomeElements, isLimited, runOfElement, runOfFunction } from './item-work.ts';

/** Reads that each element of a list costs although one query can ask for all elements; none of them waits for another element. */
export interface ItemQueries {
  /** `Promise.all(…)`, or the resolver. */
  readonly node: Node;
  /** The list, as the source names it. */
  readonly over: string | undefined;
  /** The number of elements, where the code contains it. */
  readonly count: number | undefined;
  /** Set where a GraphQL server runs the reads, once for each parent. */
  readonly resolver: FieldResolver | undefined;
  /** The first one, and those that follow it for the same element. */
  readonly read: Effect;
  readonly others: readonly Effect[];
}

/** docs/internals/rules.md, "no-query-per-item" */
export function itemQueriesOf(
  file: FileFacts,
  limiters: readonly string[],
): readonly ItemQueries[] {
  const found = fanOutsOf(file).flatMap((it) => queriesOfFanOut(file, it, limiters) ?? []);
  return [
    ...innermostOf(found),
    ...fieldResolversOf(file).flatMap((it) => ofResolver(file, it) ?? []),
  ];
}

/** Of those with the same read, the ones that have no other inside of them. */
function innermostOf(found: readonly ItemQueries[]): readonly ItemQueries[] {
  const around = new Map<Node, Set<Node>>();
  for (const { node, read } of found) {
    const ofRead = around.get(read.at.node) ?? new Set();
    around.set(read.at.node, ofRead);
    for (let it = node.parent; it && !ofRead.has(it); it = it.parent) ofRead.add(it);
  }
  // veto: the same read is reported at an inner `Promise.all`
  return found.filter(({ node, read }) => !around.get(read.at.node)!.has(node));
}

/** Those of one fan-out, as if no other one were in the file. */
export function queriesOfFanOut(
  file: FileFacts,
  fanOut: FanOut,
  limiters: readonly string[],
): ItemQueries | undefined {
  const { work, count, all: node, over, part } = fanOut;
  // veto: the code runs at startup, when no request waits yet
  if (contextOf(file, node) === 'startup') return undefined;
  // veto: the list is a batch, which limits how many queries run concurrently
  if (part === 'batch') return undefined;
  // veto: the list has few elements
  if (count !== undefined && count <= FEW) return undefined;
  const [read, ...others] = readsOf(work, runOfElement(file, fanOut));
  if (!read) return undefined;
  // veto: a call around the work is named like a limiter, or its name is in the option `limiters`
  if (isLimited(file, node, read, limiters)) return undefined;
  return { node, over, count, resolver: undefined, read, others };
}

function ofResolver(file: FileFacts, resolver: FieldResolver): ItemQueries | undefined {
  const { fn: node, parent, given } = resolver;
  const run = runOfFunction(file, node, [parent]);
  const [read, ...others] = readsOf(behaviourOfFunction({ kind: 'function', file, node }), run);
  // veto: an argument of the field names the row, so only one object of a list has it
  if (read && asksByKey(runOfFunction(file, node, given), read)) return undefined;
  return read && { node, over: undefined, count: undefined, resolver, read, others };
}

/** The reads by a key of the element that each element costs. */
function readsOf({ effects, sleeps }: Behaviour, run: Run): readonly Effect[] {
  // veto: a pause or a lock in the work of each element limits how much runs concurrently
  if (sleeps || effects.some(({ env }) => env === 'lock')) return [];
  // veto: the work of an element writes, too, so one query does not replace it
  if (effects.some((it) => it.env === 'db' && it.op !== 'read')) return [];
  return effects.filter((it) => isReadByKey(run, it));
}

function isReadByKey(run: Run, effect: Effect): boolean {
  // no veto: requests and files are other matters.
  if (effect.env !== 'db') return false;
  // veto: the query runs on one connection
  if (isOnOneConnection(effect)) return false;
  // veto: React remembers the answer, or the driver sends the queries of one tick together
  if (effect.isRemembered || effect.isBatched) return false;
  // veto: keys of the database are on several nodes, where one query for all is slower
  if (libraryNamed(effect.library)?.isPartitioned) return false;
  // veto: the query asks for the first rows of each element only
  if (isPartOfRows(effect.at.file, effect.at.node)) return false;
  // veto: the query does not ask by a key of the element, as far as it is resolved
  if (!asksByKey(run, effect)) return false;
  // veto: each element asks a database or a table of its own, which no one query can ask
  if (asksElsewhere(run, effect)) return false;
  // veto: a loop in the work of each element repeats the query, and is the cause
  if (!isOnceIn(run.start.file, run.start.node, effect)) return false;
  // veto: a condition or a `catch` on the path to the query selects only some elements
  return !isForSomeElements(run, effect);
}

/** Queries of one connection are sent one at a time: no-false-parallelism reports them. */
function isOnOneConnection({ handle }: Effect): boolean {
  return typeof handle === 'string' ? !/^(?:pool|unknown)$/.test(handle) : handle.isSerial;
}
