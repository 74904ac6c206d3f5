import type {
  BenchmarkCase,
  MachineValues,
  Prediction,
  SetUp,
  SetUpContext,
  Values,
} from '../case.ts';
import { openSql, queryOf, type SqlPool } from '../drivers/index.ts';
import { startOrigin } from '../origin.ts';
import { count, duration, known, numbersOf, poolSize, serverTime } from '../parameters.ts';
import { beyond, meanMsAmong, measuredWaitsAmong, queryMs, requestMs } from '../timing.ts';

const ruleId = 'no-connection-held-across-io';

export interface HeldEvidence {
  readonly [name: string]: string | number | boolean;
  /** `held` by hand, in a transaction (`tx`), by a cursor, or across a `sleep`. */
  readonly variant: 'held' | 'tx' | 'cursor' | 'sleep';
  // Also, where the code contains them: `max` of the pool, `externalMs` of a sleep or a time-out.
}

const parameters = [
  poolSize(),
  duration('externalMs', 25, 'how long the call to the third-party service takes', {
    min: 1,
    longest: 50,
  }),
  serverTime('queryMs', 1, 'how long the database works on each query'),
  count('users', 30, 'concurrent requests', { max: 10_000, longest: 100 }),
];

const doesNotShow = [
  'Fewer concurrent requests than connections: then no request waits, and the fix saves no time.',
  'Consistency: values read before the call can change until the write after it.',
];

/** What one request has at hand. */
interface Work {
  readonly pool: SqlPool;
  readonly read: string;
  readonly write: string;
  call(): Promise<unknown>;
}

async function holdAcrossTheCall({ pool, read, write, call }: Work) {
  const connection = await pool.connect();
  try {
    await connection.query(read);
    await call();
    await connection.query(write);
  } finally {
    connection.release();
  }
}

async function releaseBeforeTheCall({ pool, read, write, call }: Work) {
  await pool.query(read);
  await call();
  await pool.query(write);
}

const held: BenchmarkCase<HeldEvidence> = {
  ruleId,
  variant: 'held',
  title: 'A connection that stays checked out during a call to a third-party service',
  needs: { databases: ['postgres', 'mysql'], stub: true },
  parameters,
  parametersOf: ({ variant, max, externalMs }) =>
    variant === 'tx' ? undefined : known({ max, externalMs }),
  predict: (values, machine) => prediction(values, machine, { reads: 2, others: 0 }),
  scalesWith: 'users',
  doesNotShow,
  setUp: (context) =>
    heldSetUp(context, 2, {
      flagged: ['holds the connection during the call', holdAcrossTheCall],
      mended: ['checks out a connection for each query', releaseBeforeTheCall],
    }),
};

async function callInsideTransaction({ pool, read, write, call }: Work) {
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN');
    await connection.query(read);
    await call();
    await connection.query(write);
    await connection.query('COMMIT');
  } finally {
    connection.release();
  }
}

async function callBeforeTransaction({ pool, read, write, call }: Work) {
  await call();
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN');
    await connection.query(read);
    await connection.query(write);
    await connection.query('COMMIT');
  } finally {
    connection.release();
  }
}

const transaction: BenchmarkCase<HeldEvidence> = {
  ruleId,
  variant: 'transaction',
  title: 'A transaction that stays open during a call to a third-party service',
  needs: { databases: ['postgres', 'mysql'], stub: true },
  parameters,
  parametersOf: ({ variant, max, externalMs }) =>
    variant === 'tx' ? known({ max, externalMs }) : undefined,
  // BEGIN and COMMIT are round trips of their own.
  predict: (values, machine) => prediction(values, machine, { reads: 2, others: 2 }),
  scalesWith: 'users',
  doesNotShow: [
    ...doesNotShow,
    'Locks: rows that an open transaction has written also stay locked during the call.',
  ],
  setUp: (context) =>
    heldSetUp(context, 4, {
      flagged: ['calls inside the transaction', callInsideTransaction],
      mended: ['calls before the transaction', callBeforeTransaction],
    }),
};

type NamedShape = readonly [label: string, shape: (work: Work) => Promise<void>];

async function heldSetUp(
  context: SetUpContext,
  queries: number,
  shapes: { readonly flagged: NamedShape; readonly mended: NamedShape },
): Promise<SetUp> {
  const { max, users, externalMs, queryMs } = numbersOf(
    context.parameters,
    ...(['max', 'users', 'externalMs', 'queryMs'] as const),
  );
  const { access, sql, close } = await openSql(context);
  const origin = await startOrigin(externalMs, context.trace);
  const text = queryOf(access.kind, queryMs);
  const idle = sql.pool({ max });
  // With as many under way as there are connections: they come in bunches, and share the cores.
  const each = (run: () => Promise<unknown>) => meanMsAmong(Math.min(users, max), run);
  const armFor = ([label, shape]: NamedShape) => {
    const pool = sql.pool({ max });
    const work = { pool, read: text, write: text, call: () => origin.request() };
    return {
      label,
      iteration: () => shape(work),
      gauges: () => ({ 'requests waiting for a connection': pool.waitingCount }),
      tracedIterations: 2 * max,
    };
  };
  return {
    kind: 'load',
    users,
    thinkMs: 0,
    requestMs: externalMs + queries * (queryMs + 1),
    flagged: armFor(shapes.flagged),
    mended: armFor(shapes.mended),
    measure: async () => ({
      ...(await measuredWaitsAmong(idle, queryMs, each)),
      requestMs: beyond(externalMs, await each(() => origin.request())),
    }),
    async close() {
      await origin.close();
      await close();
    },
  };
}

/** The pool bounds how many requests are under way, or, when released, how many query at a time. */
function prediction(
  values: Values,
  machine: MachineValues,
  { reads, others }: { readonly reads: number; readonly others: number },
): Prediction {
  const {
    max,
    users,
    externalMs,
    queryMs: serverMs,
  } = numbersOf(values, ...(['max', 'users', 'externalMs', 'queryMs'] as const));
  const queriesMs = reads * queryMs(serverMs, machine) + others * queryMs(0, machine);
  const wholeMs = queriesMs + requestMs(externalMs, machine);
  return {
    formula:
      'min(users, max) / (queriesMs + externalMs + requestMs) vs min(users / (queriesMs + externalMs + requestMs), max / queriesMs), ' +
      `queriesMs = ${reads} · (queryMs + roundTripMs)${others > 0 ? ` + ${others} · roundTripMs` : ''}`,
    unit: 'per second',
    flagged: (1_000 * Math.min(users, max)) / wholeMs,
    mended: 1_000 * Math.min(users / wholeMs, max / queriesMs),
    tolerance: { flagged: 0.25, mended: 0.25 },
  };
}

export const cases = [held, transaction];
