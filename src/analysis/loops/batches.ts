import type { TSESTree } from '@typescript-eslint/utils';
import { bare, isNamed, type Node, propertyName, walk } from '../syntax/ast.ts';
import { wordsOf } from '../syntax/words.ts';
import type { FileFacts } from '../file/file.ts';
import type { Loop } from '../flow/loops.ts';
import { mentions, variablesIn } from '../syntax/mentions.ts';
import { sqlOf } from '../provenance/sql-text.ts';
import { quantityOf } from '../values/values.ts';
import { type Quantity } from '../values/quantity.ts';
import { variantsOf } from './variants.ts';

/**
 * How many items one iteration handles: the step of `for (let i = 0; i < n; i += 100)`, or of the start of the next iteration.
 */
export function stepOf(file: FileFacts, loop: Loop): number | undefined {
  return stepQuantityOf(file, loop)?.value;
}

/** The same with what the number depends on. */
export function stepQuantityOf(file: FileFacts, loop: Loop): Quantity | undefined {
  const { node } = loop;
  if (node.type === 'ForStatement') {
    const { update } = node;
    return update?.type === 'AssignmentExpression' && update.operator === '+='
      ? wholeStep(file, update.right)
      : undefined;
  }
  for (const round of loop.rounds) {
    const call = round.node.parent;
    if (call?.type !== 'CallExpression') continue;
    const step = stepIn(file, loop, call);
    if (step !== undefined) return step;
  }
  return undefined;
}

/** `loop({ start: start + this.bundleSize })`. */
function stepIn(file: FileFacts, loop: Loop, call: Node): Quantity | undefined {
  const variants = variantsOf(file, loop);
  let step: Quantity | undefined;
  walk(call, (it) => {
    if (it.type !== 'BinaryExpression' || it.operator !== '+') return;
    if (!mentions(file, it.left, variants)) return;
    step ??= wholeStep(file, it.right);
  });
  return step;
}

function wholeStep(file: FileFacts, node: Node): Quantity | undefined {
  const step = quantityOf(file, node);
  const { value } = step;
  return value !== undefined && Number.isInteger(value) && value > 1 ? step : undefined;
}

/** How slices are called, and lists of them. */
export const SLICES = /\b(?:chunk|chunked|batch|batched|slice|page|bulk)(?:s|es)?\b/;
/** What has slices in it; a `page` has elements. */
const LISTS_OF_SLICES = /\b(?:chunked|batched|batches|(?:chunk|slice|page|bulk)s)\b/;

/** Whether a loop goes over slices by their names: `for (const page of pages)`, `of chunk(rows, 100)`; not `for (const row of page)`. */
export function isOverSlices(
  file: FileFacts,
  { node, over }: Pick<Loop, 'node' | 'over'>,
): boolean {
  // no veto: keys come one at a time.
  if (node.type !== 'ForOfStatement' || !over) return false;
  if (SLICES.test(wordsOf(file.textOf(node.left)))) return true;
  const list = bare(over);
  // `lines.slice(1)`: its elements are those of the list.
  if (list.type === 'CallExpression' && list.callee.type === 'MemberExpression') {
    const { object } = list.callee;
    if (propertyName(list.callee) === 'slice') return isOverSlices(file, { node, over: object });
  }
  const name =
    list.type === 'Identifier'
      ? list.name
      : list.type === 'MemberExpression'
        ? propertyName(list)
        : undefined;
  return name === undefined
    ? SLICES.test(wordsOf(file.textOf(over)))
    : LISTS_OF_SLICES.test(wordsOf(name));
}

/** `replies[i]` and `replies[i + 1]`, counted in steps of two: the parts of one element are adjacent in the list. */
export function takesTuple(file: FileFacts, loop: Loop): boolean {
  const step = stepOf(file, loop);
  const { node } = loop;
  if (step === undefined || node.type !== 'ForStatement' || !node.update) return false;
  const counters = new Set(variablesIn(file, node.update));
  const places: number[] = [];
  let isTaken = true;
  walk(loop.body, (it) => {
    const variable = it.type === 'Identifier' ? file.variableOf(it) : undefined;
    if (!variable || !counters.has(variable)) return;
    const place = placeInTuple(it);
    isTaken &&= place !== undefined && place < step;
    if (place !== undefined) places.push(place);
  });
  // veto: the iteration does not read each element of its step by index, so a step is a batch
  if (!isTaken || !places.some((it) => it > 0)) return false;
  // veto: the iteration handles all elements of its step in the same way, so a step is a batch
  return !areAlike(loop.body);
}

/** `Promise.all([get(ids[i]), get(ids[i + 1])])`, `IN ($1, $2)` of `[ids[i], ids[i + 1]]`: elements that are taken side by side. */
function areAlike(body: Node): boolean {
  let areSo = false;
  walk(body, (it) => {
    if (it.type === 'ArrayExpression')
      areSo ||= it.elements.length > 1 && it.elements.every(isPlace);
    areSo ||= isNamed(it, 'Promise');
  });
  return areSo;
}

function isPlace(element: Node | null): boolean {
  const it = element && bare(element);
  return it?.type === 'MemberExpression' && it.computed;
}

/** Of `cells[i]` 0, of `cells[i + 1]` 1. */
function placeInTuple(counter: Node): number | undefined {
  const { parent } = counter;
  const isSum = parent?.type === 'BinaryExpression' && parent.operator === '+';
  const index = isSum ? parent : counter;
  const at = isSum && parent.right.type === 'Literal' ? parent.right.value : isSum ? undefined : 0;
  const element = index.parent;
  return typeof at === 'number' &&
    element?.type === 'MemberExpression' &&
    element.computed &&
    element.property === index
    ? at
    : undefined;
}

/** `rows.slice(i * 100, (i + 1) * 100)`: the loop counts slices. */
export function countsSlices(file: FileFacts, loop: Loop): boolean {
  // no veto: spares most bodies the walk.
  if (loop.node.type !== 'ForStatement' || !file.textOf(loop.body).includes('.slice('))
    return false;
  const variants = variantsOf(file, loop);
  let counts = false;
  walk(loop.body, (it) => {
    if (it.type !== 'CallExpression' || it.callee.type !== 'MemberExpression') return;
    const start = it.arguments[0] && bare(it.arguments[0]);
    counts ||=
      propertyName(it.callee) === 'slice' &&
      start?.type === 'BinaryExpression' &&
      start.operator === '*' &&
      mentions(file, start, variants) &&
      !isOfOneRow(file, it, start);
  });
  return counts;
}

/** `query('INSERT … VALUES ($1, $2)', cells.slice(i * 2, i * 2 + 2))`: a slice of cells, which are one row. */
function isOfOneRow(
  file: FileFacts,
  slice: TSESTree.CallExpression,
  start: TSESTree.BinaryExpression,
): boolean {
  const { parent } = slice;
  const sql = parent.type === 'CallExpression' ? sqlOf(file, parent) : undefined;
  const cells = /\bvalues\s*\(([^()]*)\)(?!\s*,)/i.exec(sql ?? '')?.[1];
  if (cells === undefined) return false;
  const count = (cells.match(/\$\d+|\?/g) ?? []).length;
  return [start.left, start.right].some((it) => quantityOf(file, it).value === count);
}
