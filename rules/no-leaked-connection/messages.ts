import type { Fix, Message } from '../define-rule.ts';

const inFinally: Fix = {
  changes: 'errors',
  steps: ['Release it in `finally`.', 'Wrap its uses in the `try`.'],
};

export const messages = {
  never: {
    text: 'No path gives this {{driver}} {{kind}} back: {{cost}}. Release it in `finally`.',
    severity: 'error',
    fix: inFinally,
  },
  branch: {
    text: 'The path by `{{statement}}` at line {{line}} never gives this {{driver}} {{kind}} back: {{cost}}. Release it in `finally`.',
    severity: 'error',
    fix: inFinally,
  },
  callbackErr: {
    text: 'When the query fails, the callback leaves at line {{line}} without giving this {{driver}} {{kind}} back: {{cost}}. Release it first thing in the callback.',
    severity: 'error',
    fix: {
      changes: 'order',
      steps: ['Release it first in the callback.', 'Before the test of the error.'],
    },
  },
  reconnect: {
    text: 'The next round overwrites this {{driver}} {{kind}} while it is still out: {{cost}}. Release the old one first.',
    severity: 'error',
    fix: { changes: 'order', steps: ['Release the old one first.', 'Before the next is taken.'] },
  },
  throw: {
    text: 'If `{{statement}}` at line {{line}} fails, this {{driver}} {{kind}} is never given back: {{cost}}. Release it in `finally`.',
    severity: 'warning',
    fix: inFinally,
  },
  thrown: {
    text: 'The `throw` at line {{line}} leaves without giving this {{driver}} {{kind}} back: {{cost}}. Release it in `finally`.',
    severity: 'warning',
    fix: inFinally,
  },
  closed: {
    text: '`{{statement}}` at line {{line}} closes this {{driver}} {{kind}}, and its place in the pool stays taken: {{cost}}. Give it back with `release(true)`, which closes it, too.',
    severity: 'error',
    fix: { changes: 'nothing', steps: ['Call `release(true)` instead.', 'That closes it, too.'] },
  },
  doubleRelease: {
    text: '`{{statement}}` at line {{line}} releases this {{driver}} {{kind}} a second time, and that throws. Release it once.',
    severity: 'warning',
    fix: {
      changes: 'errors',
      steps: ['Remove one of the two releases.', 'Each path needs one.'],
    },
  },
  useAfterRelease: {
    text: '`{{statement}}` at line {{line}} uses this {{driver}} {{kind}} after its release: by then it may be in the middle of somebody else’s transaction. Release it after its last use.',
    severity: 'warning',
    fix: { changes: 'load', steps: ['Release it after its last use.', 'In `finally`.'] },
  },
  ungated: {
    text: 'When connecting fails, `{{statement}}` at line {{line}} has nothing to release, and its TypeError hides the real error. Connect before the `try`.',
    severity: 'information',
    fix: { changes: 'errors', steps: ['Connect before the `try`.'] },
  },
  unreadBody: {
    text: 'Nobody reads the body of this response, so its socket stays taken until the garbage collector finds it. Read the body, or cancel it (`body.cancel()`, undici: `body.dump()`).',
    severity: 'hint',
    fix: {
      changes: 'nothing',
      steps: ['Read the body, or cancel it.', 'Call `body.cancel()`, undici `body.dump()`.'],
    },
  },
  unreadBodyOnPath: {
    text: 'The path by `{{statement}}` at line {{line}} never reads the body of this response, so its socket stays taken until the garbage collector finds it. Read the body there, or cancel it (`body.cancel()`, undici: `body.dump()`).',
    severity: 'hint',
    fix: {
      changes: 'nothing',
      steps: ['Read or cancel the body there.', 'Call `body.cancel()`, undici `body.dump()`.'],
    },
  },
  field: {
    text: 'No method of this class gives back the {{driver}} {{kind}} in `{{field}}`: {{cost}}. Release it where the work of the object ends.',
    severity: 'hint',
    fix: {
      changes: 'order',
      steps: ['Release it where its work ends.'],
    },
  },
} as const satisfies Record<string, Message>;
