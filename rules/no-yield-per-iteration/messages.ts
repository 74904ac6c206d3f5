import type { Fix, Message } from '../define-rule.ts';

const yieldLess: Fix = {
  changes: 'order',
  steps: ['Yield every {{every}} iterations.', 'Or yield when a time budget is used up.'],
};

export const messages = {
  timer: {
    text:
      'Each iteration waits for a timer, and Node.js raises a delay of 0 to 1 ms: this loop runs at most {{perSecond}} iterations per second. ' +
      '`{{step}}` already lets other work run; yield every {{every}} iterations instead.',
    cost: 'at least 1 ms per iteration, at most {{perSecond}} per second',
    severity: 'warning',
    fix: yieldLess,
  },
  timerInMemory: {
    text:
      'Each iteration waits for a timer, and Node.js raises a delay of 0 to 1 ms: at most {{perSecond}} iterations per second, for work that takes microseconds. ' +
      'Batch the yields: one every {{every}} iterations.',
    cost: 'at least 1 ms per iteration, at most {{perSecond}} per second',
    severity: 'warning',
    fix: yieldLess,
  },
  immediate: {
    text:
      'Each iteration gives up a full turn of the event loop ({{how}}) although it already awaits `{{step}}`: milliseconds under load. ' +
      'Yield every {{every}} iterations or by time.',
    cost: 'a turn of the event loop per iteration',
    severity: 'information',
    fix: yieldLess,
  },
  immediateInMemory: {
    text:
      'Each iteration gives up a full turn of the event loop ({{how}}) for work that takes microseconds: the turns take most of the time. ' +
      'Batch the yields: one every {{every}} iterations.',
    cost: 'a turn of the event loop per iteration',
    severity: 'warning',
    fix: yieldLess,
  },
  tick: {
    text:
      '`{{how}}` runs before any I/O, so this await lets no other request run and costs a turn of the microtask queue per iteration. ' +
      'Remove it, or await setImmediate every {{every}} iterations.',
    cost: 'a turn of the microtask queue per iteration',
    severity: 'information',
    fix: {
      changes: 'order',
      steps: ['Remove the await.', 'Or await setImmediate every {{every}} iterations.'],
    },
  },
} as const satisfies Record<string, Message>;
