import type { BenchmarkCase, SetUp } from '../case.ts';
import { connectingPrediction, measuredConnect, tripsToConnect } from '../connecting.ts';
import { openSql, queryOf, type Sql, type SqlPool } from '../drivers/index.ts';
import {
  count,
  duration,
  known,
  networkDelay,
  numbersOf,
  poolSize,
  serverTime,
} from '../parameters.ts';
import { cases as checkoutCases } from './no-checkout-per-query.ts';
import { connectionsFor } from '../measure/pool-size.ts';
import { idleChurn } from './require-pool-limits/idle-churn.ts';
import { noErrorListener } from './require-pool-limits/no-error-listener.ts';
import { noTimeout } from './require-pool-limits/no-timeout.ts';
import { overLimit } from './require-pool-limits/over-limit.ts';
import { meanMsAmong, measuredWaits, measuredWaitsAmong, queryMs } from '../timing.ts';

const ruleId = 'require-pool-limits';

export interface PoolEvidence {
  readonly [name: string]: string | number | boolean;
  readonly variant:
    | 'unsized'
    | 'per-call'
    | 'no-timeout'
    | 'over-limit'
    | 'idle-churn'
    | 'validate-on-borrow'
    | 'no-error-listener';
  readonly driver: string;
  // Also, where the code contains them: `max`, `workers`, `serverMax`.
}

const size: BenchmarkCase<PoolEvidence> = {
  ruleId,
  variant: 'size',
  title: 'A pool of the default size under more users than it serves',
  needs: { databases: ['postgres', 'mysql'], stub: true },
  parameters: [
    poolSize(),
    count('users', 40, 'users who send a request, think and send the next', {
      max: 10_000,
      longest: 100,
    }),
    duration('thinkMs', 10, 'how long a user thinks between two requests', { longest: 50 }),
    serverTime('queryMs', 20, 'how long the database works on a request'),
  ],
  parametersOf: ({ variant, max }) => (variant === 'unsized' ? known({ max }) : undefined),
  predict(values, machine) {
    const { max, users, thinkMs, queryMs: serverMs } = sizesOf(values);
    const requestMs = queryMs(serverMs, machine);
    const perSecond = (max: number) =>
      1_000 * Math.min(users / (thinkMs + requestMs), max / requestMs);
    return {
      formula:
        'min(users / (thinkMs + queryMs + roundTripMs), max / (queryMs + roundTripMs)), max = users · (queryMs + roundTripMs) / (thinkMs + queryMs + roundTripMs)',
      unit: 'per second',
      flagged: perSecond(max),
      mended: perSecond(wantedFor(users, thinkMs, requestMs)),
      tolerance: { flagged: 0.05, mended: 0.25 },
    };
  },
  scalesWith: 'max',
  doesNotShow: [
    'A busy database: its queries take longer the more of them run, and a larger pool makes that worse.',
    'Several processes: their pools share the server’s connections.',
  ],
  async setUp(context) {
    const { max, users, thinkMs, queryMs: serverMs } = sizesOf(context.parameters);
    const { access, sql, close } = await openSql(context);
    const text = queryOf(access.kind, serverMs);
    const idle = sql.pool({ max });
    const measured = () => measuredWaitsAmong(idle, serverMs, (query) => meanMsAmong(max, query));
    // The first time connects.
    await measured();
    const requestMs = queryMs(serverMs, await measured());
    const armFor = (max: number, pool: SqlPool) => ({
      label: `a pool of ${max}`,
      iteration: () => pool.query(text),
      gauges: () => ({ 'requests waiting for a connection': pool.waitingCount }),
      tracedIterations: Math.min(users, 100),
    });
    const wanted = Math.max(max, wantedFor(users, thinkMs, requestMs));
    return {
      kind: 'load',
      users,
      thinkMs,
      requestMs,
      // What is measured, is measured before and after the load: the connections are the same ones.
      flagged: armFor(max, idle),
      mended: armFor(wanted, sql.pool({ max: wanted })),
      measure: measured,
      close,
    };
  },
};

/** By Little's law: as many connections as queries run while no request waits for a connection. */
function wantedFor(users: number, thinkMs: number, requestMs: number): number {
  return Math.ceil(connectionsFor({ users, queryMs: requestMs }, thinkMs));
}

function sizesOf(values: Parameters<typeof numbersOf>[0]) {
  return numbersOf(values, 'max', 'users', 'thinkMs', 'queryMs');
}

async function poolPerRequest(sql: Sql) {
  const pool = sql.pool({ max: 10 });
  try {
    await pool.query('SELECT 1');
  } finally {
    await pool.end();
  }
}

async function sharedPool(pool: SqlPool) {
  await pool.query('SELECT 1');
}

const perCall: BenchmarkCase<PoolEvidence> = {
  ruleId,
  variant: 'per-call',
  title: 'A new pool for each request',
  needs: { databases: ['postgres', 'mysql'] },
  parameters: [networkDelay()],
  parametersOf: ({ variant }) => (variant === 'per-call' ? {} : undefined),
  predict: connectingPrediction,
  scalesWith: 'roundTripMs',
  doesNotShow: [
    'Round trips of TCP and TLS: the proxy that simulates the network accepts connections immediately.',
    'The final state: the server refuses all clients when its connections are used up.',
  ],
  async setUp(context): Promise<SetUp> {
    const { roundTripMs } = numbersOf(context.parameters, 'roundTripMs');
    const { access, sql, close } = await openSql(context, roundTripMs);
    const trips = await tripsToConnect(access, context.trace);
    const pool = sql.pool({ max: 10 });
    let connections = 0;
    return {
      kind: 'latency',
      flagged: {
        label: 'creates a pool, runs one query and ends the pool',
        iteration: () => {
          connections++;
          return poolPerRequest(sql);
        },
        counters: async () => ({ connections }),
      },
      mended: {
        label: 'queries the pool of the module',
        iteration: () => sharedPool(pool),
        counters: async () => ({ connections: pool.totals.connections }),
      },
      measure: async () => ({
        ...(await measuredConnect(sql, { trips, networkMs: roundTripMs })),
        ...(await measuredWaits(pool, roundTripMs)),
      }),
      close,
    };
  },
};

const validated = checkoutCases.find((it) => it.variant === 'validated')!;

/** The same shapes as a checkout per query: the pool's setting is what asks the server. */
const validateOnBorrow: BenchmarkCase<PoolEvidence> = {
  ...(validated as BenchmarkCase),
  ruleId,
  variant: 'validate-on-borrow',
  title: 'A pool that queries the server at each checkout',
  parametersOf: ({ variant }) => (variant === 'validate-on-borrow' ? {} : undefined),
};

export const cases = [
  size,
  perCall,
  noTimeout,
  overLimit,
  idleChurn,
  validateOnBorrow,
  noErrorListener,
];
