import { strictEqual } from 'node:assert/strict';
import { costTable, spreadTable } from '../tools/generate/measured-tables.ts';
import type { MeasuredCase, MeasuredRun, Measurements } from '../tools/generate/measurements.ts';

const timed = (ratio: number, more: Partial<MeasuredRun> = {}): MeasuredRun =>
  ({
    ...{ kind: 'timed', verdict: 'slower', compares: 'time per iteration', isNoisy: false },
    ...{
      flaggedMs: 20,
      mendedMs: 20 / ratio,
      ratio,
      gap: { flagged: -0.04 },
      tolerance: { flagged: 0.25 },
    },
    ...more,
  }) as MeasuredRun;

const caseOf = (
  variant: string,
  runs: readonly MeasuredRun[],
  underLoad?: MeasuredRun,
): MeasuredCase => ({
  ...{ ruleId: 'no-wait', variant, title: `A loop that ${variant}`, flagged: '', mended: '' },
  ...{ runs, underLoad },
});

const measured: Measurements = {
  ...{ writtenBy: 'npm run measure', version: '1.2.3', databases: ['PostgreSQL 18.4 (embedded)'] },
  environment: {
    ...{ date: '2026-11-21T10:00:00Z', node: 'v20.20.2', platform: 'Linux x64' },
    ...{ cpu: 'A processor', cores: 2, load: 0.1 },
  },
  cases: [
    caseOf(
      'sleeps',
      [timed(10), timed(11), timed(10.5), timed(90, { verdict: 'machine-busy' } as never)],
      timed(30, { isNoisy: true, atLeast: 21 } as never),
    ),
    caseOf('leaks', [
      { kind: 'counted', verdict: 'slower', flagged: 'request 51 failed', mended: 'none failed' },
    ]),
    caseOf('stores', [{ kind: 'none', why: 'needs node:sqlite' }]),
    caseOf('crowds', [timed(4, { compares: 'throughput' } as never)]),
  ],
};

describe('tables of measurements', () => {
  it('contain what a rule costs, and on which machine', () => {
    strictEqual(
      costTable(measured, 'no-wait'),
      `Measured by \`npm run measure\`: Deadtime 1.2.3, 2 × A processor, Linux x64, Node.js v20.20.2, PostgreSQL 18.4 (embedded), 2026-11-21.
The figures are medians of 4 runs; \`deadtime prove no-wait\` repeats them where you are.

<!-- prettier-ignore -->
| Benchmark | Before | After | Times slower |
|---|---|---|---|
| A loop that sleeps | 20 ms | 1.90 ms | 10.5 |
| A loop that leaks | request 51 failed | none failed |  |
| A loop that stores | needs node:sqlite |  |  |
| A loop that crowds | 50 per second | 200 per second | 4 |`,
    );
    strictEqual(costTable(measured, 'no-hurry'), undefined);
  });

  it('contain how well the benchmarks repeat, and omit results of a busy machine', () => {
    const rows = spreadTable(measured).split('\n').slice(5);
    strictEqual(
      rows.join('\n'),
      `| \`no-wait/sleeps\` | 10.5 | ±4.8 % (3) | 3 × slower, 1 × machine-busy | at most 4 % off | slower, at least 21 |
| \`no-wait/leaks\` |  |  | slower |  |  |
| \`no-wait/stores\` |  |  | needs node:sqlite |  |  |
| \`no-wait/crowds\` | 4 |  | slower | at most 4 % off |  |`,
    );
  });
});
