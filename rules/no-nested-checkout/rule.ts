import { isExcluded } from '../../src/analysis/contexts/contexts.ts';
import { endsWithItsWork } from '../../src/analysis/contexts/one-shot.ts';
import { nestedCheckoutsOf } from '../../src/patterns/pools/nested-checkouts.ts';
import { firstLine } from '../../src/analysis/syntax/places.ts';
import { placeOf } from '../../src/patterns/pools/reached-waits.ts';
import { defineRule } from '../define-rule.ts';
import { evidenceOf, placesOf } from './evidence.ts';
import { CONNECTION } from '../trigger.ts';
import { messages } from './messages.ts';
import { suggestionsFor } from './suggestions.ts';

export default defineRule({
  id: 'no-nested-checkout',
  description: 'Disallow acquiring a second connection of a pool while holding one',
  messages,
  suggestions: { handle: 'Run it on the connection that the code holds' },
  options: {
    allowHelpers: {
      default: [],
      description: 'Names of functions that may acquire their own connection.',
    },
    clsEnabled: {
      default: false,
      description:
        'Sequelize or TypeORM find the transaction automatically in this project (`useCLS`, typeorm-transactional).',
    },
  },
  trigger: CONNECTION,

  *check(file, { allowHelpers, clsEnabled }) {
    // A script does one thing at a time: it finds a second connection in its pool.
    if (isExcluded(file) || endsWithItsWork(file)) return;
    const terms = { helpers: allowHelpers, isAmbient: clsEnabled };
    for (const nested of nestedCheckoutsOf(file, terms)) {
      yield {
        messageId: nested.scope.isTransaction ? 'outside' : 'second',
        at: firstLine(file, placeOf(nested.waits[0]!)),
        evidence: evidenceOf(nested),
        related: placesOf(nested),
        suggestions: suggestionsFor(nested),
      };
    }
  },
});
