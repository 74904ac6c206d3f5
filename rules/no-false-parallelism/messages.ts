import type { Fix, Message } from '../define-rule.ts';

const oneByOne: Fix = {
  changes: 'errors',
  steps: [
    'Await the calls one by one.',
    'Or send them as one statement; where they need no common transaction, through the pool.',
  ],
};

export const messages = {
  queued: {
    text:
      '{{calls}} run on one {{driver}} connection (`{{handle}}`), which takes them one after the other: together they take as long as in line. ' +
      'Await them one by one, or send them through the pool where they need no common transaction.',
    cost: 'no time saved',
    severity: 'information',
    fix: oneByOne,
  },
  deprecated: {
    text:
      '{{calls}} run on one {{driver}} connection (`{{handle}}`), which takes them one after the other, and pg 9 no longer queues a query behind another. ' +
      'Await them one by one, or send them through the pool where they need no common transaction.',
    cost: 'no time saved',
    severity: 'warning',
    fix: oneByOne,
  },
} as const satisfies Record<string, Message>;
