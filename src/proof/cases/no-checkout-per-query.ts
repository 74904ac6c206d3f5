import { isTaken, periodOf } from '../branches.ts';
import type { BenchmarkCase, LatencySetUp, SetUpContext } from '../case.ts';
import { connectingPrediction, measuredConnect, tripsToConnect } from '../connecting.ts';
import { openSql, queryOf, type Sql, type SqlConnection, type SqlPool } from '../drivers/index.ts';
import type { PooledConnection } from '../drivers/index.ts';
import { count, duration, known, networkDelay, numbersOf, poolSize, share } from '../parameters.ts';
import { scratchTable } from '../tables.ts';
import { measuredWaits, queryMs } from '../timing.ts';

const ruleId = 'no-checkout-per-query';

export interface CheckoutEvidence {
  readonly [name: string]: string | number | boolean;
  readonly variant: 'loop' | 'open' | 'error' | 'single';
}

const QUERY = 'SELECT 1';

/** A checkout from a pool with a free connection: 4 to 12 µs were measured with pg. */
const CHECKOUT_MS = 0.008;

async function checkoutPerQuery(pool: SqlPool) {
  const connection = await pool.connect();
  try {
    await connection.query(QUERY);
  } finally {
    connection.release();
  }
}

async function queryOnHeldConnection(connection: PooledConnection) {
  await connection.query(QUERY);
}

const pooled: BenchmarkCase<CheckoutEvidence> = {
  ruleId,
  variant: 'pooled',
  title: 'A connection checked out from the pool for each query',
  needs: { databases: ['postgres', 'mysql'], stub: true },
  parameters: [
    networkDelay(0),
    poolSize(),
    count('others', 0, 'other users of the same pool', { min: 0, max: 10_000, longest: 100 }),
    duration('otherMs', 20, 'how long each of their queries takes', { min: 1, longest: 100 }),
  ],
  parametersOf: ({ variant, roundTrips }) =>
    variant === 'single' || (variant === 'loop' && !roundTrips) ? {} : undefined,
  predict(values, machine) {
    const { max, others, otherMs, roundTripMs } = numbersOf(
      values,
      ...(['max', 'others', 'otherMs', 'roundTripMs'] as const),
    );
    const eachMs = queryMs(0, machine, roundTripMs);
    const waiting = Math.max(0, others + 1 - max);
    return {
      formula:
        'queryMs + roundTripMs + 0.008 + max(0, others + 1 - max) / max · (otherMs + queryMs + roundTripMs) vs queryMs + roundTripMs',
      unit: 'ms per iteration',
      flagged: eachMs + CHECKOUT_MS + (waiting / max) * queryMs(otherMs, machine, roundTripMs),
      mended: eachMs,
      ...(waiting > 0 ? { tolerance: { flagged: 0.25 } } : {}),
    };
  },
  scalesWith: 'others',
  doesNotShow: [
    'The queue of a busy pool, unless `others` is set: a checkout from a pool with a free connection costs microseconds.',
    'The cost of holding: other requests cannot use the connection meanwhile.',
  ],
  async setUp(context) {
    const { max, others, otherMs, roundTripMs } = numbersOf(
      context.parameters,
      ...(['max', 'others', 'otherMs', 'roundTripMs'] as const),
    );
    const { access, sql, close } = await openSql(context, roundTripMs);
    const idle = sql.pool({ max: 1 });
    const pools = { flagged: sql.pool({ max }), mended: sql.pool({ max }) };
    const held = await pools.mended.connect();
    const text = queryOf(access.kind, otherMs);
    const crowds = [pools.flagged, pools.mended].map((pool) => crowd(pool, others, text));
    return {
      kind: 'latency',
      flagged: {
        label: 'checks out a connection for each query',
        iteration: () => checkoutPerQuery(pools.flagged),
      },
      mended: {
        label: 'holds one connection',
        iteration: () => queryOnHeldConnection(held),
      },
      measure: () => measuredWaits(idle, roundTripMs),
      async close() {
        await Promise.all(crowds.map((it) => it.leave()));
        held.release();
        await close();
      },
    };
  },
};

