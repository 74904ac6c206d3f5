import { isExcluded } from '../../src/analysis/contexts/contexts.ts';
import { falseParallelismsOf } from '../../src/patterns/load/false-parallelism.ts';
import { firstLine } from '../../src/analysis/syntax/places.ts';
import { defineRule } from '../define-rule.ts';
import { evidenceOf } from './evidence.ts';
import { messages } from './messages.ts';
import { suggestionsFor } from './suggestions.ts';

/** Drivers whose connection warns that it will no longer queue concurrent queries. */
const WARNS = /^(?:pg|pg-promise|drizzle-orm\/node-postgres)$/;

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
      const driver = parallelism.handle.library.name;

      if (drivers.length > 0 && !drivers.includes(driver)) continue;

      yield {
        messageId: WARNS.test(driver) ? 'deprecated' : 'queued',
        at: firstLine(file, parallelism.call.callee),
        evidence: evidenceOf(parallelism),
        suggestions: suggestionsFor(file, parallelism),
      };
    }
  },
});
