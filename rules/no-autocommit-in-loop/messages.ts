import type { Message } from '../define-rule.ts';

export const messages = {
  commits: {
    text:
      'One committed {{what}} per element: each waits for a round trip and a durable commit before the next is sent. ' +
      '{{remedy}}, or run the loop in one transaction.',
    cost: 'n round trips and n commits for n elements instead of 1',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: [
        'Collect the rows in the loop.',
        '{{remedy}}.',
        'Where rows have to go one by one, open a transaction before the loop and commit it after.',
      ],
    },
  },
  rowByRow: {
    text:
      'One {{what}} per element of a transaction: it is committed once, but each row waits for a round trip before the next is sent. ' +
      'If no lock depends on their order: {{remedy}}.',
    cost: 'n round trips for n elements instead of 1',
    severity: 'information',
    confidence: 'medium',
    fix: { changes: 'errors', steps: ['Collect the rows in the loop.', '{{remedy}}.'] },
  },
  isolated: {
    text:
      'One committed {{what}} per element, and the `catch` lets the others be written when one fails: one transaction around the loop would not. ' +
      'Let the statement pass over bad rows (`ON CONFLICT DO NOTHING`), or use a savepoint per row in one transaction.',
    cost: 'n round trips and n commits for n elements instead of 1',
    severity: 'hint',
    fix: {
      changes: 'atomicity',
      steps: [
        'Check the rows before they are sent, or let the statement pass over bad ones.',
        'Send the others together.',
      ],
    },
  },
  enqueue: {
    text:
      'One {{what}} per element: each waits for a round trip before the next is sent. ' +
      '{{remedy}}.',
    cost: 'n round trips for n elements instead of 1',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: ['Collect the jobs or messages in the loop.', '{{remedy}}.'],
    },
  },
  redis: {
    text:
      'One {{what}} per element: each waits for a round trip before the next is sent. ' +
      'Put the commands into one pipeline, or use a command that takes many keys.',
    cost: 'n round trips for n elements instead of 1',
    severity: 'information',
    fix: {
      changes: 'order',
      steps: [
        'Make a pipeline before the loop, and add the commands to it.',
        'Execute it after the loop.',
      ],
    },
  },
  sqlite: {
    text:
      'SQLite commits each `{{call}}` of this loop by itself, and a commit waits for the disk while the whole thread stands still. ' +
      'Run the loop in one transaction.',
    cost: 'n commits for n elements instead of 1',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: ['Run the loop in `db.transaction(() => { … })()`, or between BEGIN and COMMIT.'],
    },
  },
} as const satisfies Record<string, Message>;
