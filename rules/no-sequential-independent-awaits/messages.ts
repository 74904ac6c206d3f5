import type { Message } from '../define-rule.ts';

const sequential = '{{count}} independent reads run sequentially';
const addUp = `${sequential}: their waits add up, while concurrent reads take as long as the slowest.`;
const advice = 'Await {{calls}} with `Promise.all`: each only reads {{what}}.';
const cost = 'the sum of {{count}} waits instead of the longest';

const together = {
  changes: 'errors',
  steps: ['Use one `Promise.all`.'],
} as const;

export const messages = {
  reads: {
    text: `${sequential}: {{count}} round trips instead of 1. ${advice}`,
    cost,
    severity: 'information',
    fix: together,
  },
  slowest: {
    text: `${addUp} ${advice}`,
    cost,
    severity: 'information',
    fix: together,
  },
  likely: {
    text: `${addUp} Await {{calls}} with \`Promise.all\`: each only reads {{what}}, and when several fail, a different error can be reported.`,
    cost,
    severity: 'information',
    fix: together,
  },
  presumed: {
    text: `{{count}} reads run sequentially, and they are independent if {{assumed}}: their waits add up, while concurrent reads take as long as the slowest. If so, await {{calls}} with \`Promise.all\`.`,
    cost,
    severity: 'information',
    confidence: 'medium',
    fix: {
      changes: 'errors',
      steps: ['Use one `Promise.all` if {{assumed}}.'],
    },
  },
  pageAndCount: {
    text: `${sequential}: {{count}} round trips instead of 1. Await {{calls}} with \`Promise.all\`, or use one statement ({{both}}), which reads page and total from one snapshot.`,
    cost,
    severity: 'information',
    fix: {
      changes: 'errors',
      steps: ['Use one `Promise.all`.', 'Or query page and total with one statement.'],
    },
  },
} as const satisfies Record<string, Message>;
