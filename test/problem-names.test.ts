import { deepStrictEqual } from 'node:assert/strict';
import { placeFrom, problemsAt } from '../src/scan/places.ts';
import type { ScanOptions } from '../src/scan/scan.ts';
import { noWait } from './fakes/no-wait.ts';
import { scanned } from './fakes/scanned.ts';

/** A rule with a second finding at each place of `no-wait`. */
const again = {
  ...noWait,
  id: 'no-second-wait',
  findings: (...args: Parameters<typeof noWait.findings>) =>
    noWait.findings(...args).map((it) => ({ ...it, ruleId: 'no-second-wait' })),
};

const found = (text: string, options: Partial<ScanOptions> = {}) =>
  scanned(text, '/queue.ts', { rules: [noWait], profile: 'recommended', ...options }).problems;

describe('names of findings', () => {
  it('are as short as they are unique in the file', () => {
    const names = found('wait(9);\nwait(8); wait(7);\n').map((it) => it.names);
    deepStrictEqual(names, [
      { short: '1', exact: '1:1' },
      { short: '2:1', exact: '2:1' },
      { short: '2:10', exact: '2:10' },
    ]);
  });

  it('number what starts at one place, and reach each', () => {
    const problems = found('wait(9);\n', { rules: [noWait, again] });
    deepStrictEqual(
      problems.map(({ names, finding }) => [names.short, names.exact, finding.ruleId]),
      [
        ['1:1#1', '1:1#1', 'no-wait'],
        ['1:1#2', '1:1#2', 'no-second-wait'],
      ],
    );
    for (const problem of problems) {
      deepStrictEqual(problemsAt(problems, placeFrom(`a.ts:${problem.names.short}`)!), [problem]);
    }
    deepStrictEqual(problemsAt(problems, placeFrom('a.ts:1:1#3')!), []);
    deepStrictEqual(problemsAt(problems, placeFrom('a.ts:1')!), problems);
  });

  it('do not depend on what the profile shows', () => {
    const names = (profile: 'recommended' | 'audit') =>
      found('wait(9); wait(1);\n', { profile }).map((it) => it.names.short);
    deepStrictEqual([names('recommended'), names('audit')], [['1:1'], ['1:1', '1:10']]);
  });

  it('contain the rule where only some rules have run', () => {
    const [problem] = found('wait(9);\n', { isOfSomeRules: true });
    deepStrictEqual(problem!.names, { short: '1', exact: '1:1', rule: 'no-wait' });
  });

  it('prefer what starts at a place to what is around it', () => {
    const problems = found('wait(\n  wait(9));\n');
    const inner = problems.filter((it) => it.start.line === 2);
    deepStrictEqual(problemsAt(problems, placeFrom('a.ts:2')!), inner);
  });
});
