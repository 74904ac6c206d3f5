import type { Message } from '../define-rule.ts';

export const messages = {
  perCall: {
    text:
      'Every {{per}} makes a pool of its own with `{{made}}`: it opens new connections each time, and nothing bounds how many there are in all. ' +
      'Make one at module level, and use that here.',
    cost: 'a pool and its connections per {{per}}',
    severity: 'error',
    fix: {
      changes: 'load',
      steps: [
        'Make one pool at module level.',
        'Use it here, and close it only when the process ends.',
      ],
    },
  },
  waitsForEver: {
    text:
      'With its {{connections}} busy, callers of this pool wait for ever: {{driver}} ends no wait unless `{{option}}` is set. ' +
      'Set it (for example to {{timeoutMs}}), so that an overload is an error that somebody sees.',
    cost: 'a wait without end while all are busy',
    severity: 'information',
    fix: {
      changes: 'errors',
      steps: ['Set `{{option}}` of the pool.', 'For example to {{timeoutMs}} ms.'],
    },
  },
  cannotLimit: {
    text:
      'With its {{connections}} busy, callers of this pool wait for ever, and {{driver}} has no option that ends the wait. ' +
      '{{remedy}}.',
    cost: 'a wait without end while all are busy',
    severity: 'hint',
    fix: { changes: 'errors', steps: ['{{remedy}}.'] },
  },
  unsized: {
    text:
      'This pool has {{max}} connections because {{driver}} says so, in each of {{workers}} processes: {{total}} in all, a number that nobody has chosen. ' +
      'Set `{{option}}`, so that all of them together fit the server.',
    severity: 'hint',
    fix: {
      changes: 'load',
      steps: [
        'Set `{{option}}` of the pool.',
        'Keep {{workers}} processes together below what the server takes.',
      ],
    },
  },
  overLimit: {
    text:
      'This pool may open {{max}} connections{{each}}, where {{limit}}: under load the others are refused. ' +
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
      'This pool closes a connection after {{idle}} without work, and is asked only every {{every}}: each time it connects anew. ' +
      'Set `{{option}}` above that, or to 0.',
    cost: 'a new connection per poll',
    severity: 'information',
    fix: {
      changes: 'load',
      steps: ['Set `{{option}}` to 0.', 'Or set it above {{every}}.'],
    },
  },
  validates: {
    text:
      'Every use of this pool’s connections waits for {{request}} beside its query: one more round trip each. ' +
      '{{remedy}}.',
    cost: 'one more round trip per checkout',
    severity: 'information',
    fix: { changes: 'errors', steps: ['{{remedy}}.'] },
  },
  deaf: {
    text:
      'Nobody listens to the errors of `{{pool}}`: when the server ends a connection without work, that is an uncaught exception, which ends the process. ' +
      "Add `{{pool}}.on('error', …)`.",
    cost: 'the process, at each restart of the server',
    severity: 'information',
    fix: {
      changes: 'errors',
      steps: [
        'Listen to its errors.',
        "Log them in `{{pool}}.on('error', …)`: the pool opens a new connection by itself.",
      ],
    },
  },
} as const satisfies Record<string, Message>;
