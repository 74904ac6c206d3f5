/**
 * `simulated`: real components on this machine whose delays the benchmark sets; `measured`: against a server that the user
 * named. A number without a run is `estimated` and never part of a result.
 */
export type Status = 'simulated' | 'measured';

export type ParameterValue = number | string | boolean;

/** `share` is 0 to 1; `word` is one of the specification's words. */
export type Unit = 'ms' | 'count' | 'share' | 'bytes' | 'word';

/**
 * The origin of a value: the reported code, a library's verified default, deadtime.profile.json, an assumption, a number that
 * a fix suggests, or the user's own setting.
 */
export type ParameterSource = 'code' | 'default' | 'profile' | 'assumed' | 'suggested' | 'set';

export interface Parameter {
  readonly name: string;
  readonly value: ParameterValue;
  readonly unit: Unit;
  readonly source: ParameterSource;
  readonly description: string;
  /** A note about the value for the reader: "the code has 5000 ms; shortened to fit 5 s". */
  readonly note?: string;
}

/** Times of single operations. Percentiles are over all of them, `samplesMs` is a bounded selection. */
export interface Distribution {
  readonly count: number;
  readonly p25Ms: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  /** At most 1,000, evenly picked, in the order of time. */
  readonly samplesMs: readonly number[];
}

/** A bar of the timeline of one run; times in milliseconds from its beginning. */
export interface Span {
  /** Spans with the same label share a line. */
  readonly label: string;
  /** `dead` is waiting that the fix removes. */
  readonly kind: 'call' | 'dead';
  readonly startMs: number;
  readonly endMs: number;
}

/** Counted, not timed, so the same on a busy machine: "round trips per query". */
export interface Counter {
  readonly name: string;
  readonly per: string;
  readonly value: number;
}

/** One variant of the code as it was timed. */
export interface Side {
  /** A phrase about this variant: "sleeps 20 ms after each job". */
  readonly label: string;
  readonly iterations: number;
  /** Mean over all measured slices: the headline. Under load, the time between two completions. */
  readonly msPerIteration: number;
  /** The throughput cap: iterations or requests per second. */
  readonly perSecond: number;
  /** Single samples, per iteration; responses under load; the unrelated call where that is what is compared. */
  readonly operations: Distribution;
  /** 0 to 1, over the measured slices: low while waiting, 1 when the CPU is what limits. */
  readonly eventLoopUtilization: number;
  readonly counters: readonly Counter[];
  readonly timeline: readonly Span[];
  /** Under load only: responses to calls at a fixed rate, each timed from when it should have started. */
  readonly openLoop?: { readonly perSecond: number; readonly responses: Distribution };
  /** Highest and mean values of what the case watched: the pool's queue. */
  readonly gauges: readonly {
    readonly name: string;
    readonly peak: number;
    readonly mean: number;
  }[];
}

/**
 * How many times worse the side before the fix is. The interval is order statistics of the pairs, exact for any distribution.
 */
export interface Ratio {
  /** Median of the pairs. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** The interval's exact coverage: 0.969 for the extremes of six pairs. */
  readonly confidence: number;
  readonly pairs: readonly number[];
  /** The same ratio by the 25th percentile and the median of single operations; undefined where only throughput counts. */
  readonly byP25?: number;
  readonly byMedian?: number;
}

/** What the ratio compares: `latency` is that of an unrelated call during the work. */
export type Quantity = 'time per iteration' | 'throughput' | 'latency';

export interface TimedMeasurement {
  readonly kind: 'timed';
  readonly compares: Quantity;
  readonly flagged: Side;
  readonly mended: Side;
  /** Per iteration, or of latency: before minus after. */
  readonly deadMs: number;
  /**
   * The difference of the pairs: an interval as the ratio's. It is stable where a short side after the fix makes the ratio
   * jump.
   */
  readonly deadRangeMs: readonly [low: number, high: number];
  readonly ratio: Ratio;
}

/** The result of one variant: "request 51 failed", "0 of 10 jobs finished". */
export interface Outcome {
  readonly label: string;
  readonly value: number;
  /** The counted thing: "the first request that fails". */
  readonly of: string;
  readonly isFailure: boolean;
  readonly text: string;
}

export interface CountedMeasurement {
  readonly kind: 'counted';
  readonly flagged: Outcome;
  readonly mended: Outcome;
}

export type Measurement = TimedMeasurement | CountedMeasurement;

/** The closed form next to the measurement. */
export interface PredictionResult {
  /** The formula with its names, for people: "1000 / (share · sleepMs + queryMs)". */
  readonly formula: string;
  readonly unit: PredictionUnit;
  readonly flagged: number;
  readonly mended: number;
  readonly tolerance?: Tolerance;
  /** Measured over predicted minus 1, for each side. */
  readonly gap: { readonly flagged: number; readonly mended: number };
}

