import type { Message } from '../define-rule.ts';

export const messages = {
  batch: {
    text:
      'One {{what}} per element: as many round trips as elements, and no element needs another’s answer. ' +
      'Fetch all of them with {{bulk}} and look them up in a Map.',
    cost: 'n round trips for n elements instead of 1',
    severity: 'warning',
    fix: {
      changes: 'order',
      steps: [
        'Fetch all before the loop.',
        'Collect the keys, take {{bulk}}, and look each up in a Map in the loop.',
      ],
    },
  },
  inOne: {
    text:
      'One `{{what}}` per element: as many round trips as elements, and no element needs another’s answer. ' +
      '{{bulk}}.',
    cost: 'n round trips for n elements instead of 1',
    severity: 'warning',
    fix: {
      changes: 'order',
      steps: [
        'Ask for all in one request.',
        '{{bulk}}.',
        'Collect what is asked in the loop, and take each answer by its index; as many at a time as the service allows.',
      ],
    },
  },
  fanOut: {
    text:
      'Each element waits for the {{what}} of the one before although it needs nothing from it. ' +
      'Await them with bounded concurrency (at most {{limit}}), or ask for all in one request where the other side takes one.',
    cost: 'n waits in line for n elements instead of n / {{limit}}',
    severity: 'information',
    fix: {
      changes: 'load',
      steps: [
        'Run the iterations with bounded concurrency.',
        'At most the pool’s size, or what the other side allows.',
        'Keep the results in the order of the elements.',
      ],
    },
  },
  fanOutFiles: {
    text:
      'Each element waits for the {{what}} of the one before although it needs nothing from it. ' +
      'Await them with bounded concurrency (at most {{limit}}).',
    cost: 'n waits in line for n elements instead of n / {{limit}}',
    severity: 'information',
    fix: {
      changes: 'load',
      steps: [
        'Run the iterations with bounded concurrency.',
        'As many as the disk or the thread pool takes at once.',
        'Keep the results in the order of the elements.',
      ],
    },
  },
  writes: {
    text:
      'One {{what}} per element, each awaited before the next, although none needs the answer of another. ' +
      'Send one statement for all rows, or a few at a time.',
    cost: 'n round trips for n elements instead of 1',
    severity: 'information',
    fix: {
      changes: 'atomicity',
      steps: [
        'Write all at once after the loop.',
        'Collect them in it, and send one statement, or one for a few rows at a time.',
      ],
    },
  },
  drain: {
    text:
      'Each element is taken from Redis by a round trip of its own. ' +
      'Take many at once: {{bulk}}.',
    cost: 'n round trips for n elements instead of n / count',
    severity: 'information',
    fix: {
      changes: 'atomicity',
      steps: ['Take many elements at once.', 'With one command: {{bulk}}.'],
    },
  },
} as const satisfies Record<string, Message>;
