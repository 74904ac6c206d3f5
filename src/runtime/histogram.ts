import type { Distribution } from './recording.ts';

/** Eight buckets for each power of two of microseconds, up to half an hour. */
const EIGHTHS = 3;
const PARTS = 1 << EIGHTHS;
const MOST_US = 2 ** 31 - 1;
const BUCKETS = (32 - EIGHTHS) * PARTS;

/** Times in a fixed amount of memory: 1 kB once it has one. */
export class Histogram {
  /** How many were measured. */
  count = 0;
  maxMs = 0;
  /** How many these represent, and the time of those. */
  #weight = 0;
  #weightedMs = 0;
  #counts: Uint32Array | undefined;

  /** `weight`: how many times this one represents, a whole number. */
  add(ms: number, weight = 1): void {
    this.count++;
    this.#weight += weight;
    this.#weightedMs += ms * weight;
    if (ms > this.maxMs) this.maxMs = ms;
    const counts = (this.#counts ??= new Uint32Array(BUCKETS));
    counts[bucketOf(ms)]! += weight;
  }

  /** The buckets that are not empty. Weights change what share each has of the measured ones, and not how many these are. */
  plain(): PlainHistogram {
    const { count, maxMs } = this;
    const scale = count / Math.max(this.#weight, 1);
    const buckets: (readonly [number, number])[] = [];
    for (const [bucket, its] of this.#counts?.entries() ?? []) {
      if (its > 0) buckets.push([bucket, its * scale]);
    }
    return { count, totalMs: this.#weightedMs * scale, maxMs, buckets };
  }
}

/** As plain data, which several processes write and one reads. */
export interface PlainHistogram {
  readonly count: number;
  readonly totalMs: number;
  readonly maxMs: number;
  /** By the number of the bucket. */
  readonly buckets: readonly (readonly [bucket: number, count: number])[];
}

/** The number of the bucket for a time: exact below 8 µs, above that the first four binary digits of the microseconds. */
export function bucketOf(ms: number): number {
  const us = ms > 0 ? Math.min(Math.floor(ms * 1_000), MOST_US) : 0;
  if (us < PARTS) return us;
  const exponent = 31 - Math.clz32(us);
  return (exponent - EIGHTHS + 1) * PARTS + ((us >> (exponent - EIGHTHS)) & (PARTS - 1));
}

/** Where a bucket starts, in milliseconds. */
export function startOf(bucket: number): number {
  if (bucket < PARTS) return bucket / 1_000;
  const exponent = Math.floor(bucket / PARTS) + EIGHTHS - 1;
  return ((PARTS + (bucket % PARTS)) * 2 ** (exponent - EIGHTHS)) / 1_000;
}

export const EMPTY: PlainHistogram = { count: 0, totalMs: 0, maxMs: 0, buckets: [] };

/** Of several processes. */
export function sumOf(histograms: readonly PlainHistogram[]): PlainHistogram {
  const buckets = new Map<number, number>();
  for (const [bucket, count] of histograms.flatMap((it) => it.buckets)) {
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + count);
  }
  return {
    count: histograms.reduce((sum, it) => sum + it.count, 0),
    totalMs: histograms.reduce((sum, it) => sum + it.totalMs, 0),
    maxMs: histograms.reduce((most, it) => Math.max(most, it.maxMs), 0),
    buckets: [...buckets].sort(([a], [b]) => a - b),
  };
}

/** What a reader wants of it. */
export function distributionOf(histogram: PlainHistogram): Distribution {
  const { count, totalMs, maxMs, buckets } = histogram;
  return {
    count,
    totalMs: rounded(totalMs),
    p50Ms: rounded(quantileOf(histogram, 0.5)),
    p95Ms: rounded(quantileOf(histogram, 0.95)),
    maxMs: rounded(maxMs),
    histogram: buckets.map(([bucket, its]) => [startOf(bucket), rounded(its)] as const),
  };
}

/** In milliseconds; within the bucket, times count as spread evenly. */
function quantileOf({ count, maxMs, buckets }: PlainHistogram, share: number): number {
  let left = count * share;
  for (const [bucket, its] of buckets) {
    if (its >= left) {
      const start = startOf(bucket);
      const end = Math.min(startOf(bucket + 1), maxMs);
      return Math.min(start + (end - start) * (left / its), maxMs);
    }
    left -= its;
  }
  return maxMs;
}

/** Microseconds are as much as the clock is good for. */
export function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
