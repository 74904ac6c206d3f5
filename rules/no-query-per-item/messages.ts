import type { Fix, Message } from '../define-rule.ts';

const askOnce: Fix = {
  changes: 'order',
  steps: [
    'Collect the keys, and send {{bulk}}.',
    'Give each element its part by a Map from the key.',
    'A list of thousands of keys: send a few thousand at a time.',
  ],
};

export const messages = {
  concurrent: {
    text:
      'Each element{{of}} sends {{queries}}: as many round trips as there are elements, and other users of the pool wait meanwhile. ' +
      'Send {{bulk}} for all elements.',
    cost: 'a query for each element',
    severity: 'information',
    fix: askOnce,
  },
  resolver: {
    text:
      'The server runs `{{field}}` for each object of a list, and each run sends {{queries}}. ' +
      'Load it with a DataLoader, which sends {{bulk}} for all of them; this assumes that a request lists such objects.',
    cost: 'a query for each object of a list',
    severity: 'information',
    confidence: 'medium',
    fix: {
      changes: 'order',
      steps: [
        'Load it with a DataLoader, made once per request.',
        'Its batch function sends {{bulk}}, and returns the rows in the order of the keys.',
        'Or load the relation together with the parents.',
      ],
    },
  },
  requests: {
    text:
      'A request to {{who}} is sent {{many}}, all concurrently: sockets, memory and the load of the service grow with the list. ' +
      'Run at most {{limit}} concurrently.',
    cost: 'as many concurrent requests as the list has elements',
    severity: 'hint',
    fix: {
      changes: 'load',
      steps: [
        'Run at most {{limit}} concurrently.',
        'Use p-map or p-limit, or one request for several elements where the service has one.',
      ],
    },
  },
} as const satisfies Record<string, Message>;
