import type { Environment } from '../result.ts';

/** One published figure next to the figure of this machine. */
export interface Figure {
  /** "20 users: average response". */
  readonly name: string;
  readonly unit: 'ms' | 'per second' | 'count' | 'ratio' | 'share';
  /** Absent where nothing was published that can be compared. */
  readonly published?: number;
  readonly measured: number;
  /** Measured over published. */
  readonly ratio?: number;
}

/**
 * `reproduced`: as published, within the tolerance of the row; `weaker`: only under a condition that the reason names;
 * `not-shown`: not on this machine. The remaining verdicts contain why there is no answer.
 */
export type SuiteVerdict =
  'reproduced' | 'weaker' | 'not-shown' | 'machine-busy' | 'unavailable' | 'failed';

export interface SuiteRow {
  /** As in the list of published figures. */
  readonly number: number;
  readonly ruleId: string;
  readonly claim: string;
  /** What was published, in words. */
  readonly published: string;
  readonly figures: readonly Figure[];
  readonly verdict: SuiteVerdict;
  /** A sentence or two: why, and when the claim holds where it does not here. */
  readonly reason: string;
  /** Repeats the central run, or gets what is missing. */
  readonly command?: string;
}

export interface Suite {
  readonly environment: Environment;
  readonly rows: readonly SuiteRow[];
  readonly durationMs: number;
}
