import { functionAround } from '../../src/analysis/syntax/ast.ts';
import { isExcluded } from '../../src/analysis/contexts/contexts.ts';
import { iterationCost } from '../../src/patterns/pauses/iteration-cost.ts';
import { pausesOf } from '../../src/analysis/loops/pauses.ts';
import { loopsOf } from '../../src/analysis/flow/loops.ts';
import {
  isEveryIteration,
  isMeantYield,
  isPoll,
  isPulled,
} from '../../src/patterns/pauses/yields.ts';
import { turnsOfCalls } from '../../src/patterns/pauses/turns-of-calls.ts';
import { defineRule } from '../define-rule.ts';
import { AWAIT } from '../trigger.ts';
import { reportOf } from './evidence.ts';
import { messages } from './messages.ts';
import { suggestionsFor } from './suggestions.ts';

/** Loops with at most this many proved iterations need no counter: docs/internals/rules.md, "no-yield-per-iteration". */
const FEW_ITERATIONS = 8;

export default defineRule({
  id: 'no-yield-per-iteration',
  description: 'Disallow giving up the event loop on every iteration of a light loop',
  messages,
  suggestions: {
    everySome: 'Yield every {{every}} iterations',
    byTime: 'Yield when {{budgetMs}} ms have passed since the last yield',
    remove: 'Remove the yield',
  },
  options: {
    every: {
      default: 64,
      description: 'How many iterations the suggestions put between two yields.',
    },
    budgetMs: {
      default: 10,
      description: 'How long the suggestions let the loop run between two yields (milliseconds).',
    },
    maxBodyCalls: { default: 40, description: 'Bodies with more calls count as heavy.' },
  },
  // The yield may hide behind any function, so only the await is sure.
  trigger: AWAIT,
  replays: 'turn',

  *check(file, { every, budgetMs, maxBodyCalls }) {
    if (isExcluded(file)) return;
    for (const loop of loopsOf(file)) {
      // A timer that starts the next iteration is a sleep, or a scheduler's own turn.
      if (loop.rounds.length > 0) continue;

      // What arrives by itself sets the pace; a generator makes the next one when it is asked.
      if (loop.kind === 'for-await' && !isPulled(file, loop)) continue;

      // Who consumes the values decides how often there is a turn.
      if (functionAround(loop.node)?.generator) continue;

      for (const turn of pausesOf(file, loop)) {
        const { kind, turn: how } = turn.pause;
        // no veto: a pause is a sleep or a turn, and each half of the test covers one.
        if (kind === 'sleep' || how === undefined) continue;

        // The cost of few iterations is not noticeable.
        if (loop.bound !== undefined && loop.bound <= FEW_ITERATIONS) continue;

        // A guarded yield (`if (i % 64 === 0)`, a time budget) is the very fix that is suggested.
        if (!isEveryIteration(file, turn)) continue;

        // A poll must ask again as often; without a pause it would spin.
        if (isPoll(turn)) continue;

        // A comment declares the iteration heavy, or the function exists for this loop to yield.
        if (isMeantYield(file, turn)) continue;

        // Heavy or unresolved work: one yield per iteration keeps the process responsive.
        const cost = iterationCost(
          file,
          loop,
          { ...turn.pause, node: turn.node },
          { maxCalls: maxBodyCalls },
        );
        if (!cost) continue;

        yield {
          ...reportOf(file, turn, cost, { every, budgetMs }),
          related: [{ path: file.path, range: loop.head, message: 'the loop' }],
          suggestions: suggestionsFor(file, turn, { every, budgetMs }),
        };
      }
    }
    for (const turn of turnsOfCalls(file)) {
      const cost = iterationCost(file, turn.loop, turn.pause, { maxCalls: maxBodyCalls });

      // Both as above.
      if (!cost) continue;
      if (isMeantYield(file, turn)) continue;
      const { file: at, loop } = turn.helper;
      yield {
        ...reportOf(file, turn, cost, { every, budgetMs }),
        related: [{ path: at.path, range: loop.head, message: 'the loop' }],
        suggestions: [],
      };
    }
  },
});