/** Others who ask the same pool, one query after another. */
function crowd(pool: SqlPool, users: number, text: string) {
  const over = new AbortController();
  const user = async () => {
    while (!over.signal.aborted) await pool.query(text);
  };
  const all = Promise.allSettled(Array.from({ length: users }, user));
  return {
    leave() {
      over.abort();
      return all;
    },
  };
}

async function validatePerQuery(pool: SqlPool, validate: (it: PooledConnection) => Promise<void>) {
  const connection = await pool.connect();
  try {
    await validate(connection);
    await connection.query(QUERY);
  } finally {
    connection.release();
  }
}

const validated: BenchmarkCase<CheckoutEvidence> = {
  ruleId,
  variant: 'validated',
  title: 'A checkout per query that sends a request to the server first',
  needs: { databases: ['postgres', 'mysql'], stub: true },
  parameters: [
    count('roundTrips', 1, 'round trips of one checkout, before the query', { longest: 20 }),
    networkDelay(),
  ],
  parametersOf: ({ variant, roundTrips }) =>
    variant === 'loop' && roundTrips ? known({ roundTrips }) : undefined,
  predict(values, machine) {
    const { roundTrips, roundTripMs } = numbersOf(values, 'roundTrips', 'roundTripMs');
    const eachMs = queryMs(0, machine, roundTripMs);
    return {
      formula: '(1 + roundTrips) · (queryMs + roundTripMs) vs queryMs + roundTripMs',
      unit: 'ms per iteration',
      flagged: (1 + roundTrips) * eachMs,
      mended: eachMs,
      tolerance: { flagged: 0.25, mended: 0.25 },
    };
  },
  scalesWith: 'roundTripMs',
  doesNotShow: [
    'The purpose of the check: without it, the query fails when the server has closed the connection.',
    'A slow query: compared with it, one more round trip is little.',
  ],
  async setUp(context) {
    const { roundTrips, roundTripMs } = numbersOf(context.parameters, 'roundTrips', 'roundTripMs');
    const { sql, close } = await openSql(context, roundTripMs);
    const pools = { flagged: sql.pool({ max: 1 }), mended: sql.pool({ max: 1 }) };
    const held = await pools.mended.connect();
    const validate = async (connection: PooledConnection) => {
      for (let i = 0; i < roundTrips; i++) {
        await context.trace.dead('query the server', () => connection.query('SELECT 1'));
      }
    };
    const countersOf = (pool: SqlPool) => async () => ({ 'round trips': pool.totals.roundTrips });
    return {
      kind: 'latency',
      flagged: {
        label: 'queries the server at each checkout',
        iteration: () => validatePerQuery(pools.flagged, validate),
        counters: countersOf(pools.flagged),
        tracedIterations: 3,
      },
      mended: {
        label: 'holds one connection',
        iteration: () => queryOnHeldConnection(held),
        counters: countersOf(pools.mended),
        tracedIterations: 3,
      },
      measure: () => measuredWaits(pools.flagged, roundTripMs),
      async close() {
        held.release();
        await close();
      },
    };
  },
};

async function connectPerQuery(connect: () => Promise<SqlConnection>) {
  const client = await connect();
  try {
    await client.query(QUERY);
  } finally {
    await client.end();
  }
}

async function queryThroughPool(pool: SqlPool) {
  await pool.query(QUERY);
}

