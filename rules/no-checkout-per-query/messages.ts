import type { Message } from '../define-rule.ts';

export const messages = {
  perQuery: {
    text:
      'Every iteration checks out a connection from the {{driver}} pool, and each checkout waits for {{request}}: {{price}} per query. ' +
      '{{remedy}}, and {{end}}.',
    cost: '{{price}} per query',
    severity: 'warning',
    fix: {
      changes: 'load',
      steps: [
        '{{remedy}}.',
        '{{start}} before the loop, run the loop’s queries on it, and {{end}}.',
      ],
    },
  },
  setUp: {
    text:
      'Every iteration checks out a {{driver}} connection and sets up its session again with `{{statement}}`: {{price}} per query. ' +
      'Set up one connection, hold it for the loop, and release it in `finally`.',
    cost: '{{price}} per query',
    severity: 'warning',
    fix: {
      changes: 'load',
      steps: [
        'Hold one connection for the loop.',
        'Check it out and set up its session before the loop, run the loop’s queries on it, and release it in `finally`.',
      ],
    },
  },
  cheap: {
    text:
      'Every iteration checks out a connection from the {{driver}} pool: cheap while one is idle, a wait per query when all are busy or a proxy is in between. ' +
      'Hold one connection for the loop, or send one statement for all elements.',
    cost: 'a wait per query when the pool is contended',
    severity: 'hint',
    fix: {
      changes: 'load',
      steps: [
        'Send one statement for all elements.',
        'Or hold one connection for the loop, and release it in `finally`.',
      ],
    },
  },
  mapper: {
    text:
      'Every iteration borrows a connection of {{driver}}: cheap while one is idle, a wait per query when all are busy or a proxy is in between. ' +
      'Send one statement for all elements, or run the loop in one transaction.',
    cost: 'a wait per query when the pool is contended',
    severity: 'hint',
    fix: {
      changes: 'atomicity',
      steps: ['Send one statement for all elements.', 'Or run the loop in one transaction.'],
    },
  },
  oneQuery: {
    text:
      'This code checks out a connection for one query, which `{{pool}}.{{method}}()` does itself{{difference}}. ' +
      'Run the query on the pool.',
    severity: 'hint',
    fix: {
      changes: 'errors',
      steps: ['Call the pool’s own query method.', 'Remove the checkout and the release.'],
    },
  },
  opens: {
    text:
      'Every {{per}} opens its own connection with `{{made}}` and waits until {{driver}} has connected, before its first use. ' +
      'Create one {{remedy}} at module level, and use it here.',
    cost: 'a new connection per {{per}}',
    severity: 'warning',
    fix: {
      changes: 'load',
      steps: [
        'Create one {{remedy}} at module level.',
        'Use it here, and close it only when the process ends.',
      ],
    },
  },
  duplicates: {
    text:
      'Every duplicate fails with {{code}} in this loop, and pg closes a pooled connection whose query fails: the next query opens a new one. ' +
      '{{remedy}}.',
    cost: 'a new connection per duplicate',
    severity: 'warning',
    fix: { changes: 'errors', steps: ['{{remedy}}.', 'Keep the `catch` for other errors only.'] },
  },
} as const satisfies Record<string, Message>;
