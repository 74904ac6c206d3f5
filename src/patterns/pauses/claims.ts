import { valueOf } from '../../analysis/provenance/value-of.ts';
import { calledName, type Node, propertyName, walk } from '../../analysis/syntax/ast.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { isAnswerUsed } from '../../analysis/flow/waits.ts';
import { chainOf } from '../../analysis/syntax/call-chains.ts';

/** `SELECT … FOR UPDATE SKIP LOCKED` is what job tables are read with, or an UPDATE of so many rows that returns them. */
export function isClaim(effect: Effect): boolean {
  return (
    effect.env === 'db' &&
    (effect.rows?.isClaim === true || takesDocument(effect) || takesRows(effect))
  );
}

/**
 * `UPDATE jobs SET token = ? WHERE token IS NULL LIMIT 20`, then `SELECT … WHERE token = ?`: marks so many rows, and reads those with
 * the mark, where a database returns nothing of an update.
 */
export function isMarked({ op, verb, keys, rows }: Effect, others: readonly Effect[]): boolean {
  // no veto: the shape of an update.
  if (op !== 'write' || verb !== 'update') return false;
  // veto: the UPDATE has no limit, so it does not claim a batch of rows as work
  if (!(rows?.limit ?? rows?.hasGivenLimit)) return false;
  const set = new Set(rows?.columns);
  return others.some(
    (it) =>
      it.op === 'read' &&
      it.keys.some((key) => keys.includes(key)) &&
      it.rows?.columns.some((column) => set.has(column)),
  );
}

/** `Job.findOneAndUpdate({ state: 'new' }, { $set: { state: 'taken' } })`: changes what it was asked by, so that nobody gets it twice. */
function takesDocument({ at: { file, node } }: Effect): boolean {
  if (!isAnswerUsed(node)) return false;
  const call = chainOf(node).find((it) => calledName(it.callee) === 'findOneAndUpdate');
  const [filter, update] = call?.arguments ?? [];
  const changed = new Set(update && namesOf(file, update));
  return filter !== undefined && namesOf(file, filter).some((it) => changed.has(it));
}

/** `update(jobs).set(…).where(…limit(n).forUpdate().skipLocked()).returning(…)`: the same by a builder. */
function takesRows({ at: { node } }: Effect): boolean {
  // veto: the query has no `returning`, so it hands no claimed rows to the loop
  if (!chainOf(node).some((it) => /^returning/.test(calledName(it.callee) ?? ''))) return false;
  let isLocked = false;
  walk(node, (it) => {
    const name = it.type === 'CallExpression' ? calledName(it.callee) : undefined;
    isLocked ||= name === 'skipLocked' || name === 'forUpdate';
  });
  return isLocked;
}

/** The properties of an object that is written out, with those of its operators (`$set`). */
function namesOf(file: FileFacts, node: Node): readonly string[] {
  const value = valueOf(file, node);
  if (value.kind !== 'object') return [];
  return value.node.properties.flatMap((it) => {
    const name = it.type === 'Property' ? propertyName(it) : undefined;
    if (it.type !== 'Property' || !name) return [];
    return name.startsWith('$') ? namesOf(value.file, it.value) : [name];
  });
}
