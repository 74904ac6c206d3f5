import { strictEqual } from 'node:assert/strict';
import { Busy } from '../../src/runtime/program/busy.ts';

describe('the time in which any interval was open', () => {
  const msOf = (...intervals: readonly (readonly [number, number])[]) => {
    const busy = new Busy();
    for (const [start, end] of intervals) busy.add(start, end);
    return busy.ms;
  };

  it('has no pause between intervals', () => {
    strictEqual(msOf([0, 10], [50, 60]), 20);
  });

  it('has what overlaps once', () => {
    strictEqual(msOf([0, 10], [5, 20], [20, 25]), 25);
    strictEqual(msOf([5, 10], [0, 20]), 20);
  });

  it('closes the gaps within a longer interval', () => {
    strictEqual(msOf([0, 10], [20, 30], [40, 50], [5, 60]), 60);
    strictEqual(msOf([0, 10], [20, 30], [40, 50], [25, 60]), 50);
  });

  it('is summed up where there are many gaps, and counts none of it twice', () => {
    const short = Array.from({ length: 100 }, (_, i) => [10 * i, 10 * i + 5] as const);
    strictEqual(msOf(...short), 500);
    const all = msOf(...short, [0, 1_000]);
    strictEqual(all > 500 && all <= 1_000, true);
  });
});
