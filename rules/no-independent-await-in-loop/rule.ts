import { isPacedByComment } from '../../src/analysis/contexts/comments.ts';
import { isExcluded } from '../../src/analysis/contexts/contexts.ts';
import { isWaitOfPage } from '../../src/analysis/contexts/pages.ts';
import { drainsOf } from '../../src/analysis/loops/drains.ts';
import { threadsOf } from '../../src/patterns/load/floods.ts';
import { importanceOf } from '../../src/analysis/contexts/importance.ts';
import { independentIterationsOf } from '../../src/patterns/independence/iterations.ts';
import { isOverTypedList } from '../../src/analysis/flow/loop-bounds.ts';
import { isLoopOfWrites, putsRight } from '../../src/patterns/writes/looped-writes.ts';
import { loopsOf } from '../../src/analysis/flow/loops.ts';
import { defineRule } from '../define-rule.ts';
import { AWAIT, GIVEN } from '../trigger.ts';
import { evidenceOf, isSmall, relatedOf, remedyOf } from './evidence.ts';
import { messages } from './messages.ts';
import { suggestionsFor } from './suggestions.ts';

export default defineRule({
  id: 'no-independent-await-in-loop',
  description: 'Disallow waiting once per element when the elements do not need each other',
  messages,
  suggestions: {
    together: 'Run all {{count}} concurrently with Promise.all',
    limited: 'Run them concurrently, at most {{limit}} at a time',
    skeleton: 'Write the query for all elements as a comment',
  },
  options: {
    remedies: {
      default: ['batch', 'fanOutHttp', 'fanOutDb', 'fanOutFs', 'writes', 'drain'],
      description: 'Which kinds of loops are reported.',
    },
    maxFanOut: {
      default: 10,
      description:
        'The concurrency that messages recommend: at most the size of the pool; for files, at most the number of libuv threads.',
    },
    honourOtherLinters: {
      default: true,
      description: 'Accept a comment that disables no-await-in-loop on the loop as a decision.',
    },
  },
  trigger: { all: [AWAIT, { any: [/\b(?:for|while)\b/, GIVEN] }] },
  replays: 'loop',

  *check(file, { remedies, maxFanOut, honourOtherLinters }) {
    // Tests, command-line tools and code for a browser keep no server's user waiting.
    if (isExcluded(file)) return;

    for (const loop of loopsOf(file)) {
      const iterations = independentIterationsOf(file, loop);
      if (!iterations) continue;

      // A list literal does not grow with the data, and mostly fills a new database.
      if (iterations.writes && isOverTypedList(file, loop)) continue;

      // One statement, or one commit, for all rows saves more than concurrency.
      if (iterations.writes && isLoopOfWrites(file, loop)) continue;

      // What is asked for is read; the few rows that are written on the way are not the elements' own.
      if (iterations.writes && putsRight(file, loop, iterations.effects)) continue;

      // The author wrote down that the order or the pace is meant.
      if (isPacedByComment(file, loop, { honourOtherLinters })) continue;

      // The page next to a route's own loader: it waits in the browser.
      if (isWaitOfPage(file, loop.node, iterations.effects)) continue;

      const { messageId, remedy } = remedyOf(file, iterations);
      if (!remedies.includes(remedy)) continue;

      // The code can still use results in the order of the elements after one request for all.
      if (iterations.isInTurn && remedy !== 'batch') continue;

      // More operations on files than libuv has threads wait for each other all the same.
      const most = remedy === 'fanOutFs' ? Math.min(maxFanOut, threadsOf(file)) : maxFanOut;
      const limit = Math.min(most, loop.bound ?? most);
      yield {
        messageId,
        at: iterations.first,
        evidence: evidenceOf(file, iterations, { remedy, limit }),
        ...(isSmall(file, iterations, importanceOf(file, loop.node)) ? { severity: 'hint' } : {}),
        related: relatedOf(file, iterations),
        suggestions: suggestionsFor(file, iterations, { messageId, limit: most }),
      };
    }

    for (const drain of drainsOf(file)) {
      if (!remedies.includes('drain')) continue;

      yield {
        messageId: 'drain',
        at: drain.node,
        evidence: { method: drain.method, bulk: drain.bulk },
      };
    }
  },
});
