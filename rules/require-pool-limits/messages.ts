import type { Message } from '../define-rule.ts';

export const messages = {
  perCall: {
    text:
      'Every {{per}} creates its own pool with `{{made}}`: it opens new connections each time, and their total number has no bound. ' +
      'Create one pool at module level, and use it here.',
    cost: 'a pool and its connections per {{per}}',
    severity: 'error',
    fix: {
      changes: 'load',
      steps: [
        'Create one pool at module level.',
        'Use it here, and close it only when the process ends.',
      ],
    },
  },
  waitsForEver: {
    text:
      'With its {{connections}} busy, callers of this pool wait indefinitely{{byDefault}}: {{driver}} has no time-out unless `{{option}}` is set. ' +
      'Set it (for example to {{timeoutMs}}), so that overload becomes a visible error.',
    cost: 'an unbounded wait while all are busy',
    severity: 'information',
    fix: {
      changes: 'errors',
      steps: ['Set `{{option}}` of the pool.', 'For example to {{timeoutMs}} ms.'],
    },
  },
  cannotLimit: {
    text:
      'With its {{connections}} busy, callers of this pool wait indefinitely, and {{driver}} has no option that ends the wait. ' +
      '{{remedy}}.',
    cost: 'an unbounded wait while all are busy',
    severity: 'hint',
    fix: { changes: 'errors', steps: ['{{remedy}}.'] },
  },
  unsized: {
    text:
      'This pool has {{driver}}’s default of {{max}} connections in each of {{workers}} processes: {{total}} in total, which no setting limits. ' +
      'Set `{{option}}`, so that all processes together fit the server.',
    severity: 'hint',
    fix: {
      changes: 'load',
      steps: [
        'Set `{{option}}` of the pool.',
        'Keep {{workers}} processes together below what the server accepts.',
      ],
    },
  },
  overLimit: {
    text:
      'This pool may open {{max}} connections{{each}}, but {{limit}}: under load, the server refuses the rest. ' +
      'Lower `{{option}}`, or put a pooler between the processes and the server.',
    cost: 'refused connections under load',
    severity: 'warning',
    fix: {
      changes: 'load',
      steps: [
        'Lower `{{option}}` of the pool.',
        'Keep all processes together below {{serverMax}} connections.',
      ],
    },
  },
  idleChurn: {
    text:
      'This pool closes a connection after {{idle}} without work, but the code polls only every {{every}}: each poll opens a new connection. ' +
      'Set `{{option}}` above {{every}}, or to 0.',
    cost: 'a new connection per poll',
    severity: 'information',
    fix: {
      changes: 'load',
      steps: ['Set `{{option}}` to 0.', 'Or set it above {{every}}.'],
    },
  },
  validates: {
    text:
      'Every checkout from this pool waits for {{request}} before its query: one more round trip each. ' +
      '{{remedy}}.',
    cost: 'one more round trip per checkout',
    severity: 'information',
    fix: { changes: 'errors', steps: ['{{remedy}}.'] },
  },
  deaf: {
    text:
      '`{{pool}}` has no error listener: when the server closes an idle connection, an uncaught exception ends the process. ' +
      "Add `{{pool}}.on('error', …)`.",
    cost: 'the process ends at each restart of the server',
    severity: 'information',
    fix: {
      changes: 'errors',
      steps: [
        'Add an error listener.',
        "Log errors in `{{pool}}.on('error', …)`: the pool opens a new connection itself.",
      ],
    },
  },
} as const satisfies Record<string, Message>;
