import type { Fix, Message } from '../define-rule.ts';

const awaitTimer: Fix = {
  changes: 'order',
  steps: [
    'Await a timer instead.',
    'Import `setTimeout` of `node:timers/promises` for that.',
    'Make the function asynchronous, and await it where it is called.',
  ],
};

export const messages = {
  blocks: {
    text:
      '`{{call}}` stops the whole thread{{time}}: no timer, callback or request of this process runs meanwhile. ' +
      'Await a timer instead.',
    cost: 'the whole process stands still{{time}}',
    severity: 'error',
    fix: awaitTimer,
  },
  spins: {
    text:
      'This loop asks for the time until it is late enough{{time}}: it burns a core, and no timer, callback or request of this process runs meanwhile. ' +
      'Await a timer instead.',
    cost: 'the whole process stands still{{time}}, and a core is busy',
    severity: 'error',
    fix: awaitTimer,
  },
  startsProcess: {
    text:
      '`{{call}}` starts a process only to wait until it has slept{{time}}: no timer, callback or request of this process runs meanwhile. ' +
      'Await a timer instead.',
    cost: 'the whole process stands still{{time}}, and another one is started',
    severity: 'error',
    fix: awaitTimer,
  },
} as const satisfies Record<string, Message>;
