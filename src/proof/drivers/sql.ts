import type { DatabaseKind, Loan, Trace } from '../case.ts';

/**
 * A database behind its real driver, with the methods that `pg` has: what mysql2 calls differently is translated here, so
 * that a case shows the code that people write. Placeholders are `$1`, `$2`, each used once and in order.
 */
export interface Sql {
  readonly kind: DatabaseKind;
  /** Of a server of the user's. */
  readonly loan?: Loan;
  pool(options: PoolOptions): SqlPool;
  /** A connection of its own, outside any pool. */
  connect(): Promise<SqlConnection>;
  /** Closes all open connections. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly max: number;
  /** How long a checkout may wait; without it, indefinitely, as both drivers do by default. */
  readonly connectionTimeoutMillis?: number;
  readonly idleTimeoutMillis?: number;
  /** Whether there is a listener for errors of idle connections (yes), without which such an error is uncaught. */
  readonly listensToErrors?: boolean;
}

export interface SqlPool {
  readonly kind: DatabaseKind;
  readonly totals: Totals;
  /** Settles when a connection has left the pool, closed by either side. */
  readonly gone: Promise<void>;
  /** Checkouts that wait for a connection now. */
  readonly waitingCount: number;
  query(text: string, values?: readonly SqlValue[]): Promise<Result>;
  connect(): Promise<PooledConnection>;
  end(): Promise<void>;
}

export interface PooledConnection {
  query(text: string, values?: readonly SqlValue[]): Promise<Result>;
  /** `true` closes it instead of releasing it. */
  release(destroy?: boolean): void;
}

export interface SqlConnection {
  query(text: string, values?: readonly SqlValue[]): Promise<Result>;
  /** Calls `wake` for each notification; only PostgreSQL has them. */
  listen(channel: string, wake: () => void): Promise<void>;
  end(): Promise<void>;
}

export type SqlValue = string | number | boolean | number[];

export interface Result {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Rows that were changed or returned. */
  readonly rowCount: number;
}

/** What went over the wire so far: each query is one round trip, and opening a connection is counted by itself. */
export interface Totals {
  roundTrips: number;
  connections: number;
}

/** Names for concurrent work, the lowest free number first: "query 1", "query 2". */
export function lanes(trace: Trace, name: string) {
  const isTaken: boolean[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const free = isTaken.indexOf(false);
    const lane = free < 0 ? isTaken.length : free;
    isTaken[lane] = true;
    try {
      return await trace.call(`${name} ${lane + 1}`, work);
    } finally {
      isTaken[lane] = false;
    }
  };
}
