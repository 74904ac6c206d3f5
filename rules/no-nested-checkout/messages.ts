import type { Message } from '../define-rule.ts';

export const messages = {
  second: {
    text:
      '`{{call}}` waits for a second connection of the {{driver}} pool while `{{handle}}` (line {{line}}) holds one: {{cost}}. ' +
      'Run it on `{{handle}}`, before `{{handle}}` is acquired, or after its release.',
    cost: 'a deadlock when the pool is full',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: [
        'Run it on `{{handle}}`.',
        'Pass `{{handle}}` to the functions in between; where the query needs its own connection, run it before or after.',
      ],
    },
  },
  outside: {
    text:
      '`{{call}}` waits for a second {{driver}} connection while the transaction of line {{line}} holds one: {{cost}}. ' +
      'Run it on `{{handle}}`: on a different connection, the query does not see what the transaction has written.',
    cost: 'a deadlock when the pool is full',
    severity: 'warning',
    fix: {
      changes: 'atomicity',
      steps: [
        'Run it on `{{handle}}`.',
        'Pass `{{handle}}` to the functions in between; where the query must stay outside, run it before the transaction begins or after its end.',
      ],
    },
  },
} as const satisfies Record<string, Message>;
