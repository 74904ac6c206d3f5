import { contains, functionAround, isLoop, type Node, walkOwn } from '../../analysis/syntax/ast.ts';
import { endsAt, startsAt } from '../../analysis/syntax/places.ts';
import type { LoopPause } from '../../analysis/loops/pauses.ts';

/**
 * Whether a round may go on without the pause after `work`, by a `continue` or `return` deeper than its guards:
 * `if (batch) { …; if (isFull) continue; } await sleep(1000)`. Those that a `catch` holds follow a failure.
 */
export function isPassedBy({ loop, node: pause, conditions }: LoopPause, work: Node): boolean {
  let isPassed = false;
  walkOwn(loop.body, (it) => {
    if (it.type === 'CatchClause' || startsAt(it) > startsAt(pause)) return false;
    const isExit =
      it.type === 'ReturnStatement' ||
      (it.type === 'ContinueStatement' && !isOfInner(it, loop.body));
    const isGuard = conditions.some((known) => known.kind !== 'branch' && contains(known.node, it));
    isPassed ||=
      isExit &&
      !isGuard &&
      startsAt(it) > endsAt(work) &&
      !contains(it, pause) &&
      functionAround(it) === functionAround(pause);
    return true;
  });
  return isPassed;
}

/** It goes on with a loop inside of the body. */
function isOfInner(node: Node, body: Node): boolean {
  for (let it = node.parent; it && it !== body; it = it.parent) if (isLoop(it)) return true;
  return false;
}
