import { createRequire } from 'node:module';
import { setTimeout as nap } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { installedPackage } from '../servers/folders.ts';
import { threadJobs } from '../thread-pool.ts';

/** So many workers, each with one job under way. */
const CONCURRENCIES = [1, 3, 10, 20] as const;
const JOBS = 200;
const PROBE_EVERY_MS = 10;

const compress = promisify<Buffer, Buffer>(deflate);
const PROBED = Buffer.alloc(1_024, 'deadtime');

export interface ThreadRun {
  readonly concurrency: number;
  readonly totalMs: number;
  /** Of an unrelated zlib.deflate, median. */
  readonly probeMs: number;
}

export interface ThreadResults {
  /** What the threads did: sqlite3 where it is installed. */
  readonly job: 'sqlite3' | 'pbkdf2';
  readonly runs: readonly ThreadRun[];
}

/** The same jobs with more and more workers, and a concurrent, unrelated call. */
export async function threadRuns(): Promise<ThreadResults> {
  const sqlite = await openSqlite3();
  const job = sqlite?.query ?? threadJobs.pbkdf2;
  try {
    const runs: ThreadRun[] = [];
    for (const concurrency of CONCURRENCIES) runs.push(await runAt(concurrency, job));
    return { job: sqlite ? 'sqlite3' : 'pbkdf2', runs };
  } finally {
    await sqlite?.close();
  }
}

async function runAt(
  concurrency: number,
  job: (worker: number) => Promise<unknown>,
): Promise<ThreadRun> {
  const over = new AbortController();
  const probing = probesUntil(over.signal);
  const start = performance.now();
  let next = 0;
  const worker = async (_: unknown, which: number) => {
    while (next++ < JOBS) await job(which);
  };
  await Promise.all(Array.from({ length: concurrency }).map(worker));
  const totalMs = performance.now() - start;
  over.abort();
  const probes = (await probing).sort((a, b) => a - b);
  return { concurrency, totalMs, probeMs: probes[probes.length >> 1]! };
}

async function probesUntil(signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const start = performance.now();
    await compress(PROBED);
    times.push(performance.now() - start);
    await nap(PROBE_EVERY_MS);
  }
  return times;
}

interface Sqlite3Database {
  all(sql: string, done: (error: Error | null) => void): void;
  close(done: () => void): void;
}

/** The published driver, where it is installed next to Deadtime; one connection per worker. */
async function openSqlite3() {
  let Database: new (path: string, done: (error: Error | null) => void) => Sqlite3Database;
  try {
    const [folder = ''] = installedPackage('sqlite3');
    ({ Database } = createRequire(import.meta.url)(folder) as { Database: typeof Database });
  } catch {
    return undefined;
  }
  const most = Math.max(...CONCURRENCIES);
  const all = await Promise.all(
    Array.from(
      { length: most },
      () =>
        new Promise<Sqlite3Database>((resolve, reject) => {
          const database = new Database(':memory:', (error) =>
            error ? reject(error) : resolve(database),
          );
        }),
    ),
  );
  return {
    query: (worker: number) =>
      new Promise<void>((resolve, reject) => {
        all[worker]!.all(COUNTING, (error) => (error ? reject(error) : resolve()));
      }),
    close: () =>
      Promise.all(all.map((it) => new Promise<void>((resolve) => it.close(() => resolve())))),
  };
}

/** A few milliseconds of SQLite's own work. */
const COUNTING =
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT sum(i) FROM n';
