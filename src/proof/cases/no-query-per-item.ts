import type { BenchmarkCase } from '../case.ts';
import { allAtOnce, atMost, type Task } from '../concurrency.ts';
import { openSql } from '../drivers/index.ts';
import { startOrigin } from '../origin.ts';
import {
  count,
  duration,
  known,
  networkDelay,
  numbersOf,
  poolSize,
  suggested,
} from '../parameters.ts';
import { anyOf, scratchTable } from '../tables.ts';
import { beyond, meanMsOf, queryMs } from '../timing.ts';

/** Evidence of a list, with its number of elements where the code contains it, and the queries of each. */
export interface ItemEvidence {
  readonly [name: string]: string | number | boolean;
}

const ruleId = 'no-query-per-item';

const ROWS = 1_000;

const elements = count('count', 100, 'elements of the list', { longest: 1_000 });

const each: BenchmarkCase<ItemEvidence> = {
  ruleId,
  variant: 'each',
  title: 'Concurrent queries, one per element of a list',
  needs: { databases: ['postgres', 'mysql'], makes: 'tables' },
  parameters: [elements, poolSize({ max: 100 }), networkDelay()],
  parametersOf: ({ each, count }) => (each === undefined ? undefined : known({ count })),
  predict(values, machine) {
    const { count, max, roundTripMs } = numbersOf(values, 'count', 'max', 'roundTripMs');
    const eachMs = queryMs(0, machine, roundTripMs);
    return {
      formula: '⌈count / max⌉ · (queryMs + roundTripMs) vs queryMs + roundTripMs',
      unit: 'ms per iteration',
      flagged: Math.ceil(count / max) * eachMs,
      mended: eachMs,
      // Beside others, a query takes as long as the server and this process need for all of them.
      tolerance: { flagged: 3, mended: 3 },
    };
  },
  scalesWith: 'count',
  doesNotShow: [
    'Other requests: they wait for a connection while the elements use the whole pool.',
    'GraphQL: the server runs a resolver for each parent as this benchmark runs its queries.',
    'A very long list: one statement for a million keys is slow; send a few thousand at a time.',
  ],
  async setUp(context) {
    const { count, max, roundTripMs } = numbersOf(
      context.parameters,
      ...(['count', 'max', 'roundTripMs'] as const),
    );
    const { access, sql, close } = await openSql(context, roundTripMs);
    const table = await scratchTable(sql, { rows: ROWS });
    const pool = sql.pool({ max });
    const ids = Array.from({ length: count }, (_, i) => (i * 37) % ROWS);
    const one = `SELECT id, note FROM ${table.name} WHERE id = $1`;
    const all = `SELECT id, note FROM ${table.name} WHERE ${anyOf(access.kind)}`;
    const counters = async () => ({ 'round trips': pool.totals.roundTrips });
    return {
      kind: 'latency',
      flagged: {
        label: 'one query per element, concurrently',
        iteration: () => Promise.all(ids.map(async (id) => (await pool.query(one, [id])).rows[0])),
        counters,
      },
      mended: {
        label: 'one query for all elements',
        async iteration() {
          const { rows } = await pool.query(all, [ids]);
          const byId = new Map(rows.map((row) => [row['id'], row]));
          return ids.map((id) => byId.get(id));
        },
        counters,
      },
      measure: async () => ({
        roundTripMs: beyond(roundTripMs, await meanMsOf(() => pool.query(one, [1]))),
      }),
      async close() {
        await table.drop();
        await close();
      },
    };
  },
};

const requests: BenchmarkCase<ItemEvidence> = {
  ruleId,
  variant: 'requests',
  title: 'Concurrent requests, one per element of a list',
  counts: 'connections to the service',
  needs: {},
  parameters: [
    elements,
    count('limit', 10, 'the most requests that run concurrently after the fix', {
      max: 1_000,
      ...suggested,
    }),
    duration('latencyMs', 10, 'how long the service takes', { longest: 20 }),
  ],
  parametersOf: ({ limit, count }) => (limit === undefined ? undefined : known({ count, limit })),
  predict(values) {
    const { count, limit } = numbersOf(values, 'count', 'limit');
    return {
      formula: 'count vs min(count, limit)',
      unit: 'count',
      flagged: count,
      mended: Math.min(count, limit),
      tolerance: { flagged: 0, mended: 0 },
    };
  },
  scalesWith: 'count',
  doesNotShow: [
    'The rate limit of the service: it answers as fast as it is asked here.',
    'The time: without a limit, a fast service has answered all of them sooner.',
  ],
  async setUp({ parameters, trace }) {
    const { count, limit, latencyMs } = numbersOf(parameters, 'count', 'limit', 'latencyMs');
    const run = (started: (task: Task) => Promise<void>) => async () => {
      const origin = await startOrigin(latencyMs, trace);
      await started(() => origin.request());
      const connections = origin.connections();
      await origin.close();
      return {
        value: connections,
        isFailure: connections > limit,
        text: `${connections} connections for ${count} requests`,
      };
    };
    return {
      kind: 'count',
      flagged: { label: 'all requests concurrently', run: run((it) => allAtOnce(count, it)) },
      mended: {
        label: `at most ${limit} concurrently`,
        run: run((it) => atMost(limit, count, it)),
      },
      async close() {},
    };
  },
};

export const cases = [each, requests];
