import type { Pool, PoolClient } from 'pg';
import { environmentOf } from '../harness/environment.ts';
import { createQuietWatch } from '../harness/quiet.ts';
import type { Database } from '../servers/database.ts';
import { runLoad } from './pool-load.ts';
import { predictionFor, testedSizes } from './pool-size.ts';
import type { PoolSize, PoolTest, PoolTestRow } from './results.ts';
import { timed } from './times.ts';

/** The servers that are started here take 220. */
const MOST_CONNECTIONS = 200;

/** Beyond that this process is what limits, not the pool. */
const MOST_REQUESTS_PER_SECOND = 2_000;
const MOST_USERS = 2_000;

/** A cycle of a user that is longer is shortened, and all times with it. */
const LONGEST_CYCLE_MS = 500;

/** Shortened no further: timers and the server count in whole milliseconds. */
const SHORTEST_QUERY_MS = 20;

const LONGEST_TEST_MS = 60_000;

export interface PoolTestOptions {
  readonly signal?: AbortSignal | undefined;
  /** 0 to 1. */
  onProgress?(share: number): void;
}

/** How the load is run: one worker's share of it, with all times divided by `timeScale`. */
interface Plan {
  readonly users: number;
  readonly queryMs: number;
  readonly thinkMs: number;
  readonly timeScale: number;
  readonly sizes: readonly number[];
}

/** The plan of the test, or why there is none: resolved before a server is started. */
export function planOf(sizing: PoolSize): Plan | { readonly reason: string } {
  const { demand, size } = sizing;
  const users = Math.ceil(demand.users / demand.workers);
  if (size === 0) return { reason: 'the server’s limit leaves no connection for each worker' };
  const sizes = testedSizes(sizing, MOST_CONNECTIONS);
  if (size > MOST_CONNECTIONS || users > MOST_USERS) {
    return {
      reason: `the test takes ${MOST_CONNECTIONS} connections and ${MOST_USERS} users at most: --workers divides them`,
    };
  }
  const cycleMs = demand.queryMs + demand.thinkMs;
  const timeScale = Math.max(
    1,
    Math.min(cycleMs / LONGEST_CYCLE_MS, demand.queryMs / SHORTEST_QUERY_MS),
  );
  const plan = {
    ...{ users, timeScale, sizes },
    queryMs: demand.queryMs / timeScale,
    thinkMs: demand.thinkMs / timeScale,
  };
  if (
    Math.max(...sizes.map((it) => predictionFor(it, plan).requestsPerSecond)) >
    MOST_REQUESTS_PER_SECOND
  ) {
    return {
      reason: `more than ${MOST_REQUESTS_PER_SECOND} requests per second would test this process, not the pool`,
    };
  }
  if (testMs(plan) > LONGEST_TEST_MS) {
    return { reason: `users who think for ${demand.thinkMs} ms take longer than a minute to test` };
  }
  return plan;
}

/** Runs the load on a pool of each size. Rejects when it is aborted, and when the database ends. */
export async function testPool(
  plan: Plan,
  { url, label }: Database,
  { signal, onProgress }: PoolTestOptions,
): Promise<PoolTest> {
  const { default: pg } = await import('pg');
  const { sizes, users, timeScale } = plan;
  const text = `SELECT pg_sleep(${plan.queryMs / 1_000})`;
  const quiet = createQuietWatch();
  const onPool = async <T>(size: number, work: (pool: Pool) => Promise<T>) => {
    const pool = new pg.Pool({ connectionString: url, max: size });
    // The failure of the running query contains the reason.
    pool.on('error', () => {});
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  };

  const queryMs = await onPool(1, (pool) => idleMs(pool, text, signal));
  const rows: PoolTestRow[] = [];
  for (const [i, size] of sizes.entries()) {
    await quiet.sample();
    const onShare = (share: number) => onProgress?.((i + share) / sizes.length);
    const load = { ...plan, queryMs, size, text, signal };
    rows.push(await onPool(size, (pool) => rowOf(pool, { ...load, onProgress: onShare })));
  }
  return {
    state: 'simulated',
    environment: environmentOf(label),
    users,
    queryMs: queryMs * timeScale,
    timeScale,
    rows,
    quiet: quiet.result(),
  };
}

interface RowPlan extends Plan, PoolTestOptions {
  readonly size: number;
  readonly text: string;
}

async function rowOf(pool: Pool, plan: RowPlan): Promise<PoolTestRow> {
  const { size, users, text } = plan;
  await openAll(pool, size);
  const predicted = predictionFor(size, plan);
  const measured = await runLoad({
    ...plan,
    ...timesFor(predicted.requestsPerSecond, users),
    spacingMs: 1_000 / predicted.requestsPerSecond,
    request: () => pool.query(text),
    queue: () => pool.waitingCount,
  });
  return { size, predicted: scaled(predicted, plan), measured: scaled(measured, plan) };
}

/** Before the load: what counts is a pool that has been in use. Few at a time, as a server takes them. */
async function openAll(pool: Pool, size: number): Promise<void> {
  const clients: PoolClient[] = [];
  try {
    while (clients.length < size) {
      const some = Math.min(10, size - clients.length);
      clients.push(...(await Promise.all(Array.from({ length: some }, () => pool.connect()))));
    }
  } finally {
    for (const it of clients) it.release();
  }
}

/** The time of a query on an idle server: the server sleeps a little longer than requested. */
async function idleMs(pool: Pool, text: string, signal: AbortSignal | undefined): Promise<number> {
  const { medianMs } = await timed(() => pool.query(text), {
    ...{ most: 9, ms: 2_000, warmUp: 1 },
    signal,
  });
  return medianMs;
}

/** Long enough for a few requests of every user, after all users have started. */
function timesFor(requestsPerSecond: number, users: number) {
  const roundMs = (1_000 * users) / requestsPerSecond;
  return { warmUpMs: 1.5 * roundMs, windowMs: Math.max(1_500, 3 * roundMs) };
}

function testMs(plan: Plan): number {
  const each = plan.sizes.map((size) => {
    const { requestsPerSecond } = predictionFor(size, plan);
    const { warmUpMs, windowMs } = timesFor(requestsPerSecond, plan.users);
    return warmUpMs + windowMs;
  });
  return each.reduce((sum, it) => sum + it, 0);
}

/** In the times that were asked for: durations are longer, and rates lower. */
function scaled<T extends { requestsPerSecond: number; averageMs: number; p95Ms?: number }>(
  figures: T,
  { timeScale }: Plan,
): T {
  return {
    ...figures,
    requestsPerSecond: figures.requestsPerSecond / timeScale,
    averageMs: figures.averageMs * timeScale,
    ...(figures.p95Ms === undefined ? {} : { p95Ms: figures.p95Ms * timeScale }),
  };
}
