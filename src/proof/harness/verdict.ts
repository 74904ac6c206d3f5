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

/** The same for the lost time, which a result states first. */
const WIDEST_DIFFERENCE = 1.25;

export function verdictOf(measurement: Measurement, quiet: Quiet): Verdict {
  if (measurement.kind === 'counted') return countedVerdict(measurement);
  if (quiet.isBusy && isUnsteady(measurement) && !isDifferenceSteady(measurement)) {
    return 'machine-busy';
  }
  const { value, low, high } = measurement.ratio;
  if (low > 1 && value >= LEAST_GAIN) return 'slower';
  if (high < 1 && value <= 1 / LEAST_GAIN) return 'faster';
  return 'no-difference';
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

/** A sleep of 100 ms is lost in any case, even where a query of 0.1 ms varies with other processes. */
function isDifferenceSteady({ deadRangeMs, compares }: TimedMeasurement): boolean {
  if (compares === 'throughput') return false;
  const [least, most] = deadRangeMs.map(Math.abs).sort((a, b) => a - b) as [number, number];
  const isOneSided = deadRangeMs[0] * deadRangeMs[1] > 0;
  return isOneSided && most / least <= WIDEST_DIFFERENCE;
}
