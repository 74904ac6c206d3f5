import type { Message } from '../define-rule.ts';

export const messages = {
  computes: {
    text:
      '`{{call}}` runs {{many}} concurrently and computes on libuv’s {{threads}} threads: other fs, dns and zlib calls of the process wait. ' +
      'Run fewer concurrently than there are threads and cores.',
    cost: 'all other fs, dns and zlib calls wait',
    severity: 'information',
    fix: {
      changes: 'load',
      steps: ['Run at most {{atOnce}} concurrently.', 'Use p-map, p-limit or a loop over groups.'],
    },
  },
  files: {
    text:
      '`{{call}}` runs {{many}} concurrently on libuv’s {{threads}} threads: other fs, dns and zlib calls of the process wait. ' +
      'Run as many concurrently as there are threads.',
    cost: 'other fs, dns and zlib calls wait',
    severity: 'hint',
    fix: {
      changes: 'load',
      steps: ['Run at most {{atOnce}} concurrently.', 'Use p-map, p-limit or a loop over groups.'],
    },
  },
  contents: {
    text:
      '`{{call}}` runs {{many}} concurrently on libuv’s {{threads}} threads: memory holds all files, and other fs, dns and zlib calls wait. ' +
      'Read as many concurrently as there are threads.',
    cost: 'other fs, dns and zlib calls wait; memory holds all files',
    severity: 'information',
    fix: {
      changes: 'load',
      steps: ['Read at most {{atOnce}} concurrently.', 'Use p-map, p-limit or a loop over groups.'],
    },
  },
  lookups: {
    text:
      '`{{call}}` runs {{many}} concurrently on half of libuv’s {{threads}} threads: other lookups of the process wait. ' +
      'Run at most {{atOnce}} concurrently, or query the name server with `dns.resolve()`.',
    cost: 'other lookups wait',
    severity: 'hint',
    fix: {
      changes: 'load',
      steps: ['Run at most {{atOnce}} concurrently.', 'Or use `dns.resolve()`.'],
    },
  },
  queries: {
    text:
      '`{{call}}` runs {{many}} concurrently on a pool of {{max}} connections: all other users of the pool wait. ' +
      'Send one statement for all elements, or run at most {{atOnce}} concurrently.',
    cost: 'all other users of the pool wait for a connection',
    severity: 'information',
    fix: {
      changes: 'load',
      steps: [
        'Send one statement for all elements.',
        'Where that is impossible, run at most {{atOnce}} concurrently, with p-map, p-limit or a loop over groups.',
      ],
    },
  },
} as const satisfies Record<string, Message>;
