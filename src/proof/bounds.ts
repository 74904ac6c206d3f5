import type { Distribution, TimedMeasurement } from './result.ts';

/** Between these lies the ratio, or the time that each iteration loses. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** The bounds of the ratio on a busy machine. */
export function ratioBounds({ compares, flagged, mended, ratio }: TimedMeasurement): Bounds {
  if (compares !== 'time per iteration') return ratio;
  return wider(ratio, undisturbedRatio(flagged.operations, mended.operations));
}

/** The bounds of the lost time on a busy machine, in milliseconds. */
export function deadBounds({ compares, flagged, mended, deadRangeMs }: TimedMeasurement): Bounds {
  const [low, high] = deadRangeMs;
  if (compares !== 'time per iteration') return { low, high };
  const undisturbed = undisturbedBounds(flagged.operations, mended.operations, (a, b) => a - b);
  return wider({ low, high }, undisturbed);
}

/**
 * What other programs do to a process only adds time, but to some processes more than to others, for as long as a run lasts: of
 * two connections, the server of one may wait for its core before each answer. No number of pairs shows that, but the iterations
 * that ran undisturbed do. Without other programs, an iteration takes at least about the shortest time, and no more than the
 * fastest quarter. So no bound goes beyond the quotient of the two (J. Chen and J. Revels, "Robust benchmarking in noisy
 * environments", arXiv:1608.04295, 2016, on the minimum as the estimate that noise distorts least).
 */
export function undisturbedRatio(flagged: Distribution, mended: Distribution): Bounds {
  return undisturbedBounds(flagged, mended, (a, b) => a / b);
}

function undisturbedBounds(
  flagged: Distribution,
  mended: Distribution,
  compare: (flaggedMs: number, mendedMs: number) => number,
): Bounds {
  return {
    low: compare(Math.min(...flagged.samplesMs), mended.p25Ms),
    high: compare(flagged.p25Ms, Math.min(...mended.samplesMs)),
  };
}

function wider(a: Bounds, b: Bounds): Bounds {
  return { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) };
}
