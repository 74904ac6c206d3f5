import { isTaken } from '../branches.ts';
import type { BenchmarkCase, CountSetUp, SetUpContext, Values } from '../case.ts';
import { openSql, type SqlConnection, type SqlPool } from '../drivers/index.ts';
import { count, duration, known, numbersOf, poolSize, word } from '../parameters.ts';
import { keepTrack } from '../pools.ts';
import { hiddenError } from './no-leaked-connection/hidden-error.ts';
import { releasedTwice } from './no-leaked-connection/released-twice.ts';
import { usedAfterRelease } from './no-leaked-connection/used-after-release.ts';

const ruleId = 'no-leaked-connection';

export interface LeakEvidence {
  readonly [name: string]: string | number | boolean;
  readonly variant: string;
  readonly cost: string;
}

/** How many requests share one that takes the path on which the connection is lost. */
const LOSES_EVERY = 5;

const path = word(
  'path',
  ['throw', 'branch', 'never'],
  'where the connection leaks: when a query fails, in an early return, always',
);
const every = count(
  'every',
  LOSES_EVERY,
  'requests of which one leaks its connection, unless all do',
  { max: 1_000, longest: 50 },
);
const leaking = word(
  'leaking',
  ['some', 'all'],
  'which requests leave a connection open: those on one path, or all',
);

/** Where no path releases the connection, each request leaks one. */
function leaksEvery(values: Values): number {
  const isEach = values['path'] === 'never' || values['leaking'] === 'all';
  return isEach ? 1 : numbersOf(values, 'every').every;
}

/** The path on which the rule saw it lost, and how often it is taken. */
function pathOf(variant: string): Partial<Values> | undefined {
  switch (variant) {
    case 'throw':
      return { path: 'throw' };
    case 'branch':
    case 'callback-err':
      return { path: 'branch' };
    case 'never':
    case 'reconnect':
    case 'closed':
    case 'field':
      return { path: 'never' };
    default:
      return undefined;
  }
}

const OK = 'SELECT 1';
const FAILS = 'SELECT 1 FROM deadtime_has_no_such_table';

/** A request, `isOdd` of which take the path that the author forgot. */
type Request = (pool: Pick<SqlPool, 'connect'>, isOdd: boolean) => Promise<unknown>;

const losing: Readonly<Record<string, Request>> = {
  async throw(pool, isOdd) {
    const connection = await pool.connect();
    const result = await connection.query(isOdd ? FAILS : OK);
    connection.release();
    return result;
  },
  async branch(pool, isOdd) {
    const connection = await pool.connect();
    const result = await connection.query(OK);
    if (isOdd) return undefined;
    connection.release();
    return result;
  },
  async never(pool) {
    const connection = await pool.connect();
    return connection.query(OK);
  },
};

const keeping: Readonly<Record<string, Request>> = {
  async throw(pool, isOdd) {
    const connection = await pool.connect();
    try {
      return await connection.query(isOdd ? FAILS : OK);
    } finally {
      connection.release();
    }
  },
  async branch(pool, isOdd) {
    const connection = await pool.connect();
    try {
      const result = await connection.query(OK);
      return isOdd ? undefined : result;
    } finally {
      connection.release();
    }
  },
  async never(pool) {
    const connection = await pool.connect();
    try {
      return await connection.query(OK);
    } finally {
      connection.release();
    }
  },
};

const lost: BenchmarkCase<LeakEvidence> = {
  ruleId,
  variant: 'lost',
  title: 'A path that does not release a connection to its pool',
  counts: 'requests answered',
  needs: { databases: ['postgres', 'mysql'], stub: true },
  parameters: [
    path,
    every,
    poolSize(),
    duration('timeoutMs', 500, 'how long a checkout waits before it fails', {
      min: 1,
      longest: 1_000,
    }),
  ],
  parametersOf: ({ variant, cost, max }) =>
    staysOpen(cost) || !pathOf(variant) ? undefined : known({ ...pathOf(variant), max }),
  predict(values) {
    const { max } = numbersOf(values, 'max');
    const every = leaksEvery(values);
    return {
      formula: every === 1 ? 'max vs all' : 'max · every vs all',
      unit: 'count',
      flagged: max * every,
      mended: requestsOf(values),
      tolerance: { flagged: 0, mended: 0 },
    };
  },
  scalesWith: 'every',
  doesNotShow: [
    'How long the last request waits: without a time-out in most drivers; the benchmark sets one.',
    'How often your requests take that path: the share is assumed, and the number of requests until the stall depends on it.',
  ],
  async setUp(context) {
    const { sql, close } = await openSql(context);
    const { parameters, signal } = context;
    const { max, timeoutMs } = numbersOf(parameters, 'max', 'timeoutMs');
    const every = leaksEvery(parameters);
    const path = String(parameters['path']);
    const run = (request: Request) => async () => {
      const pool = sql.pool({ max, connectionTimeoutMillis: timeoutMs });
      const taken = keepTrack(pool);
      const { answered, failure } = await answeredBy((i) => request(taken, isTaken(i, 1 / every)), {
        requests: requestsOf(parameters),
        signal,
      });
      await taken.end();
      return {
        value: answered,
        isFailure: failure !== undefined,
        text: failure
          ? `request ${answered + 1} failed after ${timeoutMs} ms: ${failure}`
          : `all ${answered} requests were answered`,
      };
    };
    return {
      kind: 'count',
      flagged: { label: 'misses the release on one path', run: run(losing[path]!) },
      mended: { label: 'releases in finally', run: run(keeping[path]!) },
      close,
    };
  },
};

