import type { Fix, Message } from '../define-rule.ts';

const inFinally: Fix = {
  changes: 'errors',
  steps: ['Release it in `finally`.', 'Wrap its uses in `try`.'],
};

export const messages = {
  never: {
    text: 'No path releases this {{driver}} {{kind}}: {{cost}}. Release it in `finally`.',
    severity: 'error',
    fix: inFinally,
  },
  branch: {
    text: 'The path through `{{statement}}` at line {{line}} never releases this {{driver}} {{kind}}: {{cost}}. Release it in `finally`.',
    severity: 'error',
    fix: inFinally,
  },
  callbackErr: {
    text: 'When the query fails, the callback returns at line {{line}} without releasing this {{driver}} {{kind}}: {{cost}}. Release it first in the callback.',
    severity: 'error',
    fix: {
      changes: 'order',
      steps: ['Release it first in the callback.', 'Release it before the check of the error.'],
    },
  },
  reconnect: {
    text: 'The next iteration overwrites this {{driver}} {{kind}} before its release: {{cost}}. Release the old one first.',
    severity: 'error',
    fix: {
      changes: 'order',
      steps: ['Release the old one first.', 'Release it before acquiring the next.'],
    },
  },
  throw: {
    text: 'If `{{statement}}` at line {{line}} fails, no path releases this {{driver}} {{kind}}: {{cost}}. Release it in `finally`.',
    severity: 'warning',
    fix: inFinally,
  },
  thrown: {
    text: 'The `throw` at line {{line}} leaves without releasing this {{driver}} {{kind}}: {{cost}}. Release it in `finally`.',
    severity: 'warning',
    fix: inFinally,
  },
  closed: {
    text: '`{{statement}}` at line {{line}} closes this {{driver}} {{kind}}, but the pool still counts it as checked out: {{cost}}. Call `release(true)`, which also closes it.',
    severity: 'error',
    fix: {
      changes: 'nothing',
      steps: ['Call `release(true)` instead.', 'It also closes the connection.'],
    },
  },
  doubleRelease: {
    text: '`{{statement}}` at line {{line}} releases this {{driver}} {{kind}} a second time, which throws. Release it once.',
    severity: 'warning',
    fix: {
      changes: 'errors',
      steps: ['Remove one of the two releases.', 'Each path needs exactly one.'],
    },
  },
  useAfterRelease: {
    text: '`{{statement}}` at line {{line}} uses this {{driver}} {{kind}} after its release, when another request may have a transaction on it. Release it after its last use.',
    severity: 'warning',
    fix: { changes: 'load', steps: ['Release it after its last use.', 'Use `finally`.'] },
  },
  ungated: {
    text: 'When connecting fails, `{{statement}}` at line {{line}} has nothing to release, and its TypeError hides the original error. Connect before the `try`.',
    severity: 'information',
    fix: { changes: 'errors', steps: ['Connect before the `try`.'] },
  },
  unreadBody: {
    text: 'This code never reads the body of the response, so its socket stays in use until garbage collection. Read the body, or cancel it (`body.cancel()`, undici: `body.dump()`).',
    severity: 'hint',
    fix: {
      changes: 'nothing',
      steps: ['Read the body, or cancel it.', 'Call `body.cancel()`, undici `body.dump()`.'],
    },
  },
  unreadBodyOnPath: {
    text: 'The path through `{{statement}}` at line {{line}} never reads the body of this response, so its socket stays in use until garbage collection. Read the body there, or cancel it (`body.cancel()`, undici: `body.dump()`).',
    severity: 'hint',
    fix: {
      changes: 'nothing',
      steps: ['Read or cancel the body there.', 'Call `body.cancel()`, undici `body.dump()`.'],
    },
  },
  field: {
    text: 'No method of this class releases the {{driver}} {{kind}} in `{{field}}`: {{cost}}. Release it where the work of the object ends.',
    severity: 'hint',
    fix: {
      changes: 'order',
      steps: ['Release it where the object’s work ends.'],
    },
  },
} as const satisfies Record<string, Message>;
