import { deepStrictEqual, ok } from 'node:assert/strict';
import { directivesOf } from '../src/scan/directives.ts';
import { isFailure, sourceOf } from '../src/scan/parse.ts';
import type { Profile } from '../rules/define-rule.ts';
import { positionsOf } from '../src/scan/positions.ts';
import { noWait } from './fakes/no-wait.ts';
import { scanned } from './fakes/scanned.ts';

/** The lines on which `no-wait` would be reported, given that every `wait()` is. */
function linesLeft(text: string, ruleId = 'no-wait'): readonly number[] {
  const source = sourceOf(text, 'queue.ts');
  ok(!isFailure(source));
  const positions = positionsOf(text);
  const directives = directivesOf(source, () => positions);
  return Array.from(text.matchAll(/wait\(\)/g), ({ index }) => index)
    .filter((offset) => !directives.isOff(ruleId, offset))
    .map((offset) => positions.at(offset).line);
}

describe('directives', () => {
  it('leaves a text without comments alone', () => {
    deepStrictEqual(linesLeft('wait()\nwait()'), [1, 2]);
  });

  it('switches the next line off, for all rules or for those named', () => {
    deepStrictEqual(linesLeft('// eslint-disable-next-line\nwait()\nwait()'), [3]);
    deepStrictEqual(linesLeft('// eslint-disable-next-line no-eval, deadtime/no-wait\nwait()'), []);
    deepStrictEqual(linesLeft('// oxlint-disable-next-line no-wait\nwait()'), []);
    deepStrictEqual(linesLeft('// eslint-disable-next-line no-await-in-loop\nwait()'), [2]);
  });

  it('counts from the end of a comment of several lines', () => {
    deepStrictEqual(
      linesLeft('/* eslint-disable-next-line\n deadtime/no-wait */\nwait()\nwait()'),
      [4],
    );
  });

  it('switches its own line off', () => {
    deepStrictEqual(
      linesLeft('wait() // eslint-disable-line deadtime/no-wait -- paced by the API'),
      [],
    );
    deepStrictEqual(linesLeft('wait() /* oxlint-disable-line */\nwait()'), [2]);
  });

  it('switches off from a block comment to the comment that switches on', () => {
    const text = 'wait()\n/* eslint-disable */\nwait()\n/* eslint-enable */\nwait()';
    deepStrictEqual(linesLeft(text), [1, 5]);
  });

  it('lets the last switch that names the rule, or all rules, decide', () => {
    const text =
      '/* eslint-disable */\nwait()\n/* eslint-enable deadtime/no-wait */\nwait()\n/* eslint-disable no-eval */\nwait()';
    deepStrictEqual(linesLeft(text), [4, 6]);
    deepStrictEqual(linesLeft(text, 'no-eval'), []);
  });

  it('reads the switches of oxlint in line comments, those of ESLint in block comments only', () => {
    deepStrictEqual(linesLeft('// oxlint-disable no-wait\nwait()'), []);
    deepStrictEqual(linesLeft('// eslint-disable no-wait\nwait()'), [2]);
  });

  it('takes for a switch of ESLint only what ESLint takes for one', () => {
    deepStrictEqual(linesLeft('/* eslint-disable no-wait */\nwait()'), [2]);
    deepStrictEqual(linesLeft('/* eslint-disable --*/\nwait()'), [2]);
    deepStrictEqual(linesLeft('/* eslint-disable deadtime/no-wait --*/\nwait()'), [2]);
    deepStrictEqual(linesLeft('/* eslint-disable "deadtime/no-wait" */\nwait()'), []);
    deepStrictEqual(linesLeft('wait() /* eslint-disable-line\n */'), [1]);
  });

  it('has words of its own, with a reason', () => {
    deepStrictEqual(
      linesLeft('// deadtime-ignore-next-line no-wait -- rate-limit\nwait()\nwait()'),
      [3],
    );
    deepStrictEqual(linesLeft('wait()\n// deadtime-ignore-file -- a script\nwait()'), []);
    deepStrictEqual(linesLeft('// deadtime-ignore-file no-eval\nwait()'), [2]);
  });

  it('does not take a reason for a rule, or a longer word for a directive', () => {
    deepStrictEqual(linesLeft('// eslint-disable-next-line no-eval -- no-wait\nwait()'), [2]);
    deepStrictEqual(linesLeft('// eslint-disable-next-line-please no-wait\nwait()'), [2]);
    deepStrictEqual(linesLeft('const text = "eslint-disable-next-line"\nwait()'), [2]);
  });

  it('says what is wrong with words of its own, and nothing of other linters’', () => {
    const remarks = (text: string, profile: Profile = 'recommended') =>
      scanned(text, '/queue.ts', { rules: [noWait], profile }).notices.map((it) => it.message);
    deepStrictEqual(remarks('// deadtime-ignore-next-line no-wait\nwait(9)'), []);
    deepStrictEqual(remarks('// deadtime-ignore-next-line no-wait\nwait(9)', 'strict'), [
      'line 1: this comment gives no reason. Write one after ` -- `.',
    ]);
    const unused = ['line 1: no-wait finds nothing here. Remove the comment.'];
    deepStrictEqual(remarks('// deadtime-ignore-next-line no-wait -- paced\n\nwait(9)'), unused);
    deepStrictEqual(remarks('// deadtime-ignore-file no-wait -- a script\nrun()'), unused);
    for (const text of [
      // A hint that this profile does not show is switched off all the same.
      '// deadtime-ignore-next-line no-wait -- paced\nwait(1)',
      // Nobody has asked the other rule.
      '// deadtime-ignore-next-line no-yield-per-iteration -- paced\nwait(9)',
      '// deadtime-ignore-next-line -- paced\nrun()',
      '// eslint-disable-next-line deadtime/no-wait\nrun()',
    ]) {
      deepStrictEqual(remarks(text), []);
    }
  });
});