/**
 * How far a measurement may lie from the closed form, by side: 0.25, or 0.05 for sleeps and pool sizes. A side without one
 * claims nothing: a query of 0.05 ms takes twice that on another core.
 */
export interface Tolerance {
  readonly flagged?: number;
  readonly mended?: number;
}

export type PredictionUnit = 'ms per iteration' | 'per second' | 'ms' | 'count';

/** The closed form at other values of one parameter: nothing here was run. */
export interface Estimates {
  readonly parameter: string;
  readonly unit: Unit;
  /** The unit of `flagged` and `mended`. */
  readonly predicts: PredictionUnit;
  readonly points: readonly {
    readonly value: ParameterValue;
    readonly flagged: number;
    readonly mended: number;
  }[];
}

/** The closed form of a finding's benchmark, before a run. */
export interface Estimate {
  readonly title: string;
  /** Undefined where the benchmark has no closed form. */
  readonly prediction: Omit<PredictionResult, 'gap' | 'tolerance'> | undefined;
  /** The counted thing of the prediction, where it is a count. */
  readonly counts: string | undefined;
  readonly parameters: readonly Parameter[];
  /** What it takes, by name, for times that a run measures on the machine. */
  readonly assumedMs: Readonly<Record<string, number>>;
}

export interface Environment {
  readonly date: string;
  readonly node: string;
  readonly platform: string;
  readonly cpu: string;
  readonly cores: number;
  /** The one-minute load average before the run; 0 on Windows, which has none. */
  readonly load: number;
  /** "PostgreSQL 18.4 (embedded)"; undefined where the case needs none. */
  readonly database?: string;
}

/** How much of the machine the benchmark got. */
export interface Quiet {
  readonly isBusy: boolean;
  /** The part of a spin's wall time in which the process had the CPU: 1 on a quiet machine. */
  readonly cpuShare: number;
  /** How much later than asked a timer fired, median, in milliseconds. */
  readonly timerLateMs: number;
  /** Sentences about what is busy. */
  readonly signs: readonly string[];
}

/**
 * `slower`: the side before the fix is slower, by at least 5 % and with an interval above 1. `faster`: the reverse.
 * `no-difference`: the interval includes 1, or the gain is under 5 %. `machine-busy`: the numbers are not valid.
 */
export type Verdict = 'slower' | 'faster' | 'no-difference' | 'machine-busy';

export interface BenchmarkRun {
  readonly ruleId: string;
  readonly variant: string;
  readonly title: string;
  readonly shape: Shape;
  /** `written` is the proof; with `mended` on both sides or `swapped` it checks the benchmark itself. */
  readonly arrangement: Arrangement;
  readonly status: Status;
  readonly parameters: readonly Parameter[];
  readonly environment: Environment;
  /** The command line that repeats the run. */
  readonly command: string;
  readonly durationMs: number;
  readonly doesNotShow: readonly string[];
}

/** Which code ran: the case's own, or the reported code's loops and waits with a query in place of each of its own. */
export type Shape =
  | {
      readonly kind: 'case';
      /** Why the reported code could not be replayed; absent without a request for a replay. */
      readonly because?: string;
    }
  | {
      readonly kind: 'replay';
      /** The meaning of one iteration: "one call of overview()". */
      readonly unit: string;
      /** Both programs for people, one wait a line, with the lines of the code that they come from. */
      readonly flagged: string;
      readonly mended: string;
    };

export type Arrangement = 'written' | 'mended' | 'swapped';

export interface Completed extends BenchmarkRun {
  readonly state: 'completed';
  readonly verdict: Verdict;
  readonly measurement: Measurement;
  readonly prediction?: PredictionResult;
  /** One for each assumed parameter. */
  readonly sensitivity: readonly Estimates[];
  readonly scaling?: Estimates;
  readonly quiet: Quiet;
  /** No ratio to quote: the machine was busy, the pairs disagree, or throughput and single operations do by more than 20 %. */
  readonly isNoisy: boolean;
}

/** Something is missing on this machine; `command` gets it. */
export interface Unavailable extends BenchmarkRun {
  readonly state: 'unavailable';
  readonly needs: readonly { readonly what: string; readonly command?: string }[];
}

/** The longest time limit that a benchmark takes: more than an hour is a mistake. */
export const MOST_SECONDS = 3_600;

export interface Failed extends BenchmarkRun {
  readonly state: 'failed';
  readonly reason: 'time-limit' | 'error';
  /** The time limit to try next; absent where time was not the reason, or there is no longer one. */
  readonly neededSeconds?: number | undefined;
  /** What happened and what to do. */
  readonly message: string;
}

export interface Cancelled extends BenchmarkRun {
  readonly state: 'cancelled';
}

/** The result of a benchmark. Plain JSON; its printers compute nothing. */
export type BenchmarkResult = Completed | Unavailable | Failed | Cancelled;
