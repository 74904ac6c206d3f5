import type { Fix, Message } from '../define-rule.ts';

const steps: Fix = {
  changes: 'atomicity',
  steps: [
    'Release it before the call.',
    'Read what the call needs first, and write what came of it on a connection taken anew.',
  ],
};

export const messages = {
  held: {
    text:
      'The {{driver}} connection taken at line {{line}} stays checked out while `{{call}}` runs: {{cost}}. ' +
      'Release it before the call, and take one again for what is left to do.',
    cost: 'a connection for as long as the call takes',
    severity: 'warning',
    fix: steps,
  },
  tx: {
    text:
      'The {{driver}} transaction begun at line {{line}} stays open while `{{call}}` runs: {{cost}}, and a rollback does not undo the call. ' +
      'Call before the transaction or after it, or let it write a row that a worker sends.',
    cost: 'a connection and its locks for as long as the call takes',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: [
        'Call outside the transaction.',
        'Where both must happen, write a row in the transaction, from which a worker makes the call.',
      ],
    },
  },
  txRead: {
    text:
      'The {{driver}} transaction begun at line {{line}} stays open while `{{call}}` asks another service: {{cost}}. ' +
      'Ask before the transaction, and use the answer in it.',
    cost: 'a connection and its locks for as long as the answer takes',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: [
        'Ask before the transaction.',
        'Where the question depends on rows, read them first without it, and test in it that they are still as they were.',
      ],
    },
  },
  txSleep: {
    text:
      'The {{driver}} transaction begun at line {{line}} stays open while `{{call}}` sleeps: {{cost}}. ' +
      'Pause before the transaction or after it.',
    cost: 'a connection and its locks for as long as the pause takes',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: ['Pause outside the transaction.', 'In a loop, begin one for each round.'],
    },
  },
  sleep: {
    text:
      'The {{driver}} connection taken at line {{line}} stays checked out while `{{call}}` sleeps: {{cost}}. ' +
      'Release it before the pause, and take one again after it.',
    cost: 'a connection for as long as the pause takes',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: ['Release it before the pause.', 'Take a connection again after it.'],
    },
  },
  cursor: {
    text:
      'The {{driver}} connection taken at line {{line}} stays checked out while `{{call}}` passes on what is read from it: {{cost}}. ' +
      'Read a batch by key, release the connection, and pass the batch on, unless all must come from one snapshot.',
    cost: 'a connection for as long as the receiver takes',
    severity: 'hint',
    fix: {
      changes: 'atomicity',
      steps: [
        'Read and pass on in batches.',
        'Read each after the last key, and release the connection before it is passed on.',
      ],
    },
  },
} as const satisfies Record<string, Message>;
