import { NO_DRIVER_COSTS } from '../../src/patterns/pools/checkout-cost.ts';
import { checkoutsOf, isInLoop } from '../../src/analysis/connections/checkouts.ts';
import { isExcluded } from '../../src/analysis/contexts/contexts.ts';
import {
  type ExpectedViolation,
  expectedViolationsOf,
} from '../../src/patterns/pools/errors-as-control-flow.ts';
import type { FileFacts } from '../../src/analysis/file/file.ts';
import { loopedCheckoutsOf } from '../../src/patterns/pools/looped-checkouts.ts';
import { isLoopOfWrites } from '../../src/patterns/writes/looped-writes.ts';
import { type Opening, openingsOf } from '../../src/patterns/pools/openings.ts';
import { headOf } from '../../src/analysis/ownership/witness.ts';
import { firstLine, rangeOf } from '../../src/analysis/syntax/places.ts';
import { defineRule } from '../define-rule.ts';
import { openedPlaces } from '../opened-text.ts';
import { AWAIT, CONNECTION, THEN } from '../trigger.ts';
import {
  loopedEvidence,
  loopedMessage,
  loopedPlaces,
  openedEvidence,
  queryEvidence,
  violationEvidence,
} from './evidence.ts';
import { messages } from './messages.ts';
import { suggestionsFor } from './suggestions.ts';

export default defineRule({
  id: 'no-checkout-per-query',
  description: 'Disallow paying for a connection with every query',
  messages,
  suggestions: {
    hold: 'Hold one connection for the whole loop (it stays checked out meanwhile)',
  },
  options: {
    variants: {
      default: ['loop', 'open', 'error', 'single'],
      description:
        'Which patterns are reported: checkouts per iteration (`loop`), connections opened per item, job or request (`open`), ' +
        'expected unique violations (`error`), checkouts for one query (`single`).',
    },
    drivers: {
      default: NO_DRIVER_COSTS,
      description:
        'Round trips per checkout, by driver, where the code does not show them: `{ "pg": { "checkoutRtt": 1 } }`.',
    },
  },
  // A loop may wait for queries by any name.
  trigger: { any: [AWAIT, THEN, CONNECTION] },
  replays: 'checkout',

  *check(file, { variants, drivers }) {
    if (isExcluded(file)) return;
    const looped = variants.includes('loop') ? loopedCheckoutsOf(file, drivers) : [];
    const violations = variants.includes('error') ? expectedViolationsOf(file) : [];
    for (const it of looped) {
      // Duplicates cost the loop far more, and have their own report below.
      if (it.cost.roundTrips === 0 && violations.some(({ loop }) => loop === it.loop)) continue;

      // The rows can go together: fewer queries cost less than cheaper ones.
      if (it.cost.roundTrips === 0 && isLoopOfWrites(file, it.loop)) continue;

      yield {
        messageId: loopedMessage(it),
        at: firstLine(file, it.at),
        evidence: loopedEvidence(file, it),
        related: loopedPlaces(file, it),
        suggestions: suggestionsFor(file, it),
      };
    }
    for (const it of violations) yield violationReport(file, it);
    for (const it of variants.includes('open') ? openingsOf(file) : []) {
      // A pool is more than a connection: require-pool-limits reports it.
      if (it.kind === 'pool') continue;

      yield openingReport(file, it);
    }
    for (const checkout of variants.includes('single') ? checkoutsOf(file) : []) {
      // Concurrent on purpose, or part of a loop that has its reasons.
      if (isInLoop(checkout)) continue;

      // The loop around the call of its function has been reported.
      if (looped.some((it) => it.trips.some((trip) => trip.checkout === checkout))) continue;

      // The session is set up for the query, or the pool has no such method.
      const evidence = queryEvidence(checkout);
      if (!evidence) continue;

      yield { messageId: 'oneQuery', at: headOf(file, checkout.call), evidence };
    }
  },
});

function openingReport(file: FileFacts, opening: Opening) {
  return {
    messageId: 'opens' as const,
    at: firstLine(file, opening.at),
    evidence: openedEvidence(opening),
    related: openedPlaces(opening, 'opened here'),
  };
}

function violationReport(file: FileFacts, { at, caught, loop }: ExpectedViolation) {
  return {
    messageId: 'duplicates' as const,
    at: firstLine(file, at),
    evidence: violationEvidence(caught),
    related: [
      { path: caught.file.path, range: rangeOf(caught.test), message: 'duplicates end here' },
      ...(loop ? [{ path: file.path, range: loop.head, message: 'the loop' }] : []),
    ],
  };
}
