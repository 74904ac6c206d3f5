import { createHistogram } from 'node:perf_hooks';
import type { Distribution } from '../result.ts';

/** The middle value, or the mean of the two middle ones; NaN for none. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** How much of the interval's coverage is asked for; six pairs are the fewest that reach it. */
const CONFIDENCE = 0.95;

/** The fewest pairs whose extremes hold the median with that confidence: 1 - 2 / 2^6 = 0.969. */
export const FEWEST_PAIRS = 6;

export interface Interval {
  /** The median. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Exact. */
  readonly confidence: number;
}

/**
 * The median between two order statistics: the j-th smallest and the j-th largest, with the largest j that covers 95 %. The
 * coverage 1 - 2 P(Binomial(K, 1/2) < j) is exact for every distribution: K = 6 [min, max] 96.9 %, K = 9 [2nd, 8th] 96.1 %, K =
 * 15 [4th, 12th] 96.5 %. With fewer than six it is that of the extremes.
 */
export function intervalOf(values: readonly number[]): Interval {
  const sorted = values.toSorted((a, b) => a - b);
  const { length } = sorted;
  let outside = 2 ** -length;
  let rank = 1;
  let term = outside;
  while (rank < length / 2) {
    term *= (length - rank + 1) / rank;
    if (1 - 2 * (outside + term) < CONFIDENCE) break;
    outside += term;
    rank++;
  }
  return {
    value: medianOf(sorted),
    low: sorted[rank - 1]!,
    high: sorted[length - rank]!,
    confidence: 1 - 2 * outside,
  };
}

/** How often each end of an anytime interval may be wrong. */
const ANYTIME_ERROR = 0.025;

/** The fewest pairs whose extremes are an anytime interval: `evidence(8, 0)` is 57, and 40 is needed. */
export const FEWEST_ANYTIME_PAIRS = 8;

/**
 * Bounds on the median that hold after each pair and not only after the last, so that a run may end as soon as they decide: with 95 %, no look
 * of a whole run finds the median outside. An end is the order statistic up to which the sign test rejects each lower (higher)
 * median. It is a test by betting, whose evidence exceeds 40 at any time with at most 1 / 40 (Ville's inequality): H. Robbins,
 * "Statistical methods related to the law of the iterated logarithm", Ann. Math. Statist. 41 (1970); for quantiles, S. R. Howard
 * and A. Ramdas, "Sequential estimation of quantiles with applications to A/B testing and best-arm identification", Bernoulli 28
 * (2022). Eight pairs are the fewest; without them there are no bounds.
 */
export function anytimeIntervalOf(values: readonly number[]): Interval {
  const sorted = values.toSorted((a, b) => a - b);
  const { length } = sorted;
  let rank = 0;
  while (rank < length / 2 && evidence(length, rank) >= 1 / ANYTIME_ERROR) rank++;
  return {
    value: medianOf(sorted),
    low: rank > 0 ? sorted[rank - 1]! : -Infinity,
    high: rank > 0 ? sorted[length - rank]! : Infinity,
    confidence: 1 - 2 * ANYTIME_ERROR,
  };
}

/**
 * What a bet of 1 against "at most half of the pairs lie above" has become when `below` of `count` lie below: the mean over all
 * shares p from 1/2 to 1 of 2^count p^(count - below) (1 - p)^below. That is 2^(count + 1) P(Binomial(count + 1, 1/2) > below) /
 * ((count + 1) choose(count, below)).
 */
function evidence(count: number, below: number): number {
  let choose = 1;
  let sum = 1;
  let term = 1;
  for (let k = 1; k <= below; k++) {
    choose *= (count - k + 1) / k;
    term *= (count - k + 2) / k;
    sum += term;
  }
  return (2 ** (count + 1) - sum) / ((count + 1) * choose);
}

/** Collects times in bounded memory: a histogram of three digits for the percentiles, every nth sample for the plots. */
export interface Sampler {
  /** `ms` is the mean of `count` iterations that were timed together. */
  add(ms: number): void;
  readonly count: number;
  distribution(): Distribution;
}

const SHOWN_SAMPLES = 1_000;

/** The histogram counts whole picoseconds, so that a microsecond keeps its three digits. */
const UNITS_PER_MS = 1e9;

export function createSampler(): Sampler {
  const histogram = createHistogram({ figures: 3 });
  let kept: number[] = [];
  let step = 1;
  return {
    add(ms) {
      if (histogram.count % step === 0) kept.push(ms);
      if (kept.length === 2 * SHOWN_SAMPLES) {
        kept = kept.filter((_, i) => i % 2 === 0);
        step *= 2;
      }
      histogram.record(Math.max(1, Math.round(ms * UNITS_PER_MS)));
    },
    get count() {
      return histogram.count;
    },
    distribution() {
      const at = (percentile: number) =>
        histogram.count === 0 ? 0 : histogram.percentile(percentile) / UNITS_PER_MS;
      return {
        count: histogram.count,
        p25Ms: at(25),
        medianMs: at(50),
        p95Ms: at(95),
        maxMs: histogram.count === 0 ? 0 : histogram.max / UNITS_PER_MS,
        samplesMs: evenly(kept, SHOWN_SAMPLES).map(rounded),
      };
    },
  };
}

function evenly(values: readonly number[], most: number): readonly number[] {
  if (values.length <= most) return values;
  return Array.from({ length: most }, (_, i) => values[Math.floor((i * values.length) / most)]!);
}

/** Four significant digits: results are read by people and kept in files. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
