import type { DatabaseAccess } from '../case.ts';
import type { Environment, Quiet } from '../result.ts';

/** Times of single operations, in milliseconds. */
export interface Times {
  readonly count: number;
  readonly p25Ms: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

/**
 * What `deadtime profile` measured, and what deadtime.profile.json holds. Plain JSON; all of it was measured on one machine at
 * one time, and nothing in it names a host or holds a password.
 */
export interface MachineProfile {
  /** "deadtime profile 0.1.0": the program that wrote the file. */
  readonly writtenBy: string;
  /** Of the file; a later format has another number. */
  readonly format: 1;
  readonly environment: Environment;
  readonly loopTurn: {
    /** A turn of the event loop by setImmediate, when nothing else is there to do. */
    readonly idle: Times;
    /** The same next to an HTTP server and four clients that send requests without a pause, all in this process. */
    readonly busy: Times;
    /** A turn by `setTimeout(_, 0)`. */
    readonly timer: Times;
  };
  readonly database?: DatabaseProfile;
  /** How much of the machine was left for the measurement. */
  readonly quiet: Quiet;
}

export interface DatabaseProfile {
  /** Where the server came from; only with `url` is the way to it the user's own. */
  readonly origin: DatabaseAccess['origin'];
  /** `SELECT 1` through the driver, on an open connection. */
  readonly roundTrip: Times;
  /** Opening a connection, with authentication. */
  readonly connect: Times;
  /** A transaction that writes a message to the log, and nothing else; absent where that takes a table. */
  readonly commit?: Times;
  /** A page written and flushed to the disk of the server's data; absent where that disk is not ours to write to. */
  readonly flush?: Times;
}

/** What `deadtime pool-size` was asked; times in milliseconds. */
export interface PoolDemand {
  readonly users: number;
  readonly queryMs: number;
  readonly thinkMs: number;
  /** Whether the user set the think time, or it is assumed. */
  readonly isThinkAssumed: boolean;
  readonly workers: number;
  readonly serverMax: number;
  /** Whether the user set the server's limit, or it is PostgreSQL's default. */
  readonly isServerMaxAssumed: boolean;
}

export interface PoolSize {
  readonly demand: PoolDemand;
  /** Requests per second while no request waits for a connection. */
  readonly requestsPerSecond: number;
  /** Little's law: as many connections as queries are under way, for all workers. */
  readonly connections: number;
  /** That, divided among the workers: the size for each one's pool, limit or not. */
  readonly wanted: number;
  /** The published rule of thumb, ceil(users · queryMs / 1000 · 1.2), divided among the workers. */
  readonly published: number;
  /** What the server's limit leaves for each worker's pool. */
  readonly allowed: number;
  /** The smaller of `wanted` and `allowed`. */
  readonly size: number;
  /** Estimated: Little's law for users who think for longer or for less long. */
  readonly others: readonly { readonly thinkMs: number; readonly wanted: number }[];
}

/** The closed form for one pool in a closed loop of users. Estimated. */
export interface PoolPrediction {
  readonly requestsPerSecond: number;
  readonly averageMs: number;
  /** Requests that wait for a connection. */
  readonly queue: number;
}

export interface PoolTestRow {
  /** Connections of the pool. */
  readonly size: number;
  readonly predicted: PoolPrediction;
  readonly measured: {
    readonly requests: number;
    readonly requestsPerSecond: number;
    readonly averageMs: number;
    readonly p95Ms: number;
    readonly peakQueue: number;
    readonly meanQueue: number;
    /** 0 to 1; near 1 this process was the limit, not the pool. */
    readonly eventLoopUtilization: number;
  };
}

/** The load test of one worker's pool at four sizes. */
export type PoolTest =
  | {
      readonly state: 'simulated';
      readonly environment: Environment;
      /** Users of one worker. */
      readonly users: number;
      /** How long the query took on an idle server, median: the closed form starts from it. */
      readonly queryMs: number;
      /** All times were divided by this, and the results are given in the times that were asked for. */
      readonly timeScale: number;
      readonly rows: readonly PoolTestRow[];
      readonly quiet: Quiet;
    }
  /** It would show nothing here, or take too long. */
  | { readonly state: 'not-run'; readonly reason: string }
  | {
      readonly state: 'unavailable';
      readonly needs: readonly { readonly what: string; readonly command?: string }[];
    }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'cancelled' };
