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
      'Callers of this pool wait for ever while its {{connections}} are busy: {{driver}} ends no wait unless `{{option}}` is set. ' +
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
      'Callers of this pool wait for ever while its {{connections}} are busy, and {{driver}} has no option that ends the wait. ' +
      '{{remedy}}.',
    cost: 'a wait without end while all are busy',
    severity: 'hint',
    fix: { changes: 'errors', steps: ['{{remedy}}.'] },
  },
} as const satisfies Record<string, Message>;
