import { isExcluded, mayBeThread } from '../../src/analysis/contexts/contexts.ts';
import { rangeOf } from '../../src/analysis/syntax/places.ts';
import { blockingCallsOf } from '../../src/patterns/load/blocking-calls.ts';
import { defineRule } from '../define-rule.ts';
import { evidenceOf, messageOf } from './evidence.ts';
import { messages } from './messages.ts';
import { suggestionsFor } from './suggestions.ts';

export default defineRule({
  id: 'no-blocking-call',
  description: 'Disallow synchronous work that all requests of the process wait for',
  messages,
  suggestions: { awaited: 'Await `{{async}}` of `fs.promises` (other requests run meanwhile)' },
  options: {
    work: {
      default: ['computes', 'compresses', 'runsProcess', 'usesFiles'],
      description:
        'Which work is reported: hashes and keys (`computes`), compression (`compresses`), processes (`runsProcess`), whole files and folders (`usesFiles`).',
    },
  },
  trigger: /Sync\s*\(|\.sync\s*\(/,

  *check(file, { work }) {
    // No request waits for a test, a script or a tool.
    if (isExcluded(file)) return;

    // A worker thread may block: the other threads continue.
    if (mayBeThread(file)) return;

    for (const call of blockingCallsOf(file)) {
      // The project accepts work of this kind.
      if (!work.includes(call.work)) continue;

      yield {
        messageId: messageOf(call),
        at: call.node,
        evidence: evidenceOf(call),
        related: call.others.map((it) => ({
          ...{ path: file.path, range: rangeOf(it), message: 'the same kind of work' },
        })),
        suggestions: suggestionsFor(file, call),
      };
    }
  },
});
