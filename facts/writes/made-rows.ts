import { answersOf } from './order.ts';
import { contains, type Node, walkOwn } from '../syntax/ast.ts';
import { knownBehaviourOf } from '../effects/behaviour.ts';
import { wayTo } from '../effects/effect-places.ts';
import type { FileFacts } from '../file.ts';
import type { Loop } from '../loops.ts';
import { scopeAround } from '../loops/variants.ts';
import { mentions } from '../syntax/mentions.ts';
import type { RowWrite } from './looped-writes.ts';

/** Whether a row needs what a query of its own answers, here or on the way to the write: `const total = await sumOf(id); await save(id, total);`. */
export function isMadeOfAnswers(
  file: FileFacts,
  { body }: Loop,
  { place, effect }: RowWrite,
): boolean {
  const way = [{ file, node: place, root: body }, ...wayTo({ file, node: place }, effect)];
  return way.some((it) => {
    const reads = readsIn(it.file, it.root).filter((read) => read !== it.node);
    if (reads.some((read) => contains(it.node, read))) return true;
    return mentions(it.file, it.node, answersOf(it.file, { body: it.root }, reads));
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
