import { writeSync } from 'node:fs';
import { defineRule } from '../../rules/define-rule.ts';
import { rangeOf } from '../../src/analysis/syntax/places.ts';
import { endless } from './endless.ts';

/**
 * A rule for tests of the hosts: reports every `wait(ms)`, fails on `crash()`, does not return from `hang()`, and
 * presses Ctrl-C on `interrupt()`.
 */
export const noWait = defineRule({
  id: 'no-wait',
  description: 'Disallow waiting',
  messages: {
    waits: {
      text: 'Waits {{costMs}} ms.',
      severity: 'warning',
      cost: '{{costMs}} ms each time',
      fix: { changes: 'order', steps: ['Wait for nothing.'] },
    },
    naps: {
      text: 'Waits {{costMs}} ms, which is little.',
      severity: 'hint',
      fix: { changes: 'nothing', steps: [] },
    },
  },
  suggestions: { remove: 'Remove the wait of {{costMs}} ms' },
  options: {},
  trigger: /\b(?:wait|crash|interrupt|hang)\b/,

  *check(file) {
    for (const node of file.nodes.all('CallExpression')) {
      const { callee } = node;
      if (callee.type !== 'Identifier') continue;
      if (callee.name === 'crash') throw new TypeError('this rule cannot read crash()');
      if (callee.name === 'interrupt') process.kill(process.pid, 'SIGINT');
      if (callee.name === 'hang') hang();
      if (callee.name !== 'wait') continue;
      const [ms] = node.arguments.map((it) => (it.type === 'Literal' ? it.value : ''));
      yield {
        messageId: Number(ms) < 5 ? 'naps' : 'waits',
        at: node,
        evidence: {
          costMs: Number(ms),
        },
        related: [{ path: file.path, range: rangeOf(callee), message: 'the wait' }],
        suggestions: [
          { messageId: 'remove', edits: [{ range: rangeOf(node), text: '' }], changes: 'order' },
        ],
      };
    }
  },
});

/** Says so, and never returns. */
function hang(): never {
  writeSync(2, 'hanging\n');
  endless();
}
