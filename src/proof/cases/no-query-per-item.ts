import type { BenchmarkCase } from '../case.ts';
import { allAtOnce, atMost, type Task } from '../concurrency.ts';
import { openKeyedReads } from '../keyed-reads.ts';
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
import { queryMs } from '../timing.ts';

/** Evidence of a list, with its number of elements where the code contains it, and the queries of each. */
export interface ItemEvidence {
  readonly [name: string]: string | number | boolean;
}

const ruleId = 'no-query-per-item';

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
    const numbers = numbersOf(context.parameters, ...(['count', 'max', 'roundTripMs'] as const));
    const { ids, rowOf, rowsOf, counters, measure, close } = await openKeyedReads(context, numbers);
    return {
      kind: 'latency',
      flagged: {
        label: 'one query per element, concurrently',
        iteration: () => Promise.all(ids.map((id) => rowOf(id))),
        counters,
      },
      mended: {
        label: 'one query for all elements',
        async iteration() {
          const rows = new Map((await rowsOf(ids)).map((row) => [row.id, row]));
          return ids.map((id) => rows.get(id));
        },
        counters,
      },
      measure,
      close,
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
