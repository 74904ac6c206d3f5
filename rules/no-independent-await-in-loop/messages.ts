import type { Message } from '../define-rule.ts';

export const messages = {
  batch: {
    text:
      'The loop awaits one {{what}} per element: as many round trips as elements, although no element needs another’s result. ' +
      'Fetch all of them with {{bulk}}, and look them up in a Map.',
    cost: 'n round trips for n elements instead of 1',
    severity: 'warning',
    fix: {
      changes: 'order',
      steps: [
        'Fetch all before the loop.',
        'Collect the keys, use {{bulk}}, and look up each result in a Map in the loop.',
      ],
    },
  },
  inOne: {
    text:
      'The loop awaits one `{{what}}` per element: as many round trips as elements, although no element needs another’s result. ' +
      '{{bulk}}.',
    cost: 'n round trips for n elements instead of 1',
    severity: 'warning',
    fix: {
      changes: 'order',
      steps: [
        'Send one request for all elements.',
        '{{bulk}}.',
        'Collect the requests in the loop, and read each result by its index; send as many at a time as the service allows.',
      ],
    },
  },
  fanOut: {
    text:
      'Each element waits for the {{what}} of the previous element but does not use its result: the waits add up. ' +
      'Await them with bounded concurrency (at most {{limit}}), or send one request for all elements where the service accepts one.',
    cost: 'n sequential waits for n elements instead of n / {{limit}}',
    severity: 'information',
    fix: {
      changes: 'load',
      steps: [
        'Run the iterations with bounded concurrency.',
        'Use at most the pool’s size, or the limit of the service.',
        'Keep the results in the order of the elements.',
      ],
    },
  },
  fanOutFiles: {
    text:
      'Each element waits for the {{what}} of the previous element but does not use its result: the waits add up. ' +
      'Await them with bounded concurrency (at most {{limit}}).',
    cost: 'n sequential waits for n elements instead of n / {{limit}}',
    severity: 'information',
    fix: {
      changes: 'load',
      steps: [
        'Run the iterations with bounded concurrency.',
        'Use as many as the disk or the thread pool handles concurrently.',
        'Keep the results in the order of the elements.',
      ],
    },
  },
  writes: {
    text:
      'The loop awaits one {{what}} per element, although no element needs another’s result: one round trip each. ' +
      'Send one statement for all rows, or a few at a time.',
    cost: 'n round trips for n elements instead of 1',
    severity: 'information',
    fix: {
      changes: 'atomicity',
      steps: [
        'Write all rows together after the loop.',
        'Collect the rows in the loop, and send one statement, or one per group of rows.',
      ],
    },
  },
  drain: {
    text:
      'The loop fetches each element from Redis with its own round trip. ' +
      'Fetch many per round trip: {{bulk}}.',
    cost: 'n round trips for n elements instead of n / count',
    severity: 'information',
    fix: {
      changes: 'atomicity',
      steps: ['Fetch many elements per round trip.', 'Use one command: {{bulk}}.'],
    },
  },
} as const satisfies Record<string, Message>;
