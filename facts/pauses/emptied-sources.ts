import { contains, type Node } from '../syntax/ast.ts';
import { wayTo } from '../effects/effect-places.ts';
import type { FileFacts } from '../file.ts';
import { endsLoop } from '../loops/last-rounds.ts';
import { type Loop, loopAround } from '../loops.ts';
import type { WorkSource } from './work-sources.ts';

/**
 * Whether one round of a polling loop asks for work again and again, in a loop of its own or in a function: what sleeps after
 * that sleeps when nothing is left, or after nobody knows how much.
 */
export function isAskedAgain(file: FileFacts, loop: Loop, { node, effect }: WorkSource): boolean {
  const behind = effect ? wayTo({ file, node }, effect) : [];
  return (
    isRepeated(file, node, (it) => it.node !== loop.node) ||
    behind.some((it) => isRepeated(it.file, it.node, ({ body }) => contains(it.root, body)))
  );
}

/** By a loop around it, as far out as `isInside` says. */
function isRepeated(file: FileFacts, place: Node, isInside: (loop: Loop) => boolean): boolean {
  for (let it = loopAround(file, place); it && isInside(it); it = it.outer) {
    if (!endsLoop(place, it)) return true;
  }
  return false;
}
