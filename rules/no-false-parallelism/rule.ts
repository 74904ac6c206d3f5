import { isExcluded } from '../../src/analysis/contexts/contexts.ts';
import { falseParallelismsOf } from '../../src/patterns/load/false-parallelism.ts';
import { firstLine } from '../../src/analysis/syntax/places.ts';
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
  trigger: /\bPromise\s*\.\s*all/,

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
  },
});