/** The message of pg when all connections are checked out. */
const NO_CONNECTION = 'timeout exceeded when trying to connect';

/** Twice as many as the code before the fix can answer. */
function requestsOf(values: Values): number {
  return 2 * numbersOf(values, 'max').max * leaksEvery(values);
}

/** One request after another, until one gets no connection; other errors are answers, too. */
async function answeredBy(
  request: (i: number) => Promise<unknown>,
  { requests, signal }: { readonly requests: number; readonly signal: AbortSignal },
) {
  for (let i = 0; i < requests && !signal.aborted; i++) {
    try {
      await request(i);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message === NO_CONNECTION) return { answered: i, failure: message };
      // A machine that takes that long to connect cannot show who is out of connections.
      if (/timeout/.test(message)) throw error;
    }
  }
  return { answered: requests, failure: undefined };
}

function staysOpen(cost: string): boolean {
  return cost === 'each one stays open';
}

async function endWhenDone(connection: SqlConnection, isOdd: boolean) {
  const result = await connection.query(OK);
  if (isOdd) return undefined;
  await connection.end();
  return result;
}

async function endInFinally(connection: SqlConnection, isOdd: boolean) {
  try {
    const result = await connection.query(OK);
    return isOdd ? undefined : result;
  } finally {
    await connection.end();
  }
}

const unclosed: BenchmarkCase<LeakEvidence> = {
  ruleId,
  variant: 'unclosed',
  title: 'Connections outside any pool that the code never ends',
  counts: 'connections left open',
  needs: { databases: ['postgres', 'mysql'] },
  parameters: [leaking, every, count('requests', 20, 'requests', { max: 10_000, longest: 50 })],
  parametersOf({ variant, cost }) {
    const path = staysOpen(cost) ? pathOf(variant) : undefined;
    return path && { leaking: path['path'] === 'never' ? 'all' : 'some' };
  },
  predict(values) {
    const { requests } = numbersOf(values, 'requests');
    const every = leaksEvery(values);
    return {
      formula: every === 1 ? 'requests vs 0' : 'requests / every vs 0',
      unit: 'count',
      flagged: Math.floor(requests / every),
      mended: 0,
      tolerance: { flagged: 0, mended: 0 },
    };
  },
  scalesWith: 'requests',
  doesNotShow: [
    'The final state: at its limit, the server refuses all clients (PostgreSQL: 100 connections by default).',
    'Sessions of MongoDB and channels of RabbitMQ: connections replace them, which cost more.',
  ],
  setUp: (context) => unclosedSetUp(context),
};

/** Concurrently, because 40 connections take seconds on a busy machine when each waits for the one before. */
const CLIENTS = 4;

async function unclosedSetUp(context: SetUpContext): Promise<CountSetUp & Closing> {
  const { requests } = numbersOf(context.parameters, 'requests');
  const every = leaksEvery(context.parameters);
  const { access, sql, close } = await openSql(context);
  const own = access.kind === 'postgres' ? 'pg_backend_pid()' : 'CONNECTION_ID()';
  const list =
    access.kind === 'postgres'
      ? 'SELECT pid FROM pg_stat_activity WHERE pid = ANY($1)'
      : 'SELECT id FROM information_schema.processlist WHERE id IN ($1)';
  const observer = sql.pool({ max: 1 });
  const openOf = async (ids: number[]) => (await observer.query(list, [ids])).rowCount;

  const run = (request: typeof endWhenDone) => async () => {
    const connections: SqlConnection[] = [];
    const ids: number[] = [];
    let next = 0;
    const client = async () => {
      while (next < requests && !context.signal.aborted) {
        const isOdd = isTaken(next++, 1 / every);
        const connection = await sql.connect();
        connections.push(connection);
        const { rows } = await connection.query(`SELECT ${own} AS id`);
        ids.push(Number(rows[0]!['id']));
        await request(connection, isOdd);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    const value = await settled(() => openOf(ids));
    await Promise.all(connections.map((it) => it.end()));
    return {
      value,
      isFailure: value > 0,
      text: `${value} connections are open after ${requests} requests`,
    };
  };
  return {
    kind: 'count',
    flagged: { label: 'leaves it open on one path', run: run(endWhenDone) },
    mended: { label: 'ends it in finally', run: run(endInFinally) },
    close,
  };
}

/** The server notices the end of a connection a moment later: the number that stays the same for a while. */
async function settled(look: () => Promise<number>): Promise<number> {
  let last = await look();
  for (let agreeing = 1; agreeing < 10; agreeing++) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    const now = await look();
    if (now !== last) agreeing = 0;
    last = now;
  }
  return last;
}

interface Closing {
  close(): Promise<void>;
}

export const cases = [lost, unclosed, releasedTwice, usedAfterRelease, hiddenError];
