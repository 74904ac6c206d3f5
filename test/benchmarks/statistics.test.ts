import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import {
  anytimeIntervalOf,
  createSampler,
  intervalOf,
  medianOf,
  rounded,
} from '../../src/proof/harness/statistics.ts';

describe('statistics', () => {
  it('takes the order statistics whose coverage is exact', () => {
    const intervals = [6, 9, 15, 20].map((count) => {
      const { low, high, confidence } = intervalOf(Array.from({ length: count }, (_, i) => i + 1));
      return [count, low, high, rounded(confidence)];
    });
    deepStrictEqual(intervals, [
      [6, 1, 6, 0.9688],
      [9, 2, 8, 0.9609],
      [15, 4, 12, 0.9648],
      [20, 6, 15, 0.9586],
    ]);
  });

  it('covers the median as often as it claims', () => {
    // A distribution with a long tail: the square of a uniform one, inverted. Its median is 4.
    const random = seeded(7);
    const runs = 4_000;
    let hits = 0;
    for (let run = 0; run < runs; run++) {
      const { low, high } = intervalOf(Array.from({ length: 9 }, () => 1 / random() ** 2));
      if (low <= 4 && 4 <= high) hits++;
    }
    ok(Math.abs(hits / runs - 0.961) < 0.012, `${hits} of ${runs}`);
  });

  it('has bounds for any time from eight pairs on', () => {
    const intervals = [7, 8, 11, 15, 30].map((count) => {
      const { low, high } = anytimeIntervalOf(Array.from({ length: count }, (_, i) => i + 1));
      return [count, low, high];
    });
    deepStrictEqual(intervals, [
      [7, -Infinity, Infinity],
      [8, 1, 8],
      [11, 1, 11],
      [15, 2, 14],
      [30, 7, 24],
    ]);
  });

  it('misses the median in at most one of twenty runs, with a look after each pair', () => {
    const random = seeded(11);
    const runs = 2_000;
    let misses = 0;
    for (let run = 0; run < runs; run++) {
      const values: number[] = [];
      const isMissed = () => {
        values.push(1 / random() ** 2);
        const { low, high } = anytimeIntervalOf(values);
        return low > 4 || high < 4;
      };
      if (Array.from({ length: 60 }, () => 0).some(isMissed)) misses++;
    }
    ok(misses / runs < 0.05, `${misses} of ${runs}`);
    ok(misses > 0);
  });

  it('takes the middle', () => {
    deepStrictEqual([medianOf([3, 1, 2]), medianOf([4, 1, 2, 3])], [2, 2.5]);
  });

  it('keeps percentiles of all samples and a bounded selection of them, in order', () => {
    const sampler = createSampler();
    for (let i = 1; i <= 50_000; i++) sampler.add(i / 1_000);
    const { samplesMs, ...percentiles } = sampler.distribution();
    deepStrictEqual(
      Object.entries(percentiles).map(([name, value]) => [name, Number(value.toPrecision(2))]),
      [
        ...[
          ['count', 50_000],
          ['p25Ms', 13],
          ['medianMs', 25],
        ],
        ...[
          ['p95Ms', 48],
          ['maxMs', 50],
        ],
      ],
    );
    strictEqual(samplesMs.length, 1_000);
    ok(samplesMs.every((it, i) => i === 0 || it > samplesMs[i - 1]!));
    ok(samplesMs[0]! < 0.1 && samplesMs.at(-1)! > 49);
  });

  it('has no result for an empty sample', () => {
    deepStrictEqual(createSampler().distribution(), {
      ...{ count: 0, p25Ms: 0, medianMs: 0, p95Ms: 0, maxMs: 0, samplesMs: [] },
    });
  });
});

/** Numbers from above 0 to 1, the same in every run (Park and Miller's generator). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
