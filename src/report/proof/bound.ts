import { ratioBounds } from '../../proof/bounds.ts';
import type { Completed, Ratio } from '../../proof/result.ts';
import { shareText } from './figures.ts';

/** What a run on a busy machine states in place of a ratio. */
export interface Bound {
  /** Whether the ratio is at most so much, which is no difference; if not, at least. */
  readonly isAtMost: boolean;
  /** How many times slower. */
  readonly times: number;
  /** `times`, rounded so that the digits claim no more than the measurement. */
  readonly text: string;
}

/** A call without a wait takes as long as a core needs to wake up, and no two runs agree on a ratio to that. */
const LEAST_LATENCY_MS = 1;

/** Undefined where the machine was calm, for a count, without a verdict, and where a ratio means nothing. */
export function boundOf({ verdict, measurement, quiet }: Completed): Bound | undefined {
  if (measurement.kind === 'counted' || !quiet.isBusy) return undefined;
  const { compares, flagged, mended } = measurement;
  const shorterMs = Math.min(flagged.operations.medianMs, mended.operations.medianMs);
  if (compares === 'latency' && shorterMs < LEAST_LATENCY_MS) return undefined;
  const { low, high } = ratioBounds(measurement);
  switch (verdict) {
    case 'slower':
      return leastOf(low);
    case 'faster':
      return leastOf(1 / high);
    case 'no-difference': {
      const times = Math.max(measurement.ratio.high, 1 / measurement.ratio.low);
      return { isAtMost: true, times, text: (Math.ceil(100 * times) / 100).toFixed(2) };
    }
    case 'machine-busy':
      return undefined;
  }
}

function leastOf(times: number): Bound {
  return { isAtMost: false, times, text: roundedDown(times).toLocaleString('en') };
}

/** To two digits, because a bound of a busy machine has no third; close to 1, to three. */
export function roundedDown(value: number): number {
  if (value <= 0) return 0;
  const unit = value >= 1 && value < 1.1 ? 0.01 : 10 ** (Math.floor(Math.log10(value)) - 1);
  return Number((Math.floor(value / unit) * unit).toPrecision(3));
}

/** "at least 2.1, the 95 % bound of 12 pairs alongside other programs". */
export function boundText({ isAtMost, text }: Bound, { confidence, pairs }: Ratio): string {
  const side = isAtMost ? 'at most' : 'at least';
  return `${side} ${text}, the ${shareText(confidence)} bound of ${pairs.length} pairs alongside other programs`;
}
