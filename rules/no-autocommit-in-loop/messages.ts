import type { Message } from '../define-rule.ts';

export const messages = {
  commits: {
    text:
      'One committed {{what}} per element, each with a round trip and a durable commit of its own. ' +
      '{{remedy}}, or run the loop in one transaction.',
    cost: 'n round trips and n commits for n elements instead of 1',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: [
        'Send the rows in one statement after the loop.',
        '{{remedy}}.',
        'Where rows have to go one by one, open a transaction before the loop and commit it after.',
      ],
    },
  },
  commitsRelated: {
    text:
      'One committed {{what}} per element, each with rows of other tables and a durable commit of its own. ' +
      '{{remedy}}, or run the loop in one transaction.',
    cost: 'n commits for n elements instead of 1',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: ['Run the loop in one transaction.', '{{remedy}}.'],
    },
  },
  commitsOfKinds: {
    text:
      'One committed write per element, of one kind or another, each with a round trip and a durable commit of its own. ' +
      'Run the loop in one transaction.',
    cost: 'n commits for n elements instead of 1',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: [
        'Run the loop in one transaction.',
        'Where the same kind comes many times in a row, send its rows with one statement.',
      ],
    },
  },
  commitsAlone: {
    text:
      'One committed {{what}} per element, each a request that waits for the one before. ' +
      '{{remedy}}.',
    cost: 'n round trips and n commits for n elements instead of 1',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: ['Send the rows in one request after the loop.', '{{remedy}}.'],
    },
  },
  embedded: {
    text:
      'SQLite commits one {{what}} per element, and each commit waits for the disk. ' +
      '{{remedy}}, or run the loop in one transaction.',
    cost: 'n commits for n elements instead of 1',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: ['Run the loop in one transaction.', '{{remedy}}.'],
    },
  },
  rowByRow: {
    text:
      'One {{what}} per element of a transaction: it is committed once, but each row waits for a round trip before the next is sent. ' +
      'If no lock depends on their order: {{remedy}}.',
    cost: 'n round trips for n elements instead of 1',
    severity: 'information',
    confidence: 'medium',
    fix: { changes: 'errors', steps: ['Send the rows in one statement.', '{{remedy}}.'] },
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
        'Let one statement pass over bad rows.',
        'Where it cannot, check them first, and send the others together.',
      ],
    },
  },
  isolatedDocuments: {
    text:
      'One {{what}} per element, and the `catch` lets the others be written when one fails. ' +
      'Write all of them with one `bulkWrite` and `ordered: false`, which passes over those that fail and names them.',
    cost: 'n round trips for n elements instead of 1',
    severity: 'hint',
    fix: {
      changes: 'errors',
      steps: [
        'Send the writes with one unordered `bulkWrite`.',
        'Read from its error which of them failed.',
      ],
    },
  },
  isolatedRequests: {
    text:
      'One {{what}} per element, and the `catch` lets the others be sent when one fails. ' +
      'Send a few at a time, each with its `catch`.',
    cost: 'n round trips for n elements instead of n / 10',
    severity: 'hint',
    fix: {
      changes: 'order',
      steps: ['Send a few at a time.', 'Keep the `catch` of each.'],
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
      steps: ['Send all of them in one call.', '{{remedy}}.'],
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
        'Put the commands into one pipeline.',
        'Make it before the loop, and execute it after.',
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
      steps: [
        'Run the loop in one transaction.',
        'That is `db.transaction(() => { … })()`, or BEGIN before it and COMMIT after.',
      ],
    },
  },
} as const satisfies Record<string, Message>;