const opened: BenchmarkCase<CheckoutEvidence> = {
  ruleId,
  variant: 'opened',
  title: 'A new connection for each item, job or request',
  needs: { databases: ['postgres', 'mysql'] },
  parameters: [networkDelay()],
  parametersOf: ({ variant }) => (variant === 'open' ? {} : undefined),
  predict: connectingPrediction,
  scalesWith: 'roundTripMs',
  doesNotShow: [
    'Round trips of TCP and TLS: the proxy that simulates the network accepts connections immediately.',
    'The cost at the server: PostgreSQL starts a process for each connection.',
    'Clients of Redis, MongoDB or RabbitMQ: a database connection replaces theirs.',
  ],
  async setUp(context) {
    const { roundTripMs } = numbersOf(context.parameters, 'roundTripMs');
    const { access, sql, close } = await openSql(context, roundTripMs);
    const trips = await tripsToConnect(access, context.trace);
    return openedArms(sql, { trips, networkMs: roundTripMs, close });
  },
};

interface Opening {
  readonly trips: number;
  readonly networkMs: number;
  close(): Promise<void>;
}

function openedArms(sql: Sql, { trips, networkMs, close }: Opening) {
  const pool = sql.pool({ max: 1 });
  let connections = 0;
  const connect = () => {
    connections++;
    return sql.connect();
  };
  return {
    kind: 'latency' as const,
    flagged: {
      label: 'opens and closes a connection around each query',
      iteration: () => connectPerQuery(connect),
      counters: async () => ({ connections }),
    },
    mended: {
      label: 'checks out one from a pool',
      iteration: () => queryThroughPool(pool),
      counters: async () => ({ connections: pool.totals.connections }),
    },
    measure: async () => ({
      ...(await measuredConnect(sql, { trips, networkMs })),
      ...(await measuredWaits(pool, networkMs)),
    }),
    close,
  };
}

async function insertAndCatch(pool: SqlPool, insert: string, id: number) {
  try {
    await pool.query(insert, [id, 'a row']);
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw error;
  }
}

async function insertUnlessThere(pool: SqlPool, insert: string, id: number) {
  await pool.query(`${insert} ON CONFLICT DO NOTHING`, [id, 'a row']);
}

const duplicates: BenchmarkCase<CheckoutEvidence> = {
  ruleId,
  variant: 'duplicates',
  title: 'Inserts that expect to fail on duplicates',
  needs: { databases: ['postgres'], makes: 'tables' },
  parameters: [
    share('share', 0.2, 'the share of rows that already exist', { min: 0.01 }),
    networkDelay(),
  ],
  parametersOf: ({ variant }) => (variant === 'error' ? {} : undefined),
  scalesWith: 'share',
  doesNotShow: [
    'How many of your rows are duplicates: the share is assumed, and the cost grows with it.',
    'mysql2, which keeps the connection after a failed query.',
  ],
  setUp: (context) => duplicatesSetUp(context),
};

async function duplicatesSetUp(context: SetUpContext): Promise<LatencySetUp & Closing> {
  const { share, roundTripMs } = numbersOf(context.parameters, 'share', 'roundTripMs');
  const { sql, close } = await openSql(context, roundTripMs);
  const table = await scratchTable(sql, { rows: 1, isUnique: true });
  const insert = `INSERT INTO ${table.name} (id, note) VALUES ($1, $2)`;
  let fresh = 1;
  const idOf = (i: number) => (isTaken(i, share) ? 0 : fresh++);
  const armFor = (label: string, write: typeof insertAndCatch) => {
    const pool = sql.pool({ max: 10 });
    return {
      label,
      iteration: (i: number) => write(pool, insert, idOf(i)),
      counters: async () => ({ connections: pool.totals.connections }),
      iterationsPerSample: periodOf(share),
      tracedIterations: periodOf(share),
    };
  };
  return {
    kind: 'latency',
    flagged: armFor('catches the violation, which closes the connection', insertAndCatch),
    mended: armFor('inserts ON CONFLICT DO NOTHING', insertUnlessThere),
    async close() {
      await table.drop();
      await close();
    },
  };
}

interface Closing {
  close(): Promise<void>;
}

export const cases = [pooled, validated, opened, duplicates];
