import type { Message } from '../define-rule.ts';

export const messages = {
  perQuery: {
    text:
      'Every iteration checks a connection out of the {{driver}} pool, and each checkout waits for {{request}}: {{price}} per query. ' +
      '{{remedy}}, and {{end}}.',
    cost: '{{price}} per query',
    severity: 'warning',
    fix: {
      changes: 'load',
      steps: ['{{remedy}}.', '{{start}} before, run the loop’s queries on it, and {{end}}.'],
    },
  },
  setUp: {
    text:
      'Every iteration checks a connection out of the {{driver}} pool and sets its session up again with `{{statement}}`: {{price}} per query. ' +
      'Set one connection up, hold it for the loop, and release it in `finally`.',
    cost: '{{price}} per query',
    severity: 'warning',
    fix: {
      changes: 'load',
      steps: [
        'Hold one connection for the loop.',
        'Check it out before and set its session up once, run the loop’s queries on it, and release it in `finally`.',
      ],
    },
  },
  cheap: {
    text:
      'Every iteration checks a connection out of the {{driver}} pool: cheap while the pool has one free, a wait in line per query when it has none or a proxy stands between. ' +
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
      'Every iteration borrows a connection of {{driver}}: cheap while its pool has one free, a wait in line per query when it has none or a proxy stands between. ' +
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
      'This connection is checked out for one query, which `{{pool}}.{{method}}()` does by itself{{difference}}. ' +
      'Let the pool run it.',
    severity: 'hint',
    fix: {
      changes: 'errors',
      steps: ['Call the pool’s own query method.', 'Remove the checkout and the release.'],
    },
  },
  opens: {
    text:
      'Every {{per}} opens a connection of its own with `{{made}}` and waits until {{driver}} has accepted it, before the first query. ' +
      'Make one {{remedy}} at module level, and use that here.',
    cost: 'a new connection per {{per}}',
    severity: 'warning',
    fix: {
      changes: 'load',
      steps: [
        'Make one {{remedy}} at module level.',
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
