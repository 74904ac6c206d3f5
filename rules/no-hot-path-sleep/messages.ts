import type { Fix, Message } from '../define-rule.ts';

const sleepWhenEmpty: Fix = {
  changes: 'load',
  steps: ['Sleep only when the source returned nothing.'],
};

const removeOrSay: Fix = {
  changes: 'load',
  steps: ['Remove the sleep, or name its limit.', 'Name in a comment which limit the sleep keeps.'],
};

export const messages = {
  afterWork: {
    text:
      'This worker sleeps {{sleepMs}} ms{{orMore}}{{byDefault}} after every job, so it starts at most {{perSecond}} jobs per second. ' +
      'Sleep only when `{{source}}` returned nothing.',
    cost: '{{sleepMs}} ms{{orMore}}{{byDefault}} each time, at most {{perSecond}} per second',
    severity: 'warning',
    fix: sleepWhenEmpty,
  },
  afterRound: {
    text:
      'This worker sleeps {{sleepMs}} ms{{orMore}}{{byDefault}} in every iteration, with or without work, so it runs at most {{perSecond}} iterations per second. ' +
      'Sleep only when `{{source}}` returned nothing.',
    cost: '{{sleepMs}} ms{{orMore}}{{byDefault}} per iteration, at most {{perSecond}} iterations per second',
    severity: 'warning',
    fix: sleepWhenEmpty,
  },
  afterItem: {
    text:
      'Every iteration of this loop sleeps {{sleepMs}} ms{{byDefault}}, so it runs at most {{perSecond}} iterations per second, however fast `{{work}}` is. ' +
      'Remove the sleep, or name in a comment the limit that it keeps.',
    cost: '{{sleepMs}} ms{{byDefault}} each time, at most {{perSecond}} per second',
    severity: 'warning',
    fix: removeOrSay,
  },
  besideItem: {
    text:
      'In this branch, the loop sleeps {{sleepMs}} ms{{byDefault}} in addition to `{{work}}`: at most {{perSecond}} such elements per second. ' +
      'Remove the sleep, or name in a comment the limit that it keeps.',
    cost: '{{sleepMs}} ms{{byDefault}} each time, at most {{perSecond}} per second',
    severity: 'warning',
    fix: removeOrSay,
  },
  afterBatch: {
    text:
      'This loop sleeps {{sleepMs}} ms{{byDefault}} after every batch of {{batch}}, so it handles at most {{perSecond}} items per second, however fast `{{work}}` is. ' +
      'Remove the sleep, or name in a comment the limit that it keeps.',
    cost: '{{sleepMs}} ms{{byDefault}} each time, at most {{perSecond}} per second',
    severity: 'warning',
    fix: removeOrSay,
  },
  afterUsualBatch: {
    text:
      'This loop sleeps {{sleepMs}} ms{{byDefault}} after every batch: at most {{perSecond}} items per second with the default batch of {{batch}}, however fast `{{work}}` is. ' +
      'Remove the sleep, or name in a comment the limit that it keeps.',
    cost: '{{sleepMs}} ms{{byDefault}} each time, at most {{perSecond}} per second by default',
    severity: 'warning',
    fix: removeOrSay,
  },
  afterRequest: {
    text:
      'This loop sleeps {{sleepMs}} ms{{byDefault}} per `{{work}}`: at most {{perSecond}} per second, assuming that the receiver sets no such limit. ' +
      'Remove the sleep, or name in a comment the limit that it keeps.',
    cost: '{{sleepMs}} ms{{byDefault}} each time, at most {{perSecond}} per second',
    severity: 'warning',
    confidence: 'medium',
    fix: {
      changes: 'load',
      steps: [
        'Look up the receiver’s rate limit.',
        'Where it has none, remove the sleep; where it has one, name it in a comment.',
      ],
    },
  },
  afterSentJob: {
    text:
      'This worker sleeps {{sleepMs}} ms{{byDefault}} after every job, so it sends at most {{perSecond}} per second by `{{work}}`. ' +
      'Where the receiver sets no such limit, sleep only when `{{source}}` returned nothing; where it does, name the limit in a comment.',
    cost: '{{sleepMs}} ms{{byDefault}} each time, at most {{perSecond}} per second',
    severity: 'information',
    fix: {
      changes: 'load',
      steps: [
        'Look up the receiver’s rate limit.',
        'Where it has none, sleep only when the source returned nothing; where it has one, name it in a comment.',
      ],
    },
  },
  skipBranch: {
    text:
      'A skipped item still costs {{sleepMs}} ms{{byDefault}}: at most {{perSecond}} items per second when 20 % are skipped. ' +
      'Skip it without sleeping.',
    cost: '{{sleepMs}} ms{{byDefault}} each time, at most {{perSecond}} per second',
    severity: 'warning',
    fix: { changes: 'load', steps: ['Skip without sleeping.'] },
  },
  fullBatch: {
    text:
      'This worker sleeps {{sleepMs}} ms{{orMore}}{{byDefault}} after a full batch of {{batch}}, so it handles at most {{perSecond}} items per second. ' +
      'Sleep only when `{{source}}` returned less than a full batch.',
    cost: '{{sleepMs}} ms{{orMore}}{{byDefault}} each time, at most {{perSecond}} per second',
    severity: 'warning',
    fix: { changes: 'load', steps: ['Sleep only after a partial batch.'] },
  },
  idlePoll: {
    text:
      'Work that arrives after an empty `{{source}}` waits up to {{sleepMs}} ms{{byDefault}} until this worker asks again. ' +
      'Let the source wake the worker (a blocking read, a notification, a callback), or shorten the sleep.',
    cost: 'up to {{sleepMs}} ms{{byDefault}} until the worker sees new work',
    severity: 'information',
    fix: {
      changes: 'load',
      steps: [
        'Let the source wake the worker.',
        'Use a blocking read, a notification or a callback, or shorten the sleep.',
      ],
    },
  },
  inRequest: {
    text:
      'Each request sleeps {{sleepMs}} ms{{byDefault}} here, assuming that nothing outside of the program needs the time. ' +
      'Remove the sleep, wait for the event that it stands for, or name its purpose in a comment.',
    cost: '{{sleepMs}} ms{{byDefault}} for each request',
    severity: 'warning',
    confidence: 'medium',
    fix: {
      changes: 'order',
      steps: [
        'Remove the sleep, or await its event.',
        'Where something outside needs the time, name it in a comment.',
      ],
    },
  },
  statePoll: {
    text:
      'This loop checks `{{state}}` every {{sleepMs}} ms{{byDefault}}, although its own process sets it: each wait lasts up to {{sleepMs}} ms too long. ' +
      'Keep a promise and await it.',
    cost: 'up to {{sleepMs}} ms{{byDefault}} after each change',
    severity: 'information',
    fix: {
      changes: 'order',
      steps: [
        'Keep a promise and await it.',
        'Where several events can end the wait, resolve the promise in each of them, or use `once()` of node:events with a time-out.',
      ],
    },
  },
} as const satisfies Record<string, Message>;
