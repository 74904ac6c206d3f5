import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import {
  bucketOf,
  distributionOf,
  EMPTY,
  Histogram,
  startOf,
  sumOf,
} from '../../src/runtime/histogram.ts';

describe('the histogram of a recording', () => {
  it('has buckets that follow each other without a gap', () => {
    for (let bucket = 0; bucket < 200; bucket++) {
      strictEqual(bucketOf(startOf(bucket) + 1e-9), bucket);
      strictEqual(bucketOf(startOf(bucket + 1) - 2e-7), bucket);
    }
  });

  it('has buckets that are at most an eighth wide', () => {
    for (let bucket = 8; bucket < 200; bucket++) {
      ok(startOf(bucket + 1) / startOf(bucket) <= 1.1251);
    }
  });

  it('keeps a time below zero and one of days', () => {
    deepStrictEqual([bucketOf(-1), bucketOf(0)], [0, 0]);
    strictEqual(bucketOf(1e9), bucketOf(1e10));
  });

  it('has quantiles within 6 % of those of the times', () => {
    const histogram = new Histogram();
    const times = Array.from({ length: 10_000 }, (_, i) => 0.05 * 1.001 ** i);
    for (const it of times) histogram.add(it);
    const { p50Ms, p95Ms, maxMs, count } = distributionOf(histogram.plain());
    for (const [found, at] of [
      [p50Ms, 0.5],
      [p95Ms, 0.95],
    ] as const) {
      const exact = times[Math.floor(at * times.length)]!;
      ok(Math.abs(found / exact - 1) < 0.06, `${found} for ${exact}`);
    }
    deepStrictEqual([count, maxMs], [10_000, Math.round(times.at(-1)! * 1_000) / 1_000]);
  });

  it('adds up those of several processes', () => {
    const [one, other] = [new Histogram(), new Histogram()];
    one.add(3);
    one.add(40);
    other.add(3);
    const { count, totalMs, maxMs, histogram } = distributionOf(
      sumOf([one.plain(), other.plain(), EMPTY]),
    );
    deepStrictEqual([count, totalMs, maxMs], [3, 46, 40]);
    deepStrictEqual(
      histogram.map(([, its]) => its),
      [2, 1],
    );
  });
});
