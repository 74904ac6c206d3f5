import { isExcluded } from '../../src/analysis/contexts/contexts.ts';
import { falseParallelismsOf } from '../../src/patterns/load/false-parallelism.ts';
import { firstLine, rangeOf } from '../../src/analysis/syntax/places.ts';
import { overlappingQueriesOf } from '../../src/patterns/load/overlapping-queries.ts';
import { defineRule } from '../define-rule.ts';
import { evidenceOf } from './evidence.ts';
import { messages } from './messages.ts';
import { suggestionsFor } from './suggestions.ts';

export default defineRule({
  id: 'no-false-parallelism',
  description: 'Disallow Promise.all over calls that one connection runs one at a time',
  messages,
  suggestions: { sequence: 'Await them one at a time' },
  options: {
    drivers: {
      default: [],
      description: 'Report only these drivers, by package name; all when empty.',
    },
  },
  trigger: { any: [/\bPromise\s*\.\s*all|\.batch\s*\(/, /\.query\s*\(/] },

  *check(file, { drivers }) {
    // No user waits for tests and scripts.
    if (isExcluded(file)) return;
    for (const parallelism of falseParallelismsOf(file)) {
      const { name: driver, deprecatesQueue } = parallelism.handle.library;

      if (drivers.length > 0 && !drivers.includes(driver)) continue;

      yield {
        messageId: deprecatesQueue ? 'deprecated' : 'queued',
        at: firstLine(file, parallelism.call.callee),
        evidence: evidenceOf(parallelism),
        suggestions: suggestionsFor(file, parallelism),
      };
    }

    for (const { query, earlier } of overlappingQueriesOf(file)) {
      const { call, handle, name } = query;
      // The project leaves the driver out.
      if (drivers.length > 0 && !drivers.includes(handle.library.name)) continue;

      yield {
        messageId: 'overlaps',
        at: call,
        evidence: { driver: handle.library.name, handle: name, count: 2 },
        related: [{ path: file.path, range: rangeOf(earlier.call), message: 'the earlier query' }],
      };
    }
  },
});
