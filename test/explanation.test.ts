import { deepStrictEqual, ok } from 'node:assert/strict';
import { packageFile } from '../src/cli/package.ts';
import { explanationOfRule, explanationText } from '../src/report/explanation.ts';
import { rules } from '../rules/index.ts';
import { measuredCostOf } from '../src/report/rule-page.ts';

/** A terminal of usual size. */
const screen = { lines: 40, columns: 120 };

const table = `Measured by \`npm run measure\`: Deadtime 1.2.3, 2 × A processor, 2026-11-21.
The figures are medians of 4 runs; \`deadtime prove no-wait\` repeats them where you are.

<!-- prettier-ignore -->
| Benchmark | Before | After | Times slower |
|---|---|---|---|
| A loop that sleeps | 20 ms | 1.90 ms | 10.5 |
| A loop that leaks \\| closes | request 51 failed | none failed |  |
| A loop that stores | needs node:sqlite |  |  |
`;

describe('the explanation of a rule', () => {
  for (const rule of rules) {
    const page = packageFile(`rules/${rule.id}/README.md`)!;
    const { sections } = explanationOfRule(rule, page);

    it(`${rule.id} fits a screen`, () => {
      const text = explanationText(explanationOfRule(rule, page), { hasColors: false });
      const rows = text.split('\n').map((it) => Math.ceil(it.length / screen.columns) || 1);
      ok(rows.reduce((sum, it) => sum + it, 0) <= screen.lines, text);
    });

    it(`${rule.id} says why, when it is no problem, what to do and how to prove it`, () => {
      const titles = sections.map((it) => it.title).filter((it) => it !== 'Measured');
      deepStrictEqual(titles, ['Why', 'Not a problem', 'Fix', 'Prove it']);
    });
  }

  it('has what its benchmarks came to, where that is known', () => {
    const page = `# no-wait\n\n## Why\n\nIt costs.\n\n## Reference\n\n${table}`;
    const { sections } = explanationOfRule(rules[0]!, page);
    deepStrictEqual(sections.find((it) => it.title === 'Measured')?.lines, [
      'A loop that sleeps: before: 20 ms, after: 1.90 ms (10.5x slower)',
      'A loop that leaks | closes: before: request 51 failed, after: none failed',
      'A loop that stores: needs node:sqlite',
      'Deadtime 1.2.3, 2 × A processor, 2026-11-21',
    ]);
    deepStrictEqual(measuredCostOf('# no-wait\n'), undefined);
  });
});
