import type { PlainHistogram } from './histogram.ts';
import type { Slice } from './recording.ts';

/** What one process has measured, by the numbers of the plan: its parent adds up several, and puts names to the numbers. */
export interface RawRecording {
  readonly pid: number;
  readonly node: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly sites: readonly RawSite[];
  readonly entries: readonly RawEntryKind[];
  readonly pools: readonly RawPool[];
  readonly databases: readonly RawDatabase[];
  /** From the end of a response to the next request of its connection. */
  readonly between: PlainHistogram;
  readonly eventLoop: {
    readonly lagP50Ms: number;
    readonly lagP99Ms: number;
    readonly lagMaxMs: number;
    readonly utilisation: number;
  };
  /** How long a small task waited for a thread of libuv's pool. */
  readonly threadPool: PlainHistogram;
  /** The absolute paths of the files that were loaded with probes. */
  readonly probed: readonly string[];
  /** Absolute paths. */
  readonly leftAlone: readonly { readonly path: string; readonly reason: LeftAloneReason }[];
}

export type LeftAloneReason = 'changed' | 'generated' | 'failed' | 'required';

export interface RawSite {
  readonly id: number;
  readonly rejected: number;
  readonly unmeasured: number;
  readonly commits: number;
  readonly time: PlainHistogram;
  readonly open: number;
  readonly oldestOpenMs: number;
  readonly pool: PlainHistogram;
  readonly wire: PlainHistogram;
  readonly statements: readonly RawStatement[];
}

export interface RawStatement {
  readonly statement: string;
  readonly count: number;
  readonly most: number;
}

export interface RawEntryKind {
  /** The number of the source of work in the plan; absent for requests. */
  readonly source?: number;
  /** Of requests. */
  readonly name?: string;
  readonly aborted: number;
  readonly unmeasured: number;
  readonly open: number;
  readonly time: PlainHistogram;
  /** In the order of their ends. */
  readonly slices: readonly Slice[];
  /** The start of the first that ended, and the end of the last: in milliseconds since `RawRecording.startedAt`. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** How long at least one was open. */
  readonly busyMs: number;
  /** In the order of `PARTS`. */
  readonly partsMs: readonly number[];
  readonly sites: readonly RawEntrySite[];
  readonly runs: readonly RawRun[];
}

export interface RawEntrySite {
  readonly id: number;
  readonly count: number;
  readonly most: number;
  readonly entries: number;
  readonly exclusiveMs: number;
}

/** Reads in sequence, by the site of the first. */
export interface RawRun {
  readonly first: number;
  readonly count: number;
  readonly totalMs: number;
  readonly togetherMs: number;
}

export interface RawPool {
  readonly driver: string;
  /** The number of the place in the plan; absent where it is not resolved. */
  readonly made?: number;
  readonly size?: number;
  readonly mostHeld: number;
  readonly mostWaiting: number;
  readonly wait: PlainHistogram;
  readonly hold: PlainHistogram;
  readonly idleHoldMs: number;
  readonly unmeasured: number;
  readonly open: number;
  readonly oldestOpenMs: number;
}

export interface RawDatabase {
  readonly driver: string;
  readonly rejected: number;
  readonly unmeasured: number;
  readonly commits: number;
  readonly time: PlainHistogram;
}
