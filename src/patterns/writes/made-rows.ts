import { answersOf } from './order.ts';
import { contains, type Node, walkOwn } from '../../analysis/syntax/ast.ts';
import { knownBehaviourOf } from '../../analysis/behaviour/behaviour.ts';
import { wayTo } from '../../analysis/loops/effect-places.ts';
import { conditionsOn } from '../../analysis/syntax/conditions.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import { scopeAround } from '../../analysis/loops/variants.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import type { RowWrite } from './looped-writes.ts';

/**
 * Whether a row needs what a query of its own answers, here or on the way to the write: `const total = await sumOf(id); await
 * save(id, total);`, or that decides whether it is written: `if (!(await isThere(id))) await save(id);`.
 */
export function isMadeOfAnswers(
  file: FileFacts,
  { body }: Loop,
  { place, effect }: RowWrite,
): boolean {
  const way = [{ file, node: place, root: body }, ...wayTo({ file, node: place }, effect)];
  return way.some((it) => {
    const reads = readsIn(it.file, it.root).filter((read) => read !== it.node);
    const tests = conditionsOn(it.node, it.root).flatMap(({ test }) => test ?? []);
    const parts = [it.node, ...tests];
    if (parts.some((part) => reads.some((read) => contains(part, read)))) return true;
    const answers = answersOf(it.file, { body: it.root }, reads);
    return parts.some((part) => mentions(it.file, part, answers));
  });
}

/** The queries that the body waits for. */
function readsIn(file: FileFacts, body: Node): readonly Node[] {
  const reads: Node[] = [];
  walkOwn(body, (it) => {
    // no veto: the query that a wait holds says the same as the wait.
    if (it.type !== 'AwaitExpression') return;
    const { effects = [] } = knownBehaviourOf(file, it, scopeAround(file, it)) ?? {};
    if (effects.some(({ env, op }) => env === 'db' && op === 'read')) reads.push(it);
  });
  return reads;
}
