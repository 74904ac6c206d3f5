import { deepStrictEqual, ok } from 'node:assert/strict';
import type { BenchmarkCase } from '../src/proof/case.ts';
import { table } from '../src/proof/table.ts';
import { believed, measurements, quoted, spreadOf } from '../tools/generate/measurements.ts';

/** As docs/explanations/how-we-measure.md says. */
const FEWEST_RUNS = 5;
const WIDEST_SPREAD = 0.1;

describe('what was measured', () => {
  const measured = measurements();
  const nameOf = ({ ruleId, variant }: { readonly ruleId: string; readonly variant: string }) =>
    `${ruleId}/${variant}`;

  it('is every benchmark that there is', () => {
    deepStrictEqual(
      measured?.cases.map(nameOf),
      Object.values<readonly BenchmarkCase[]>(table).flat().map(nameOf),
    );
  });

  for (const { runs, ...benchmark } of measured?.cases ?? []) {
    it(`keeps what the pages promise: ${nameOf(benchmark)}`, () => {
      ok(runs.length >= FEWEST_RUNS, `${runs.length} runs`);
      const [first] = runs;
      if (first?.kind === 'counted') for (const run of runs) deepStrictEqual(run, first);
      const steady = quoted(runs);
      if (steady.length > 1) ok(spreadOf(steady) <= WIDEST_SPREAD, `spread ${spreadOf(steady)}`);
      for (const run of believed(runs)) {
        for (const side of ['flagged', 'mended'] as const) {
          const most = run.tolerance[side];
          if (most === undefined) continue;
          const gap = Math.abs(run.gap[side]!);
          ok(gap <= most, `${side} lies ${gap} from the closed form, more than ${most}`);
        }
      }
    });
  }
});
