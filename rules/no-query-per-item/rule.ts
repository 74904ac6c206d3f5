import { isExcluded } from '../../src/analysis/contexts/contexts.ts';
import { firstLine } from '../../src/analysis/syntax/places.ts';
import { itemQueriesOf } from '../../src/patterns/load/item-queries.ts';
import { itemRequestsOf } from '../../src/patterns/load/item-requests.ts';
import { defineRule } from '../define-rule.ts';
import { evidenceOf, relatedOf, relatedTo, requestEvidence } from './evidence.ts';
import { messages } from './messages.ts';

export default defineRule({
  id: 'no-query-per-item',
  description: 'Disallow a query of its own for each element where one query can ask for all',
  messages,
  options: {
    limiters: {
      default: [] as readonly string[],
      description: 'Names of functions and objects of the project that limit concurrency.',
    },
  },
  trigger: {
    any: [
      /\.all(?:Settled)?\s*\(/,
      /(?:ResolveField|ResolveProperty|FieldResolver|Resolvers)\b/,
      /\b(?:Query|Mutation|Subscription)\s*:/,
    ],
  },

  *check(file, { limiters }) {
    // No user waits for a test, a script or a tool.
    if (isExcluded(file)) return;

    for (const queries of itemQueriesOf(file, limiters)) {
      yield {
        messageId: queries.resolver ? 'resolver' : 'concurrent',
        at: firstLine(file, queries.node),
        evidence: evidenceOf(queries),
        related: relatedOf(queries),
      };
    }

    for (const requests of itemRequestsOf(file, limiters)) {
      yield {
        messageId: 'requests',
        at: firstLine(file, requests.fanOut.all),
        evidence: requestEvidence(requests),
        // The sender of one request decides how many others it costs.
        ...(requests.isListGiven ? { severity: 'information' as const } : {}),
        related: [relatedTo(requests.request)],
      };
    }
  },
});
