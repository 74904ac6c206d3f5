import type { Message } from '../define-rule.ts';

export const messages = {
  second: {
    text:
      '`{{call}}` waits for another connection of the {{driver}} pool while `{{handle}}` holds the one of line {{line}}: {{cost}}. ' +
      'Run it on `{{handle}}`, or while that is not held: before it is taken, or after it is given back.',
    cost: 'a deadlock when the pool is full',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: [
        'Run it on `{{handle}}`.',
        'Pass that to the functions between; where the query needs a connection of its own, run it before or after.',
      ],
    },
  },
  outside: {
    text:
      '`{{call}}` waits for another connection of the {{driver}} pool while the transaction of line {{line}} holds one: {{cost}}, and the query sees nothing that the transaction has written. ' +
      'Run it on `{{handle}}`; what is to see nothing of it belongs before the transaction, or after it.',
    cost: 'a deadlock when the pool is full',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: [
        'Run it on `{{handle}}`.',
        'Pass that to the functions between; where the query is to stay outside, run it before the transaction begins or after its end.',
      ],
    },
  },
} as const satisfies Record<string, Message>;
