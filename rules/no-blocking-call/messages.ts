import type { Fix, Message } from '../define-rule.ts';

const awaitIt: Fix = {
  changes: 'order',
  steps: [
    'Await {{async}} instead.',
    'Make the function asynchronous, and await its calls.',
    'Or do the work once, before the first request.',
  ],
};

export const messages = {
  computes: {
    text:
      '`{{call}}` computes for milliseconds{{cost}} on the thread of all requests: none of them goes on meanwhile. ' +
      'Await {{async}}, which lets other requests go on.',
    cost: 'all requests of the process wait',
    severity: 'warning',
    fix: awaitIt,
  },
  compresses: {
    text:
      '`{{call}}` compresses on the thread of all requests: none of them goes on meanwhile. ' +
      'Await {{async}}, which works on a thread of libuv, or use a stream.',
    cost: 'all requests of the process wait, for longer with more data',
    severity: 'information',
    fix: awaitIt,
  },
  runsProcess: {
    text:
      '`{{call}}` starts a process and blocks the thread until it ends: no request of this process goes on meanwhile. ' +
      'Await {{async}}.',
    cost: 'all requests of the process wait for another process',
    severity: 'warning',
    fix: awaitIt,
  },
  usesFiles: {
    text:
      '`{{call}}` waits for the disk on the thread of all requests: none of them goes on meanwhile. ' +
      'Await {{async}}, or do it once before the first request.',
    cost: 'all requests of the process wait for the disk',
    severity: 'information',
    fix: awaitIt,
  },
  delaysJobs: {
    text:
      '`{{call}}` blocks the thread in a job or a message handler: other jobs, timers and heartbeats of this process wait. ' +
      'Await {{async}}.',
    cost: 'other jobs and timers of the process wait',
    severity: 'hint',
    fix: awaitIt,
  },
} as const satisfies Record<string, Message>;
