import type { Fix, Message } from '../define-rule.ts';

const awaitTimer: Fix = {
  changes: 'order',
  steps: [
    'Await a timer instead.',
    'Import `setTimeout` from `node:timers/promises`.',
    'Make the function asynchronous, and await its calls.',
  ],
};

export const messages = {
  blocks: {
    text:
      '`{{call}}` blocks the whole thread{{time}}: no timer, callback or request of this process runs meanwhile. ' +
      'Await a timer instead.',
    cost: 'the whole process is blocked{{time}}',
    severity: 'error',
    fix: awaitTimer,
  },
  spins: {
    text:
      'This loop polls the clock{{time}}: it burns a core, and no timer, callback or request of this process runs meanwhile. ' +
      'Await a timer instead.',
    cost: 'the whole process is blocked{{time}}, and a core is busy',
    severity: 'error',
    fix: awaitTimer,
  },
  startsProcess: {
    text:
      '`{{call}}` starts a process only to sleep{{time}}: no timer, callback or request of this process runs meanwhile. ' +
      'Await a timer instead.',
    cost: 'the whole process is blocked{{time}}, and a second process is started',
    severity: 'error',
    fix: awaitTimer,
  },
} as const satisfies Record<string, Message>;
