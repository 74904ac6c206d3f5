import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { BenchmarkCase } from '../case.ts';
import { allAtOnce, atMost } from '../concurrency.ts';
import { lanes, openSql, queryOf } from '../drivers/index.ts';
import { count, known, numbersOf, poolSize, serverTime, word } from '../parameters.ts';
import { threadJobs, THREADS } from '../thread-pool.ts';
import { besideMsOf, meanBunchMsOf, meanMsOf, measuredWaits, queryMs } from '../timing.ts';

const ruleId = 'no-thread-pool-flood';

export interface FloodEvidence {
  readonly [name: string]: string | number | boolean;
  /** `threads` of libuv, or the `connections` of a pool. */
  readonly variant: 'threads' | 'connections';
  // Also, where the code contains them: `job` (pbkdf2, scrypt, zlib, fs, dns), `count`, `threads`, `max`.
}

const VICTIM_EVERY_MS = 10;

const threads: BenchmarkCase<FloodEvidence> = {
  ruleId,
  variant: 'threads',
  title: 'Jobs for libuv’s threads, all started together',
  needs: {},
  parameters: [
    word('job', ['pbkdf2', 'scrypt', 'zlib', 'fs', 'dns'], 'what the threads do'),
    count('count', 40, 'concurrent jobs', { longest: 200 }),
    count('threads', 4, 'threads of libuv’s pool', { max: 1_024, source: THREADS }),
  ],
  parametersOf: ({ variant, job, count, threads }) =>
    variant === 'threads' ? known({ job, count, threads }) : undefined,
  predict(values, { workMs, besideMs = 0, cores }) {
    if (workMs === undefined) return undefined;
    const { count, threads } = numbersOf(values, 'count', 'threads');
    const atOnce = Math.min(threads, cores);
    const isCpu = values['job'] !== 'fs' && values['job'] !== 'dns';
    return {
      formula: 'count · workMs / min(threads, cores) / 2 vs workMs / 2',
      unit: 'ms',
      flagged: (count * (workMs + besideMs * (atOnce - 1))) / atOnce / 2,
      mended: workMs / 2,
      ...(isCpu && atOnce > 1 ? { tolerance: { flagged: 0.25 } } : {}),
    };
  },
  scalesWith: 'count',
  doesNotShow: [
    'Speed: with a limit, the jobs themselves end no sooner, and rather a little later.',
    'More than 4 threads, unless the process starts with UV_THREADPOOL_SIZE: min(threads, cores) limits CPU work.',
  ],
  async setUp({ parameters, trace }) {
    const { count, threads } = numbersOf(parameters, 'count', 'threads');
    const run: () => Promise<unknown> = threadJobs[parameters['job'] as keyof typeof threadJobs];
    const job = lanes(trace, 'job');
    const atOnce = Math.min(threads, availableParallelism());
    const limit = Math.max(1, atOnce - 1);
    return {
      kind: 'victim',
      flagged: {
        label: `starts all ${count} jobs together`,
        iteration: () => allAtOnce(count, () => job(run)),
      },
      mended: {
        label: `runs ${limit} of them at a time`,
        iteration: () => atMost(limit, count, () => job(run)),
      },
      victim: {
        label: 'an unrelated fs.stat',
        everyMs: VICTIM_EVERY_MS,
        call: () => stat(process.execPath),
      },
      async measure() {
        const workMs = await meanMsOf(run);
        // Of four in a row: in a flood no core waits for the other one.
        const bunchMs = (await meanBunchMsOf(4 * atOnce, run)) / 4;
        return { workMs, besideMs: besideMsOf(atOnce, workMs, bunchMs) };
      },
      close: async () => {},
    };
  },
};

const connections: BenchmarkCase<FloodEvidence> = {
  ruleId,
  variant: 'connections',
  title: 'Queries, all started together, on a pool with fewer connections',
  needs: { databases: ['postgres', 'mysql'], stub: true },
  parameters: [
    count('count', 100, 'concurrent queries', { longest: 300 }),
    poolSize({ min: 2 }),
    serverTime('queryMs', 5, 'how long the database works on a query'),
  ],
  parametersOf: ({ variant, count, max }) =>
    variant === 'connections' ? known({ count, max }) : undefined,
  predict(values, machine) {
    const { count, max, queryMs: serverMs } = numbersOf(values, 'count', 'max', 'queryMs');
    const waves = count / max;
    return {
      formula: 'count / max · (queryMs + roundTripMs) / 2 vs roundTripMs',
      unit: 'ms',
      flagged: (waves * queryMs(serverMs, machine)) / 2,
      mended: queryMs(0, machine),
      tolerance: { flagged: 0.25 },
    };
  },
  scalesWith: 'count',
  doesNotShow: [
    'Speed: the queries themselves take longer with a limit below the pool’s size.',
    'A database that is the bottleneck: there, fewer concurrent queries are often faster in total.',
  ],
  async setUp(context) {
    const { count, max, queryMs } = numbersOf(context.parameters, 'count', 'max', 'queryMs');
    const { access, sql, close } = await openSql(context);
    const pool = sql.pool({ max });
    const text = queryOf(access.kind, queryMs);
    const limit = Math.max(1, Math.floor(max / 2));
    return {
      kind: 'victim',
      flagged: {
        label: `starts all ${count} queries together`,
        iteration: () => allAtOnce(count, () => pool.query(text)),
      },
      mended: {
        label: `runs ${limit} of them at a time`,
        iteration: () => atMost(limit, count, () => pool.query(text)),
      },
      victim: {
        label: 'another request’s SELECT 1',
        everyMs: VICTIM_EVERY_MS,
        call: () => pool.query('SELECT 1'),
      },
      measure: () => measuredWaits(pool),
      close,
    };
  },
};

export const cases = [threads, connections];
