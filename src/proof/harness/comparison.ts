import type { Side, TimedMeasurement } from '../result.ts';
import type { Pair, Pairs } from './plan.ts';
import { anytimeIntervalOf, intervalOf } from './statistics.ts';

/** The part of a measurement that comes from the pairs; `compares` names the meaning of their milliseconds. */
export function compared(
  compares: TimedMeasurement['compares'],
  { flagged, mended }: Pair<Side>,
  { pairs, isPlanned }: Pairs,
): TimedMeasurement {
  const interval = isPlanned ? intervalOf : anytimeIntervalOf;
  const ratios = pairs.map((it) => it.flagged / it.mended);
  const difference = interval(pairs.map((it) => it.flagged - it.mended));
  const [a, b] = [flagged.operations, mended.operations];
  return {
    ...{ kind: 'timed', compares, flagged, mended },
    deadMs:
      compares === 'latency'
        ? a.medianMs - b.medianMs
        : flagged.msPerIteration - mended.msPerIteration,
    deadRangeMs: [difference.low, difference.high],
    ratio: {
      ...interval(ratios),
      pairs: ratios,
      // Of users who wait for each other only their throughput means anything.
      ...(compares === 'throughput'
        ? {}
        : { byP25: a.p25Ms / b.p25Ms, byMedian: a.medianMs / b.medianMs }),
    },
  };
}
