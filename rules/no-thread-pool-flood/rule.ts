import { isExcluded } from '../../src/analysis/contexts/contexts.ts';
import { floodsOf } from '../../src/patterns/load/floods.ts';
import { firstLine, rangeOf, startsAt } from '../../src/analysis/syntax/places.ts';
import { defineRule } from '../define-rule.ts';
import { floodEvidence, messageFor } from './evidence.ts';
import { messages } from './messages.ts';
import { suggestionsFor } from './suggestions.ts';

export default defineRule({
  id: 'no-thread-pool-flood',
  description: 'Disallow starting more concurrent work than there are threads or connections',
  messages,
  suggestions: {
    limited: 'Limit the concurrency (it takes no longer, and other work can proceed)',
  },
  options: {
    threads: {
      default: 0,
      description:
        'How many threads libuv has; 0: UV_THREADPOOL_SIZE from the code, package.json or a Dockerfile, else 4.',
    },
    classes: {
      default: ['cpu', 'fs', 'dns', 'db'],
      description:
        'Which work is reported: computing (`cpu`), files (`fs`) and name look-ups (`dns`) on libuv’s threads, queries on a pool’s connections (`db`).',
    },
    limiters: {
      default: [] as readonly string[],
      description: 'Names of functions and objects of the project that limit concurrency.',
    },
  },
  trigger: /\.all(?:Settled)?\s*\(/,

  *check(file, options) {
    // No other request waits in a script.
    if (isExcluded(file)) return;
    for (const flood of floodsOf(file, options)) {
      const { fanOut, effect, context } = flood;
      // Computation delays every other request of the process.
      const isGrave = effect.threadPool === 'cpu' && context === 'per-request';
      // Statements of one SQLite database wait for each other, and most take microseconds.
      const isBrief = effect.threadPool === 'cpu' && effect.env === 'db';

      yield {
        messageId: messageFor(flood),
        at: firstLine(file, fanOut.all),
        evidence: floodEvidence(flood, options.threads > 0),
        ...(isBrief
          ? { severity: 'hint' as const }
          : isGrave
            ? { severity: 'warning' as const }
            : {}),
        related:
          effect.at.file === file && startsAt(effect.at.node) >= startsAt(fanOut.all)
            ? []
            : [{ path: effect.at.file.path, range: rangeOf(effect.at.node), message: 'the work' }],
        suggestions: suggestionsFor(file, flood),
      };
    }
  },
});
