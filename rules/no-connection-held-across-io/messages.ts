import type { Fix, Message } from '../define-rule.ts';

const steps: Fix = {
  changes: 'atomicity',
  steps: [
    'Release the connection before the call.',
    'Read what the call needs first, and write its result on a connection acquired afterwards.',
  ],
};

export const messages = {
  held: {
    text:
      'The {{driver}} connection acquired at line {{line}} stays checked out while `{{call}}` runs: {{cost}}. ' +
      'Release it before the call, and acquire one again for the remaining work.',
    cost: 'a connection for as long as the call takes',
    severity: 'warning',
    fix: steps,
  },
  tx: {
    text:
      'The {{driver}} transaction of line {{line}} stays open during `{{call}}`: {{cost}}, and no rollback undoes the call. ' +
      'Call before or after the transaction, or let it write a row that a worker sends.',
    cost: 'a connection and its locks for as long as the call takes',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: [
        'Call outside the transaction.',
        'Where both must happen, write a row in the transaction, and let a worker make the call from it.',
      ],
    },
  },
  txRead: {
    text:
      'The {{driver}} transaction of line {{line}} stays open during `{{call}}`, a request to another service: {{cost}}. ' +
      'Call it before the transaction, and use its result inside.',
    cost: 'a connection and its locks for as long as the call takes',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: [
        'Call it before the transaction.',
        'Where the request depends on rows, read them before the transaction, and check inside that they have not changed.',
      ],
    },
  },
  txSleep: {
    text:
      'The {{driver}} transaction of line {{line}} stays open while `{{call}}` sleeps: {{cost}}. ' +
      'Sleep before or after the transaction.',
    cost: 'a connection and its locks for as long as the sleep takes',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: ['Sleep outside the transaction.', 'In a loop, begin one transaction per iteration.'],
    },
  },
  sleep: {
    text:
      'The {{driver}} connection acquired at line {{line}} stays checked out while `{{call}}` sleeps: {{cost}}. ' +
      'Release it before the sleep, and acquire one again after it.',
    cost: 'a connection for as long as the sleep takes',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: ['Release the connection before the sleep.', 'Acquire one again after it.'],
    },
  },
  cursor: {
    text:
      'The {{driver}} connection acquired at line {{line}} stays checked out while `{{call}}` passes on the rows read from it: {{cost}}. ' +
      'Read a batch by key, release the connection, and pass the batch on, unless all rows must come from one snapshot.',
    cost: 'a connection for as long as the receiver takes',
    severity: 'hint',
    fix: {
      changes: 'atomicity',
      steps: [
        'Read and pass on in batches.',
        'Read each batch after the last key, and release the connection before passing the batch on.',
      ],
    },
  },
} as const satisfies Record<string, Message>;
