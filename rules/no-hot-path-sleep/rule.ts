import type { FileFacts } from '../../src/analysis/file/file.ts';
import { isExcluded } from '../../src/analysis/contexts/contexts.ts';
import { isWaitOfPage } from '../../src/analysis/contexts/pages.ts';
import { effectsOf, hotSleepsOf } from '../../src/patterns/pauses/hot-sleeps.ts';
import { heedsRateLimit } from '../../src/patterns/independence/rate-limits.ts';
import { intentionOf } from '../../src/patterns/pauses/pacing.ts';
import { requestSleepsOf } from '../../src/patterns/pauses/request-sleeps.ts';
import { type StatePoll, statePollsOf } from '../../src/patterns/pauses/state-polls.ts';
import { firstLine, rangeOf } from '../../src/analysis/syntax/places.ts';
import { defineRule } from '../define-rule.ts';
import { AWAIT } from '../trigger.ts';
import { boundOf, evidenceOf, evidenceOfPoll, evidenceOfRequest, messageOf } from './evidence.ts';
import { messages } from './messages.ts';
import { suggestionsFor } from './suggestions.ts';

export default defineRule({
  id: 'no-hot-path-sleep',
  description: 'Disallow fixed sleeps between pieces of work that are ready',
  messages,
  suggestions: {
    sleepWhenEmpty: 'Sleep only when {{source}} returned nothing',
    sleepWhenShort: 'Sleep only after a batch that was not full',
    skipAtOnce: 'Skip without sleeping',
    nextAtOnce: 'Start the next iteration immediately when {{source}} returned something',
    nextWhenFull: 'Start the next iteration immediately after a full batch',
  },
  options: {
    variants: {
      default: ['after-work', 'skip-branch', 'full-batch', 'idle-poll', 'state-poll', 'in-request'],
      description: 'Which positions of a sleep are reported.',
    },
    minMs: { default: 1, description: 'Shorter sleeps are not reported (milliseconds).' },
    workSources: {
      default: [],
      description: 'Names of further functions that fetch one piece of work.',
    },
    pacingWords: {
      default: [],
      description: 'Further words in names and comments that mark a pause as intended.',
    },
    ignoreParameters: {
      default: true,
      description: 'Ignore sleeps whose time is a parameter of an enclosing function.',
    },
  },
  // A sleep may have any name, so the trigger needs only an await, or a timer that starts the next iteration.
  trigger: { any: [AWAIT, /\bsetTimeout\b/] },
  replays: 'sleep',

  *check(file, options) {
    if (isExcluded(file)) return;
    for (const sleep of hotSleepsOf(file, options.workSources)) {
      if (!options.variants.includes(sleep.variant)) continue;

      // Pages pause for the eyes of their users.
      if (isWaitOfPage(file, sleep.node, effectsOf(file, sleep))) continue;

      // A time that the code does not show may be anything, zero included.
      const { value } = sleep.pause.duration;
      // no veto: a time that is unknown has no bound either, which ends it below.
      if (value === undefined || value < options.minMs) continue;

      // An intended pause: a rate limit, a retry, a schedule, the caller's own choice.
      const words = { words: options.pacingWords, ignoresParameters: options.ignoreParameters };
      if (intentionOf(file, sleep, words)) continue;

      // A server rejects requests that come too fast.
      if (
        heedsRateLimit(
          file,
          sleep.node,
          sleep.works.map((it) => it.node),
        )
      )
        continue;

      // A bound this high costs nothing noticeable.
      const bound = boundOf(sleep);
      if (!bound) continue;

      yield {
        messageId: messageOf(sleep),
        at: firstLine(file, sleep.node),
        evidence: evidenceOf(file, sleep, bound),
        related: [
          sleep.rest
            ? { path: sleep.rest.file.path, range: rangeOf(sleep.rest.node), message: 'the sleep' }
            : { path: file.path, range: sleep.loop.head, message: 'the loop' },
        ],
        suggestions: suggestionsFor(file, sleep),
      };
    }
    for (const poll of options.variants.includes('state-poll') ? statePollsOf(file) : []) {
      // no veto: as above.
      if ((poll.pause.duration.value ?? 0) < options.minMs) continue;
      yield statePollReport(file, poll);
    }
    if (options.variants.includes('in-request')) yield* requestReports(file, options);
  },
});

function statePollReport(file: FileFacts, poll: StatePoll) {
  return {
    messageId: 'statePoll' as const,
    at: firstLine(file, poll.node),
    evidence: evidenceOfPoll(file, poll),
    related: [{ path: poll.of.path, range: poll.loop.head, message: 'the loop' }],
    suggestions: [],
  };
}

function requestReports(file: FileFacts, options: Parameters<typeof requestSleepsOf>[1]) {
  // As above.
  const sleeps = requestSleepsOf(file, options).filter((it) => !heedsRateLimit(file, it.node, []));
  return sleeps.map((it) => ({
    ...{ messageId: 'inRequest' as const, at: it.node, evidence: evidenceOfRequest(it) },
  }));
}
