import type { Fix, Message } from '../define-rule.ts';

const sleepWhenEmpty: Fix = {
  changes: 'load',
  steps: ['Sleep only when the source returned nothing.'],
};

const removeOrSay: Fix = {
  changes: 'load',
  steps: ['Remove it, or name its limit.', 'In a comment: which limit it keeps.'],
};

export const messages = {
  afterWork: {
    text:
      'This worker sleeps {{sleepMs}} ms{{byDefault}} after every job it handles, so it starts at most {{perSecond}} a second however fast the work is. ' +
      'Sleep only when `{{source}}` returned nothing.',
    cost: '{{sleepMs}} ms{{byDefault}} each time, at most {{perSecond}} a second',
    severity: 'warning',
    fix: sleepWhenEmpty,
  },
  afterRound: {
    text:
      'This worker sleeps {{sleepMs}} ms{{byDefault}} after every round, whether `{{source}}` returned work or not, so it makes at most {{perSecond}} rounds a second however fast the work is. ' +
      'Sleep only when it returned nothing.',
    cost: '{{sleepMs}} ms{{byDefault}} each round, at most {{perSecond}} rounds a second',
    severity: 'warning',
    fix: sleepWhenEmpty,
  },
  afterItem: {
    text:
      'Every iteration of this loop sleeps {{sleepMs}} ms{{byDefault}}, so it makes at most {{perSecond}} a second however fast `{{work}}` is. ' +
      'Remove the sleep, or say in a comment which limit it keeps.',
    cost: '{{sleepMs}} ms{{byDefault}} each time, at most {{perSecond}} a second',
    severity: 'warning',
    fix: removeOrSay,
  },
  besideItem: {
    text:
      'Each time that the branch around it is taken, this loop sleeps {{sleepMs}} ms{{byDefault}} beside `{{work}}`: at most {{perSecond}} such elements a second, however fast the work is. ' +
      'Remove the sleep, or say in a comment which limit it keeps.',
    cost: '{{sleepMs}} ms{{byDefault}} each time, at most {{perSecond}} a second',
    severity: 'warning',
    fix: removeOrSay,
  },
  afterBatch: {
    text:
      'This loop sleeps {{sleepMs}} ms{{byDefault}} after every batch of {{batch}}, so it gets through at most {{perSecond}} items a second however fast `{{work}}` is. ' +
      'Remove the sleep, or say in a comment which limit it keeps.',
    cost: '{{sleepMs}} ms{{byDefault}} each time, at most {{perSecond}} a second',
    severity: 'warning',
    fix: removeOrSay,
  },
  afterUsualBatch: {
    text:
      'This loop sleeps {{sleepMs}} ms{{byDefault}} after every batch, which makes at most {{perSecond}} items a second with the default of {{batch}}, however fast `{{work}}` is. ' +
      'Remove the sleep, or say in a comment which limit it keeps.',
    cost: '{{sleepMs}} ms{{byDefault}} each time, at most {{perSecond}} a second by default',
    severity: 'warning',
    fix: removeOrSay,
  },
  afterRequest: {
    text:
      'This loop sleeps {{sleepMs}} ms{{byDefault}} beside every `{{work}}`, at most {{perSecond}} a second; the report assumes that the other side has set no such limit. ' +
      'Remove the sleep, or say in a comment which limit it keeps.',
    cost: '{{sleepMs}} ms{{byDefault}} each time, at most {{perSecond}} a second',
    severity: 'warning',
    confidence: 'medium',
    fix: {
      changes: 'load',
      steps: [
        'Look up the other side’s limit.',
        'Where it has none, remove the sleep; where it has one, name it in a comment.',
      ],
    },
  },
  skipBranch: {
    text:
      'An item that is skipped here still costs {{sleepMs}} ms{{byDefault}} although the next one is there: at most {{perSecond}} items a second when 20 % are skipped. ' +
      'Skip it without sleeping.',
    cost: '{{sleepMs}} ms{{byDefault}} each time, at most {{perSecond}} a second',
    severity: 'warning',
    fix: { changes: 'load', steps: ['Skip without sleeping.'] },
  },
  fullBatch: {
    text:
      'A full batch of {{batch}} is followed by a sleep of {{sleepMs}} ms{{byDefault}}, so this worker handles at most {{perSecond}} a second. ' +
      'Sleep only when `{{source}}` returned less than a full batch.',
    cost: '{{sleepMs}} ms{{byDefault}} each time, at most {{perSecond}} a second',
    severity: 'warning',
    fix: { changes: 'load', steps: ['Sleep only after a partial batch.'] },
  },
  idlePoll: {
    text:
      'Work that arrives after an empty `{{source}}` waits up to {{sleepMs}} ms{{byDefault}} before this worker asks again. ' +
      'Let the source wake the worker (a blocking read, a notification, a callback), or shorten the nap.',
    cost: 'up to {{sleepMs}} ms{{byDefault}} before work is seen',
    severity: 'information',
    fix: {
      changes: 'load',
      steps: [
        'Let the source wake the worker.',
        'By a blocking read, a notification or a callback; or shorten the sleep.',
      ],
    },
  },
} as const satisfies Record<string, Message>;
