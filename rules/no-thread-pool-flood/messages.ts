import type { Message } from '../define-rule.ts';

export const messages = {
  computes: {
    text:
      '`{{call}}` computes on libuv’s {{threads}} threads, and {{many}} start at once: every other fs, dns and zlib call of this process waits until they are done. ' +
      'Let fewer run at once than there are threads and cores.',
    cost: 'all other fs, dns and zlib calls wait',
    severity: 'information',
    fix: {
      changes: 'load',
      steps: ['Let at most {{atOnce}} run at once.', 'Take p-map, p-limit or a loop over groups.'],
    },
  },
  files: {
    text:
      '`{{call}}` works on libuv’s {{threads}} threads, and {{many}} start at once: other fs, dns and zlib calls of this process wait behind them, and each holds a descriptor or its content in memory. ' +
      'Let as many run at once as there are threads.',
    cost: 'other fs, dns and zlib calls wait',
    severity: 'hint',
    fix: {
      changes: 'load',
      steps: ['Let at most {{atOnce}} run at once.', 'Take p-map, p-limit or a loop over groups.'],
    },
  },
  contents: {
    text:
      '`{{call}}` reads a whole file, and {{many}} is read at once: all of their contents are in memory together, and other fs, dns and zlib calls of this process wait behind them on libuv’s {{threads}} threads. ' +
      'Read as many at once as there are threads.',
    cost: 'other fs, dns and zlib calls wait; all contents are in memory at once',
    severity: 'information',
    fix: {
      changes: 'load',
      steps: ['Read at most {{atOnce}} at once.', 'Take p-map, p-limit or a loop over groups.'],
    },
  },
  lookups: {
    text:
      '`{{call}}` asks the resolver on libuv’s {{threads}} threads, of which half may do so at once, and {{many}} start together: other lookups of this process wait behind them. ' +
      'Let {{atOnce}} run at once, or ask the name server itself with `dns.resolve()`.',
    cost: 'other lookups wait',
    severity: 'hint',
    fix: {
      changes: 'load',
      steps: ['Let at most {{atOnce}} run at once.', 'Or use `dns.resolve()`.'],
    },
  },
  queries: {
    text:
      'The pool of `{{call}}` has {{max}} connections, and {{many}} ask for one at once: the others wait, and whatever else uses the pool waits behind them. ' +
      'Send one statement for all, or let at most {{atOnce}} run at once.',
    cost: 'all others wait for a connection',
    severity: 'information',
    fix: {
      changes: 'load',
      steps: [
        'Send one statement for all elements.',
        'Where there is none, let at most {{atOnce}} run at once, with p-map, p-limit or a loop over groups.',
      ],
    },
  },
} as const satisfies Record<string, Message>;
