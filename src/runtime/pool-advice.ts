import {
  type Distribution,
  type EntryKind,
  type Pool,
  type Recording,
  timesOf,
} from './recording.ts';

/** What a pool would have needed, estimated from a run in which calls waited for its connections. */
export interface PoolAdvice {
  /** Connections. */
  readonly size: number;
  /** How many clients and workers there were, on average. */
  readonly clients: number;
  /** What one of them does between two checkouts, on average. */
  readonly betweenMs: number;
}

/** A checkout that waits for less than this share of what it holds its connection for is as good as one that does not wait. */
const SMALL_WAIT = 0.05;
/** Fewer requests on connections that stay open do not show what clients do in between. */
const KNOWN_SHARE = 0.8;
/** With fewer, the means say little. */
const FEWEST_CHECKOUTS = 100;
const MOST_CLIENTS = 100_000;

/**
 * The smallest size with which calls would have waited for at most a twentieth of the time for which they hold a connection, where they waited
 * for longer; undefined where the run does not show it, or where few waited.
 *
 * Clients and workers that wait for each answer are a closed system: by Little's law there are N = X · R of them, with R from one piece
 * of work to the next. Of the cycle N / X of each checkout, all that is neither wait nor hold is time outside of the pool.
 */
export function poolAdviceOf(pool: Pool, recording: Recording): PoolAdvice | undefined {
  const { size, wait, hold, mostWaiting, unmeasured = 0 } = pool;
  if (size === undefined || mostWaiting === 0 || wait.count < FEWEST_CHECKOUTS) return undefined;
  // Of a web server and a worker, clients of one are none of the other.
  if ((pool.processes ?? 1) !== recording.processes) return undefined;
  const waitMs = meanMsOf(wait);
  const holdMs = meanMsOf(hold);
  if (holdMs <= 0 || waitMs <= SMALL_WAIT * holdMs) return undefined;
  const perMs = (wait.count + unmeasured) / spanMsOf(recording) / recording.processes;
  const clients = clientsOf(recording);
  if (clients === undefined || clients > MOST_CLIENTS) return undefined;
  const betweenMs = clients / perMs - waitMs - holdMs;
  // One client then has several checkouts at the same time, or others have some, too.
  if (betweenMs < -SMALL_WAIT * (waitMs + holdMs)) return undefined;
  const system = {
    ...{ clients: Math.max(1, Math.round(clients)), holdMs },
    betweenMs: Math.max(0, betweenMs),
  };
  const advised = smallestSize(system);
  return advised > size ? { size: advised, clients, betweenMs: system.betweenMs } : undefined;
}

function meanMsOf({ totalMs, count }: Distribution): number {
  return totalMs / Math.max(count, 1);
}

/** From the first request or iteration to the last. */
function spanMsOf({ entries }: Recording): number {
  return Math.max(1, ...entries.map((it) => it.spanMs));
}

/** On average, of one process; undefined where requests come on new connections, so that what is between them is not seen. */
function clientsOf({ entries, clients, processes }: Recording): number | undefined {
  const requests = entries.filter((it) => it.kind === 'http');
  const count = requests.reduce((sum, it) => sum + timesOf(it), 0);
  const between = clients?.between;
  if (count > 0 && (!between || between.count < KNOWN_SHARE * count)) return undefined;
  const betweenMs = between ? between.totalMs / between.count : 0;
  const concurrent = entries.map((it) => concurrencyOf(it, it.kind === 'http' ? betweenMs : 0));
  return concurrent.reduce((sum, it) => sum + it, 0) / Math.max(processes, 1);
}

function concurrencyOf(entry: EntryKind, betweenMs: number): number {
  if (entry.count === 0) return 0;
  const eachMs = entry.time.totalMs / entry.count + betweenMs;
  return (eachMs * timesOf(entry)) / Math.max(entry.spanMs, 1);
}

/** A closed system around a pool: what one customer does outside of it and within it, in milliseconds. */
export interface ClosedSystem {
  readonly clients: number;
  readonly betweenMs: number;
  readonly holdMs: number;
}

function smallestSize(system: ClosedSystem): number {
  let [low, high] = [1, system.clients];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (waitMsIn(system, middle) <= SMALL_WAIT * system.holdMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Beyond that, a sum is divided by it: only shares of the sums count. */
const LARGE = 1e200;

/**
 * The mean wait for one of `size` connections: the queue M/M/c//N of machine repair. With n of N clients in the pool or its queue, the rate of
 * arrivals is (N − n) / between and that of ends is min(n, c) / hold; from the probabilities of all n, the queue by Little's law.
 */
export function waitMsIn({ clients, betweenMs, holdMs }: ClosedSystem, size: number): number {
  if (size >= clients) return 0;
  // Of clients that never stop, all but those with a connection wait.
  if (betweenMs <= 0) return (holdMs * (clients - size)) / size;
  let weight = 1;
  let [queued, outside] = [0, clients];
  for (let n = 1; n <= clients; n++) {
    weight *= ((clients - n + 1) * holdMs) / (betweenMs * Math.min(n, size));
    if (weight > LARGE) {
      queued /= LARGE;
      outside /= LARGE;
      weight /= LARGE;
    }
    queued += Math.max(0, n - size) * weight;
    outside += (clients - n) * weight;
  }
  return (queued * betweenMs) / outside;
}
