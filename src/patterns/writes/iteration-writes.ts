import { valueOf } from '../../analysis/provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, contains, type Node } from '../../analysis/syntax/ast.ts';
import type { Behaviour } from '../../analysis/behaviour/behaviour.ts';
import { argumentsOf, type Call, calleeOf, isCall } from '../../analysis/syntax/calls.ts';
import { isLoopedBehind } from '../../analysis/loops/effect-places.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { type Iteration } from '../../analysis/loops/iteration-variables.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { namesRow } from './named-rows.ts';
import { isUnanswered, verbOf, writesRelated } from './row-writes.ts';
import { chainOf } from '../../analysis/syntax/call-chains.ts';
import { variantsOf } from '../../analysis/loops/variants.ts';

/** Every write of an iteration names its element, and nothing reads a table that another iteration writes. */
export function writesByElement(
  file: FileFacts,
  iteration: Iteration,
  awaits: readonly Node[],
  behaviours: readonly Behaviour[],
): boolean {
  const written = new Set<string>();
  const read = new Set<string>();
  for (const [i, { effects }] of behaviours.entries()) {
    for (const effect of effects) {
      // Any row, for all that is known.
      if (effect.keys.length === 0 && !effect.keyed) return false;
      for (const key of effect.keys) (effect.op === 'write' ? written : read).add(key);
      // no veto: reads are compared below.
      if (effect.op !== 'write') continue;
      // Files, caches and services keep an order of their own.
      // no veto: those have been left out by what their calls say of themselves, too.
      if (effect.env !== 'db') return false;
      // Nobody waits for an answer.
      if (isUnanswered(effect)) return false;
      // `ALTER TABLE …`, a procedure: no rows that one statement could name together.
      // no veto: those of one table are told apart below.
      if (effect.verb === 'other') return false;
      // Another table each time: no statement writes to several.
      if (choosesTable(file, iteration.loop, effect)) return false;
      // Many rows each time: all of one element's go together already.
      if (writesMany(file, iteration.loop, awaits[i]!, effect)) return false;
      // Rows of other elements, too.
      if (writesRelated(effect)) return false;
      // The same row each time: the last one wins.
      if (!namesElement(file, iteration, awaits[i]!, effect)) return false;
    }
  }
  // Reading the row that is then written is one element's own affair; other tables are too.
  const asking = behaviours.filter((_, i) => !mentions(file, awaits[i]!, iteration.own));
  // What is asked for all alike, the elements before have changed.
  if (asking.some(({ effects }) => effects.some((it) => isReadOf(it, written)))) return false;
  return [...read].every((it) => !written.has(it) || isKeyedRead(behaviours, it));
}

function isReadOf({ op, keys }: Effect, tables: ReadonlySet<string>): boolean {
  return op === 'read' && keys.some((it) => tables.has(it));
}

/** By a statement for many rows, or by a loop of its own in what is called. */
function writesMany(file: FileFacts, { body }: Loop, node: Node, effect: Effect): boolean {
  // veto: one statement already writes many rows for an element
  if (verbOf(effect) === 'many') return true;
  const isOwn = effect.at.file === file && contains(body, effect.at.node);
  const waited = bare(node);
  const call = waited.type === 'AwaitExpression' ? bare(waited.argument) : waited;
  return !isOwn && isLoopedBehind(file, call, effect);
}

/** The element decides which row is written: in the `where` where there is one, else anywhere in the call. */
function namesElement(
  file: FileFacts,
  { own, loop }: Iteration,
  node: Node,
  effect: Effect,
): boolean {
  if (!mentions(file, node, own)) return false;
  // no veto: a statement in SQL has been asked for its keys.
  return effect.verb !== undefined || namesRow(file, loop, effect, node);
}

/** The element decides which table it is: no statement writes to several. */
export function choosesTable(file: FileFacts, loop: Loop, { env, at, keys }: Effect): boolean {
  // no veto: the nodes of another file are none of this one's.
  if (at.file !== file) return false;
  // veto of an exclusion: the write goes to no table of a database
  if (env !== 'db') return false;
  const variants = variantsOf(file, loop);
  return madeBy(file, at.node).some((call) =>
    argumentsOf(call).some((it) => keys.includes(file.textOf(it)) && mentions(file, it, variants)),
  );
}

/** The calls of a chain, and those that made what has a name of its own: `const model = mongoose.model(name)`. */
function madeBy(file: FileFacts, node: Node): readonly TSESTree.CallExpression[] {
  const calls = chainOf(node);
  const whole = bare(node);
  const last = bare(
    calls.at(-1)?.callee ?? (whole.type === 'AwaitExpression' ? whole.argument : whole),
  );
  const root = last.type === 'MemberExpression' ? bare(last.object) : last;
  const [definition] = root.type === 'Identifier' ? (file.variableOf(root)?.defs ?? []) : [];
  const init = definition?.type === 'Variable' ? definition.node.init : undefined;
  return init ? [...calls, ...chainOf(init)] : calls;
}

function isKeyedRead(behaviours: readonly Behaviour[], table: string): boolean {
  return behaviours.every(({ effects }) =>
    effects.every((it) => it.op !== 'read' || !it.keys.includes(table) || it.keyed),
  );
}

/** `for (const sink of sinks) await sink.write(row)`, where several classes have the method. */
export function isFormOfElement(file: FileFacts, loop: Loop, place: Node): boolean {
  return isOfSeveralForms(file, place) && mentions(file, calleeOf(place), variantsOf(file, loop));
}

/** Whether the call is of an interface's method that several classes have, each with tables of its own. */
export function isOfSeveralForms(file: FileFacts, place: Node): place is Call {
  return isCall(place) && valueOf(file, calleeOf(place)).kind === 'declared';
}
