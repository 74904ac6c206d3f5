import { contextOf } from '../../src/analysis/contexts/contexts.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import type { Pause } from '../../src/analysis/flow/turns.ts';
import type { LoopPause } from '../../src/analysis/loops/pauses.ts';
import { firstLine } from '../../src/analysis/syntax/places.ts';
import { turnBound } from '../../src/analysis/values/cost.ts';
import type { IterationCost } from '../../src/patterns/pauses/iteration-cost.ts';

/** The message, the place and the evidence of a turn after each iteration. */
export function reportOf(
  file: FileFacts,
  { node, pause: { kind, turn }, loop }: Pick<LoopPause, 'node' | 'pause' | 'loop'>,
  cost: IterationCost,
  { every, budgetMs }: { readonly every: number; readonly budgetMs: number },
) {
  return {
    messageId: messageOf(kind, cost),
    at: firstLine(file, node),
    evidence: {
      how: turn!,
      every,
      budgetMs,
      body: cost.kind,
      step: cost.step,
      ...(kind === 'timer' ? { perSecond: turnBound(1).perSecond } : {}),
      context: contextOf(file, loop.body),
    },
  };
}

function messageOf(kind: Pause['kind'], cost: IterationCost) {
  if (kind === 'tick') return 'tick';
  const isMemory = cost.kind === 'memory';
  if (kind === 'timer') return isMemory ? 'timerInMemory' : 'timer';
  return isMemory ? 'immediateInMemory' : 'immediate';
}
