import {
  blockingSleepsOf,
  isBesideService,
  isMeantLoad,
} from '../../src/patterns/pauses/blocking-sleeps.ts';
import { isExcluded, isTestOrBrowser, mayBeThread } from '../../src/analysis/contexts/contexts.ts';
import { firstLine } from '../../src/analysis/syntax/places.ts';
import { defineRule } from '../define-rule.ts';
import { evidenceOf, messageOf } from './evidence.ts';
import { messages } from './messages.ts';
import { suggestionsFor } from './suggestions.ts';

export default defineRule({
  id: 'no-blocking-sleep',
  description: 'Disallow pauses that stop the whole thread',
  messages,
  suggestions: { timer: 'Await a timer (other work runs meanwhile)' },
  options: {
    allowInCli: {
      default: true,
      description: 'Allow command-line tools and scripts, which serve no requests, to block.',
    },
  },
  // The clock keeps a thread busy in a loop only.
  trigger: {
    any: [
      /\bAtomics\b|sleep|\btimeout\b/i,
      { all: [/\b(?:for|while)\s*[(/<]/, /\b(?:now|Date)\b/i] },
    ],
  },

  *check(file, { allowInCli }) {
    // No user waits for a test, a script or a tool, apart from its caller.
    if (allowInCli ? isExcluded(file) : isTestOrBrowser(file)) return;

    // A worker thread may block: the other threads continue.
    if (mayBeThread(file)) return;

    for (const sleep of blockingSleepsOf(file)) {
      // No time at all, or less than a turn of the event loop.
      if (sleep.ms !== undefined && sleep.ms < 1) continue;

      // While a module is loaded, and when the process ends, no request waits.
      if (isBesideService(sleep)) continue;

      // It keeps the thread busy on purpose, to see what happens.
      if (isMeantLoad(file, sleep)) continue;

      yield {
        messageId: messageOf(sleep),
        at: firstLine(file, sleep.node),
        evidence: evidenceOf(file, sleep),
        suggestions: suggestionsFor(file, sleep),
      };
    }
  },
});
