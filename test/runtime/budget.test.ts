import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { Budget } from '../../src/runtime/program/budget.ts';

/** Entries that come at these times, in milliseconds: for how many each stands. */
function weightsOf(times: readonly number[], budget = new Budget(() => 0.5)): readonly number[] {
  return times.map((it) => budget.take(it));
}

const everyMs = (ms: number, count: number) => Array.from({ length: count }, (_, i) => i * ms);
const sum = (numbers: readonly number[]) => numbers.reduce((all, it) => all + it, 0);

describe('the budget of a source of work', () => {
  it('has all entries measured that come at 150 a second, and each represents itself', () => {
    deepStrictEqual(new Set(weightsOf(everyMs(1_000 / 150, 5_000))), new Set([1]));
  });

  it('has at most 200 a second measured of those that come faster', () => {
    const weights = weightsOf(everyMs(0.25, 80_000));
    const measured = weights.filter((it) => it > 0).length;
    ok(measured > 3_500 && measured < 4_400, String(measured));
  });

  it('has those measured that follow each other', () => {
    const weights = weightsOf(everyMs(0.25, 80_000));
    const starts = weights.filter((it, i) => it > 0 && !weights[i - 1]).length;
    ok(starts < 30, String(starts));
  });

  it('has the measured ones represent those of the pause before them', () => {
    const weights = weightsOf(everyMs(0.25, 80_000));
    // Nothing has followed the last pause yet.
    const end = weights.findLastIndex((it) => it > 0);
    const whole = sum(weights.slice(0, end));
    ok(Math.abs(whole / end - 1) < 0.05, `${whole} for ${end}`);
  });

  it('measures all of a burst that is small enough', () => {
    deepStrictEqual(new Set(weightsOf(everyMs(0.01, 200))), new Set([1]));
  });

  it('does not have slow entries represent the burst before them', () => {
    const budget = new Budget(() => 0.5);
    strictEqual(weightsOf(everyMs(0.01, 2_000), budget).at(-1), 0);
    deepStrictEqual(weightsOf([10_000, 11_000, 12_000], budget), [1, 1, 1]);
  });

  it('ends a pause by itself', () => {
    const budget = new Budget(() => 0.5);
    weightsOf(everyMs(0.01, 2_000), budget);
    deepStrictEqual(
      [100, 5_000].map((it) => budget.isPaused(it)),
      [true, false],
    );
  });
});
