import { type Bounds, ratioBounds } from '../bounds.ts';
import type {
  CountedMeasurement,
  Measurement,
  Quiet,
  TimedMeasurement,
  Verdict,
} from '../result.ts';

/** A gain below 5 % is no reason to change code. */
const LEAST_GAIN = 1.05;

/** Throughput and single operations may differ by this much before one of them is doubted. */
const NOISE = 1.2;

/** Pairs that lie further apart have no ratio that another run would find again. */
const WIDEST_RATIO = 1.3;

/** A call without a wait takes as long as a core needs to wake, and no two runs agree on a ratio to that. */
const LEAST_LATENCY_MS = 1;

/**
 * The same on a busy machine, for the bound: the scheduler may favour one of two processes in all pairs of a run. Between the two
 * connections of `no-checkout-per-query/pooled`, whose sides do the same, bounds up to 1.08 were measured.
 */
const LEAST_BUSY_GAIN = 1.2;

/** Where a busy machine leaves a gain below this possible, and a loss, there is no difference worth a change. */
const SMALL_GAIN = 1.1;

/** How close the bound has to come to the median before a run on a busy machine ends early. */
const CLOSE_BOUND = 0.8;

export function verdictOf(measurement: Measurement, quiet: Quiet): Verdict {
  if (measurement.kind === 'counted') return countedVerdict(measurement);
  if (quiet.isBusy) return busyVerdict(measurement);
  const { value, low, high } = measurement.ratio;
  if (low > 1 && value >= LEAST_GAIN) return 'slower';
  if (high < 1 && value <= 1 / LEAST_GAIN) return 'faster';
  return 'no-difference';
}

/**
 * By the bound and not by the median: the worst gain that the pairs leave possible is one worth having. Single operations have
 * to agree on the direction, because what else runs stretches few of them by much.
 */
function busyVerdict(measurement: TimedMeasurement): Verdict {
  const verdict = decisionOf(measurement.ratio, ratioBounds(measurement)) ?? 'machine-busy';
  const { value, byMedian = value } = measurement.ratio;
  const isContradicted =
    verdict === 'slower' ? byMedian <= 1 : verdict === 'faster' && byMedian >= 1;
  return isContradicted ? 'machine-busy' : verdict;
}

/** A difference has to be one within both bounds, and the lack of one is up to the pairs. */
function decisionOf(
  ratio: Bounds,
  { low, high }: Bounds,
): Exclude<Verdict, 'machine-busy'> | undefined {
  if (low >= LEAST_BUSY_GAIN) return 'slower';
  if (high <= 1 / LEAST_BUSY_GAIN) return 'faster';
  return ratio.low >= 1 / SMALL_GAIN && ratio.high <= SMALL_GAIN ? 'no-difference' : undefined;
}

/** Whether more pairs would neither change the verdict nor improve its bound by much. */
export function isDecided(
  ratio: Bounds & { readonly value: number },
  undisturbed: Bounds = ratio,
): boolean {
  const low = Math.min(ratio.low, undisturbed.low);
  const high = Math.max(ratio.high, undisturbed.high);
  switch (decisionOf(ratio, { low, high })) {
    case undefined:
      return false;
    case 'no-difference':
      return true;
    case 'slower':
      return ratio.low >= CLOSE_BOUND * ratio.value;
    case 'faster':
      return ratio.high * CLOSE_BOUND <= ratio.value;
  }
}

/** A count is the same on a busy machine. */
function countedVerdict({ flagged, mended }: CountedMeasurement): Verdict {
  if (flagged.isFailure === mended.isFailure) return 'no-difference';
  return flagged.isFailure ? 'slower' : 'faster';
}

/** Whether there is no ratio to quote. A load that stays the same leaves the pairs in agreement, on a wrong one. */
export function isNoisy(measurement: Measurement, quiet: Quiet): boolean {
  return measurement.kind === 'timed' && (quiet.isBusy || isUnsteady(measurement));
}

/** Whether throughput and single operations disagree, or the pairs with each other. */
function isUnsteady(measurement: TimedMeasurement): boolean {
  const { compares, flagged, mended } = measurement;
  if (compares === 'latency') {
    const shorterMs = Math.min(flagged.operations.medianMs, mended.operations.medianMs);
    if (shorterMs < LEAST_LATENCY_MS) return true;
  }
  const { value, low, high, byMedian } = measurement.ratio;
  if (high / low > WIDEST_RATIO) return true;
  return byMedian !== undefined && Math.max(byMedian / value, value / byMedian) > NOISE;
}
