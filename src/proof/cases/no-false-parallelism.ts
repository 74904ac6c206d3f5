import type { BenchmarkCase } from '../case.ts';
import { openSql, queryOf, type SqlConnection, type SqlPool } from '../drivers/index.ts';
import { count, known, numbersOf, serverTime } from '../parameters.ts';
import { measuredWaits, queryMs } from '../timing.ts';

export interface ParallelEvidence {
  readonly [name: string]: string | number | boolean;
  readonly driver: string;
  // Also `count`, where the code contains the number of calls.
}

async function togetherOnOneConnection(connection: SqlConnection, count: number, text: string) {
  await Promise.all(Array.from({ length: count }, () => connection.query(text)));
}

async function togetherOnThePool(pool: SqlPool, count: number, text: string) {
  await Promise.all(Array.from({ length: count }, () => pool.query(text)));
}

const oneClient: BenchmarkCase<ParallelEvidence> = {
  ruleId: 'no-false-parallelism',
  variant: 'one-client',
  title: 'Promise.all over queries of one connection',
  needs: { databases: ['postgres', 'mysql'] },
  parameters: [
    count('count', 6, 'queries in the Promise.all', { min: 2, longest: 20 }),
    serverTime('queryMs', 5, 'how long the database works on a query'),
  ],
  parametersOf: ({ count }) => known({ count }),
  predict(values, machine) {
    const { count, queryMs: serverMs } = numbersOf(values, 'count', 'queryMs');
    const eachMs = queryMs(serverMs, machine);
    return {
      formula: 'count · (queryMs + roundTripMs) vs queryMs + roundTripMs',
      unit: 'ms per iteration',
      flagged: count * eachMs,
      mended: eachMs,
      tolerance: { flagged: 0.25, mended: 0.25 },
    };
  },
  scalesWith: 'count',
  doesNotShow: [
    'A slowdown by Promise.all: the queries take as long as when each is awaited, they only look concurrent.',
    'Transactions: their queries belong on one connection; await them one at a time.',
    'Drivers that pipeline queries, such as postgres.js: there Promise.all helps.',
  ],
  async setUp(context) {
    const { count, queryMs } = numbersOf(context.parameters, 'count', 'queryMs');
    const { access, sql, close } = await openSql(context);
    const connection = await sql.connect();
    const pool = sql.pool({ max: count });
    const text = queryOf(access.kind, queryMs);
    return {
      kind: 'latency',
      flagged: {
        label: 'one connection, which runs them one at a time',
        iteration: () => togetherOnOneConnection(connection, count, text),
      },
      mended: {
        label: `a pool of ${count}`,
        iteration: () => togetherOnThePool(pool, count, text),
      },
      measure: () => measuredWaits(pool),
      close,
    };
  },
};

export const cases = [oneClient];
