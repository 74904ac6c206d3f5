import { createSampler, rounded } from '../harness/statistics.ts';
import type { Times } from './results.ts';

/** The percentiles of `times`, in milliseconds, to four digits. */
export function timesOf(times: Iterable<number>): Times {
  const sampler = createSampler();
  for (const it of times) sampler.add(it);
  const { count, p25Ms, medianMs, p95Ms, maxMs } = sampler.distribution();
  return {
    count,
    p25Ms: rounded(p25Ms),
    medianMs: rounded(medianMs),
    p95Ms: rounded(p95Ms),
    maxMs: rounded(maxMs),
  };
}

export interface Effort {
  readonly most: number;
  readonly ms: number;
  /** Runs that do not count. */
  readonly warmUp: number;
  /** Work outside of the times, after each of them. */
  readonly after?: () => Promise<unknown>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` until it has run `most` times or for `ms`, twice at least, and returns how long each took. Rejects when it is
 * aborted.
 */
export async function timed(
  work: () => Promise<unknown>,
  { most, ms, warmUp, after, signal }: Effort,
): Promise<Times> {
  const times: number[] = [];
  const start = performance.now();
  for (let i = -warmUp; i < most; i++) {
    signal?.throwIfAborted();
    const before = performance.now();
    await work();
    const now = performance.now();
    if (i >= 0) times.push(now - before);
    await after?.();
    // A slow network must not make the warm-up the whole.
    if (now - start > ms && times.length >= 2) break;
    if (i < 0 && now - start > ms / 4) i = -1;
  }
  return timesOf(times);
}
