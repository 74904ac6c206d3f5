import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { BenchmarkCase, Prediction, SetUp, Values } from '../case.ts';
import { lanes, openSql, queryOf } from '../drivers/index.ts';
import { startOrigin } from '../origin.ts';
import { count, duration, numbersOf, poolSize, serverTime } from '../parameters.ts';
import { scratchFiles } from '../scratch-files.ts';
import { threadJobs, THREADS } from '../thread-pool.ts';
import {
  besideMsOf,
  beyond,
  meanBunchMsOf,
  meanMsOf,
  measuredWaits,
  queryMs,
  requestMs,
} from '../timing.ts';

const ruleId = 'no-sequential-independent-awaits';

export interface ReadsEvidence {
  readonly [name: string]: string | number | boolean;
  readonly count: number;
  /** The environments among db, http, redis, fs and declared (by an option), with a space between. */
  readonly envs: string;
}

const reads = count('count', 3, 'independent reads', { min: 2, longest: 50 });
const users = count('users', 1, 'concurrent requests', { max: 10_000, longest: 100 });

type Read = () => Promise<unknown>;

async function oneAfterAnother(reads: readonly Read[]) {
  for (const read of reads) await read();
}

async function together(reads: readonly Read[]) {
  await Promise.all(reads.map((read) => read()));
}

const doesNotShow = [
  'Reads that depend on each other: they must wait.',
  'Errors: with Promise.all, the first rejection wins while the other reads continue.',
];

const pool: BenchmarkCase<ReadsEvidence> = {
  ruleId,
  variant: 'pool',
  title: 'Independent queries, one at a time',
  needs: { databases: ['postgres', 'mysql'], stub: true },
  parameters: [
    reads,
    serverTime('queryMs', 5, 'how long the database works on a query'),
    poolSize({ min: 1 }),
    users,
  ],
  parametersOf: ({ count, envs }) =>
    /\b(?:db|redis|declared)\b/.test(envs) ? { count } : undefined,
  predict(values, machine) {
    const { count, max, queryMs: serverMs } = numbersOf(values, 'count', 'max', 'queryMs');
    const readMs = queryMs(serverMs, machine);
    const names = { read: '(queryMs + roundTripMs)', limit: 'max' };
    return prediction(names, { values, readMs, limit: max, count });
  },
  scalesWith: 'count',
  doesNotShow: [
    ...doesNotShow,
    'A busy pool: the reads of one request then use the connections of other requests.',
    'One connection or transaction for all reads: it runs them sequentially in any case.',
  ],
  async setUp(context) {
    const { access, sql, close } = await openSql(context);
    const { count, queryMs, max } = numbersOf(context.parameters, 'count', 'queryMs', 'max');
    const pool = sql.pool({ max });
    const text = queryOf(access.kind, queryMs);
    return readsSetUp(context.parameters, {
      reads: Array.from({ length: count }, () => () => pool.query(text)),
      requestMs: count * (queryMs + 1),
      measure: () => measuredWaits(pool),
      close,
    });
  },
};

const http: BenchmarkCase<ReadsEvidence> = {
  ruleId,
  variant: 'http',
  title: 'Independent HTTP requests, one at a time',
  needs: {},
  parameters: [
    reads,
    duration('latencyMs', 20, 'how long the third-party service takes', { longest: 50 }),
    users,
  ],
  parametersOf: ({ count, envs }) => (/^(?:fs )?http$/.test(envs) ? { count } : undefined),
  predict(values, machine) {
    const { count, latencyMs } = numbersOf(values, 'count', 'latencyMs');
    const readMs = requestMs(latencyMs, machine);
    const names = { read: '(latencyMs + requestMs)' };
    return prediction(names, { values, readMs, limit: Infinity, count });
  },
  scalesWith: 'count',
  doesNotShow: [
    ...doesNotShow,
    'The rate limit of the service.',
    'TLS and new connections: the requests here reuse open connections.',
  ],
  async setUp({ parameters, trace }) {
    const { count, latencyMs } = numbersOf(parameters, 'count', 'latencyMs');
    const origin = await startOrigin(latencyMs, trace);
    return readsSetUp(parameters, {
      reads: Array.from({ length: count }, () => () => origin.request()),
      requestMs: count * (latencyMs + 1),
      measure: async () => ({
        requestMs: beyond(latencyMs, await meanMsOf(() => origin.request())),
      }),
      close: () => origin.close(),
    });
  },
};

const files: BenchmarkCase<ReadsEvidence> = {
  ruleId,
  variant: 'files',
  title: 'Independent file reads, one at a time',
  needs: {},
  parameters: [reads, users],
  parametersOf: ({ count, envs }) => (envs === 'fs' ? { count } : undefined),
  doesNotShow: [
    ...doesNotShow,
    'Cold files and network drives: these files come from the page cache, and the fix saves little.',
  ],
  async setUp({ parameters, trace }) {
    const { count } = numbersOf(parameters, 'count');
    const files = scratchFiles(count);
    const file = lanes(trace, 'file');
    return readsSetUp(parameters, {
      reads: files.paths.map((path) => () => file(() => readFile(path))),
      requestMs: count,
      measure: async () => ({}),
      close: () => files.close(),
    });
  },
};

