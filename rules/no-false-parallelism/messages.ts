import type { Fix, Message } from '../define-rule.ts';

const oneByOne: Fix = {
  changes: 'errors',
  steps: [
    'Await the calls one by one.',
    'Or send them as one statement, or through the pool where they need no common transaction.',
  ],
};

export const messages = {
  queued: {
    text:
      '{{calls}} run on one {{driver}} connection (`{{handle}}`), which executes one query at a time: awaiting them together saves no time. ' +
      'Await them one by one, or send them through the pool where they need no common transaction.',
    cost: 'no time saved',
    severity: 'information',
    fix: oneByOne,
  },
  deprecated: {
    text:
      '{{calls}} run on one {{driver}} connection (`{{handle}}`), which executes one query at a time, and pg 9 no longer queues further queries. ' +
      'Await them one by one, or send them through the pool where they need no common transaction.',
    cost: 'no time saved',
    severity: 'warning',
    fix: oneByOne,
  },
  overlaps: {
    text:
      'This query is sent on `{{handle}}` while an earlier one is under way, for which nothing has waited, and pg 9 no longer queues further queries. ' +
      'Await the earlier query first.',
    cost: 'an error from pg 9 on',
    severity: 'warning',
    fix: {
      changes: 'errors',
      steps: ['Await the earlier query first.', 'An error of it then stops the code after it.'],
    },
  },
} as const satisfies Record<string, Message>;
