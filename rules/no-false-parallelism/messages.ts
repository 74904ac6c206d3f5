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
} as const satisfies Record<string, Message>;
