import { isExcluded } from '../../src/analysis/contexts/contexts.ts';
import { heldWaitsOf } from '../../src/patterns/pools/held-waits.ts';
import { firstLine } from '../../src/analysis/syntax/places.ts';
import { placeOf } from '../../src/patterns/pools/reached-waits.ts';
import { defineRule } from '../define-rule.ts';
import { evidenceOf, messageOf, placesOf } from './evidence.ts';
import { CONNECTION } from '../trigger.ts';
import { messages } from './messages.ts';

export default defineRule({
  id: 'no-connection-held-across-io',
  description: 'Disallow waiting for other services while a database connection is checked out',
  messages,
  options: {
    minSleepMs: {
      default: 5,
      description: 'Shorter sleeps are not reported (milliseconds).',
    },
    treatRedisAsExternal: {
      default: false,
      description: 'Also report Redis calls inside a transaction.',
    },
    reportStreaming: {
      default: true,
      description: 'Report code that passes rows on while it reads a cursor or stream (hints).',
    },
  },
  trigger: CONNECTION,

  *check(file, { minSleepMs, treatRedisAsExternal, reportStreaming }) {
    // No user waits for tests and scripts.
    if (isExcluded(file)) return;
    const terms = { minSleepMs, redis: treatRedisAsExternal };
    for (const held of heldWaitsOf(file, terms)) {
      if (held.variant === 'cursor' && !reportStreaming) continue;

      yield {
        messageId: messageOf(held),
        at: firstLine(file, placeOf(held.waits[0]!)),
        evidence: evidenceOf(held),
        related: placesOf(held),
      };
    }
  },
});
