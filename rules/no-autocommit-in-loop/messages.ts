import type { Message } from '../define-rule.ts';

export const messages = {
  commits: {
    text:
      'The loop sends and commits one {{what}} per element: a round trip and a durable commit each time. ' +
      '{{remedy}}, or run the loop in one transaction.',
    cost: 'n round trips and n commits for n elements instead of 1',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: [
        'Send the rows in one statement after the loop.',
        '{{remedy}}.',
        'Where rows must be sent one at a time, begin a transaction before the loop and commit it after.',
      ],
    },
  },
  notAwaited: {
    text:
      'All elements start their {{what}} concurrently, each with its own commit, and nothing awaits them: an error is an unhandled rejection. ' +
      '{{remedy}} and await it, or use `for … of` in one transaction.',
    cost: 'n round trips and n commits for n elements instead of 1',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: [
        'Send the rows in one statement, and await it.',
        '{{remedy}}.',
        'Where rows must be sent one at a time, use `for … of` with `await` in one transaction.',
      ],
    },
  },
  commitsRelated: {
    text:
      'The loop commits one {{what}} per element together with rows of other tables: a durable commit each time. ' +
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
      'The loop commits one write per element, of several kinds: a round trip and a durable commit each time. ' +
      'Run the loop in one transaction.',
    cost: 'n commits for n elements instead of 1',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: [
        'Run the loop in one transaction.',
        'Where consecutive elements need the same kind of write, send their rows in one statement.',
      ],
    },
  },
  commitsAlone: {
    text:
      'The loop sends and commits one {{what}} per element, and each request waits for the previous one. ' +
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
      'The transaction sends one {{what}} per element: one commit, but each row waits for a round trip before the next is sent. ' +
      'If no lock depends on the order: {{remedy}}.',
    cost: 'n round trips for n elements instead of 1',
    severity: 'information',
    confidence: 'medium',
    fix: { changes: 'errors', steps: ['Send the rows in one statement.', '{{remedy}}.'] },
  },
  unlimitedRows: {
    text:
      'The transaction sends one {{what}} for each element that {{opening}}: one commit, but a round trip per row, in which locks are held. ' +
      'If no lock depends on the order: {{remedy}}.',
    cost: 'n round trips for n elements instead of 1, and locks for as long',
    severity: 'information',
    confidence: 'medium',
    fix: { changes: 'errors', steps: ['Send the rows in one statement.', '{{remedy}}.'] },
  },
  isolated: {
    text:
      'The loop commits one {{what}} per element, and its `catch` keeps the other rows when one fails; one transaction would lose them. ' +
      'Skip bad rows in one statement (`ON CONFLICT DO NOTHING`), or use one transaction with a savepoint per row.',
    cost: 'n round trips and n commits for n elements instead of 1',
    severity: 'hint',
    fix: {
      changes: 'atomicity',
      steps: [
        'Skip bad rows in one statement.',
        'Where that is impossible, validate the rows first, and send the valid rows together.',
      ],
    },
  },
  isolatedDocuments: {
    text:
      'The loop sends one {{what}} per element, and its `catch` keeps the other writes when one fails: one round trip each. ' +
      'Use one `bulkWrite` with `ordered: false`, which skips failing writes and reports them.',
    cost: 'n round trips for n elements instead of 1',
    severity: 'hint',
    fix: {
      changes: 'errors',
      steps: [
        'Send the writes with one unordered `bulkWrite`.',
        'Read from its error which writes failed.',
      ],
    },
  },
  isolatedRequests: {
    text:
      'The loop sends one {{what}} per element, and its `catch` keeps the others when one fails: one round trip each. ' +
      'Send a few concurrently, each with its own `catch`.',
    cost: 'n round trips for n elements instead of n / 10',
    severity: 'hint',
    fix: {
      changes: 'order',
      steps: ['Send a few concurrently.', 'Keep a `catch` for each.'],
    },
  },
  enqueue: {
    text:
      'The loop sends one {{what}} per element, and each waits for a round trip before the next is sent. ' +
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
      'The loop sends one {{what}} per element, and each waits for a round trip before the next is sent. ' +
      'Put the commands into one pipeline, or use a command that accepts many keys.',
    cost: 'n round trips for n elements instead of 1',
    severity: 'information',
    fix: {
      changes: 'order',
      steps: [
        'Put the commands into one pipeline.',
        'Create it before the loop, and execute it after.',
      ],
    },
  },
  sqlite: {
    text:
      'SQLite commits each `{{call}}` of this loop separately, and each commit blocks the whole thread until the disk has written. ' +
      'Run the loop in one transaction.',
    cost: 'n commits for n elements instead of 1',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: [
        'Run the loop in one transaction.',
        'Use `db.transaction(() => { … })()`, or BEGIN before the loop and COMMIT after it.',
      ],
    },
  },
} as const satisfies Record<string, Message>;
