import { bare, contains, type Node } from '../../analysis/syntax/ast.ts';
import type { Condition } from '../../analysis/syntax/conditions.ts';
import { behaviourOf } from '../../analysis/behaviour/behaviour.ts';
import { wayTo } from '../../analysis/loops/effect-places.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { endsLoop } from '../../analysis/flow/last-rounds.ts';
import { type Loop, loopAround } from '../../analysis/flow/loops.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { endsAt, startsAt } from '../../analysis/syntax/places.ts';
import { scopeAround } from '../../analysis/loops/variants.ts';
import { awaitsIn } from './work.ts';
import type { WorkSource } from './work-sources.ts';

/**
 * Whether one iteration of a polling loop polls for work repeatedly, in an inner loop or in a function: a sleep after that runs
 * when nothing is left, or after an unresolved number of items.
 */
export function isAskedAgain(file: FileFacts, loop: Loop, { node, effect }: WorkSource): boolean {
  const behind = effect ? wayTo({ file, node }, effect) : [];
  const isInside = (it: Loop) => it.node !== loop.node;
  return (
    isRepeated(file, node, isInside) ||
    awaitsIn(loop.body).some(
      (it) => isRepeated(file, it, isInside) && effect !== undefined && asksFor(file, it, effect),
    ) ||
    behind.some((it) =>
      isRepeated(
        it.file,
        it.node,
        // What this loop runs is no loop inside of it.
        ({ body, by }) => contains(it.root, body) && !(by && contains(loop.node, by.node)),
      ),
    )
  );
}

/** `let count = await take(10); while (count > 0) count = await take(10);` */
function asksFor(file: FileFacts, node: Node, effect: Effect): boolean {
  const { effects } = behaviourOf(file, node, scopeAround(file, node));
  return effects.some(({ at }) => at.node === effect.at.node);
}

/** By a loop around it, as far out as `isInside` says. */
function isRepeated(file: FileFacts, place: Node, isInside: (loop: Loop) => boolean): boolean {
  for (let it = loopAround(file, place); it && isInside(it); it = it.outer) {
    if (!endsLoop(place, it)) return true;
  }
  return false;
}

/** `if (!(await mayPost())) return;` before work is asked for: the answer to something else. How many there are is compared. */
export function isOfAnother(
  file: FileFacts,
  { test }: Condition,
  { node, result }: WorkSource,
): boolean {
  if (!test || endsAt(test) > startsAt(node)) return false;
  const asked = test.type === 'UnaryExpression' ? bare(test.argument) : test;
  const isKept = result !== undefined && mentions(file, test, new Set([result]));
  return asked.type !== 'BinaryExpression' && !isKept;
}