/** CPU-bound work: threads save no time once every core is busy. */
const threadPool: BenchmarkCase<ReadsEvidence> = {
  ruleId,
  variant: 'thread-pool',
  title: 'Independent CPU tasks on libuv’s threads, one at a time',
  needs: {},
  parameters: [
    count('count', 6, 'tasks of one request', { min: 2, longest: 20 }),
    count('threads', 4, 'threads of libuv’s pool', { max: 1_024, source: THREADS }),
    users,
  ],
  // No rule takes such calls for reads; the reproduction table runs it.
  parametersOf: () => undefined,
  predict(values, { workMs, besideMs, cores }) {
    if (workMs === undefined) return undefined;
    const { count, threads } = numbersOf(values, 'count', 'threads');
    const limit = Math.min(threads, cores);
    const names = { read: 'workMs', limit: 'min(threads, cores)' };
    return prediction(names, { values, readMs: workMs, besideMs, limit, count });
  },
  scalesWith: 'users',
  doesNotShow: [
    'Tasks that wait: they overlap up to the number of threads in the pool.',
    'More concurrent requests than cores: then the fix saves no time, because no core is idle.',
  ],
  async setUp({ parameters, trace }) {
    const { count, threads } = numbersOf(parameters, 'count', 'threads');
    const atOnce = Math.min(count, threads, availableParallelism());
    const task = lanes(trace, 'task');
    const workMs = await meanMsOf(threadJobs.pbkdf2);
    return readsSetUp(parameters, {
      reads: Array.from({ length: count }, () => () => task(threadJobs.pbkdf2)),
      requestMs: count * workMs,
      async measure() {
        const workMs = await meanMsOf(threadJobs.pbkdf2);
        const bunchMs = await meanBunchMsOf(atOnce, threadJobs.pbkdf2);
        return { workMs, besideMs: besideMsOf(atOnce, workMs, bunchMs) };
      },
      close: async () => {},
    });
  },
};

interface Reads {
  readonly reads: readonly Read[];
  readonly requestMs: number;
  readonly measure: NonNullable<SetUp['measure']>;
  readonly close: SetUp['close'];
}

/** One request at a time is timed by itself; several share the pool, and their capacity counts. */
function readsSetUp(values: Values, { reads, requestMs, measure, close }: Reads): SetUp {
  const { users } = numbersOf(values, 'users');
  const watched = watchedReads(reads);
  const { counters } = watched;
  const arms = {
    flagged: {
      label: 'awaits them one at a time',
      iteration: () => oneAfterAnother(watched.reads),
      counters,
    },
    mended: {
      label: 'awaits them together',
      iteration: () => together(watched.reads),
      counters,
    },
  };
  return users === 1
    ? { kind: 'latency', ...arms, measure, close }
    : { kind: 'load', ...arms, users, thinkMs: 0, requestMs, measure, close };
}

/** Counts the waits: how often there was a read under way after there had been none. */
function watchedReads(reads: readonly Read[]) {
  let underWay = 0;
  let waits = 0;
  return {
    reads: reads.map((read) => async () => {
      if (underWay++ === 0) waits++;
      try {
        await read();
      } finally {
        underWay--;
      }
    }),
    counters: async () => ({ waits }),
  };
}

interface Forecast {
  readonly values: Values;
  readonly readMs: number;
  /** What each further read adds that is under way. */
  readonly besideMs?: number | undefined;
  /** How many reads can run concurrently. */
  readonly limit: number;
  readonly count: number;
}

/** As a formula names them. */
interface Names {
  readonly read: string;
  /** Absent where all reads can run concurrently. */
  readonly limit?: string;
}

/** Reads under way, over what they take in all: `min(users · count, limit)` against `min(users, limit)`. */
function prediction(
  { read, limit: most }: Names,
  { values, readMs, besideMs = 0, limit, count }: Forecast,
): Prediction {
  const { users } = numbersOf(values, 'users');
  const amongMs = (underWay: number) => readMs + besideMs * (Math.min(underWay, limit) - 1);
  const perSecond = (underWay: number) =>
    (1_000 * Math.min(underWay, limit)) / (count * amongMs(underWay));
  const tolerance = { flagged: 0.25, mended: 0.25 };
  if (users > 1) {
    const within = (reads: string) => (most ? `min(${reads}, ${most})` : reads);
    return {
      formula: `${within('users')} / (count · ${read}) vs ${within('users · count')} / (count · ${read})`,
      unit: 'per second',
      flagged: perSecond(users),
      mended: perSecond(users * count),
      tolerance,
    };
  }
  const waves = limit < count ? Math.ceil(count / limit) : 1;
  return {
    formula: `count · ${read} vs ${most ? `⌈count / ${most}⌉ · ` : ''}${read}`,
    unit: 'ms per iteration',
    flagged: count * readMs,
    mended: waves * amongMs(count),
    tolerance,
  };
}

export const cases = [pool, http, files, threadPool];
