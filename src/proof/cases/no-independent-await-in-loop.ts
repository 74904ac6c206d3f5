import { readFile } from 'node:fs/promises';
import { atMost, oneByOne, type Task } from '../concurrency.ts';
import type { BenchmarkCase, LatencySetUp, MachineValues, Prediction, Values } from '../case.ts';
import { lanes, openSql, queryOf } from '../drivers/index.ts';
import { type KeyedReads, openKeyedReads, type Row } from '../keyed-reads.ts';
import { startOrigin } from '../origin.ts';
import {
  count,
  duration,
  known,
  networkDelay,
  numbersOf,
  poolSize,
  serverTime,
  suggested,
} from '../parameters.ts';
import { scratchFiles } from '../scratch-files.ts';
import { multiRowInsert, rowInsert, scratchTable } from '../tables.ts';
import {
  besideMsOf,
  beyond,
  meanBunchMsOf,
  meanMsOf,
  measuredWaits,
  queryMs,
  requestMs,
} from '../timing.ts';

const ruleId = 'no-independent-await-in-loop';

/** Evidence of a loop over elements, with its `remedy`, or of a drain, with its `method`. */
export interface LoopEvidence {
  readonly [name: string]: string | number | boolean;
}

const elements = count('count', 20, 'elements of the loop', { longest: 1_000 });
const limit = count('limit', 10, 'the most iterations that run concurrently after the fix', {
  max: 1_000,
  ...suggested,
});
const network = networkDelay();

async function rowByRow({ ids, rowOf }: KeyedReads) {
  const rows = new Map<number, Row>();
  for (const id of ids) rows.set(id, await rowOf(id));
  return rows;
}

async function allRows({ ids, rowsOf }: KeyedReads) {
  const rows = await rowsOf(ids);
  return new Map(rows.map((row) => [row.id, row]));
}

const batch: BenchmarkCase<LoopEvidence> = {
  ruleId,
  variant: 'batch',
  title: 'One query by key per element',
  needs: { databases: ['postgres', 'mysql'], makes: 'tables' },
  parameters: [elements, network],
  parametersOf: ({ remedy, count }) => (remedy === 'batch' ? known({ count }) : undefined),
  predict: (values, machine) => ({
    ...roundTrips(values, machine),
    formula: 'count · (queryMs + roundTripMs) vs queryMs + roundTripMs',
  }),
  scalesWith: 'count',
  doesNotShow: [
    'Redis, if the loop uses it: PostgreSQL replaces it, because the benchmark counts round trips.',
    'A very long list: one statement for a million keys is slow; send a few thousand at a time.',
  ],
  async setUp(context) {
    const numbers = numbersOf(context.parameters, 'count', 'roundTripMs');
    const reads = await openKeyedReads(context, { ...numbers, max: 1 });
    const { counters, measure, close } = reads;
    return {
      kind: 'latency',
      flagged: { label: 'one query per element', iteration: () => rowByRow(reads), counters },
      mended: { label: 'one query for all elements', iteration: () => allRows(reads), counters },
      measure,
      close,
    };
  },
};

const drain: BenchmarkCase<LoopEvidence> = {
  ruleId,
  variant: 'drain',
  title: 'Elements fetched from a queue one at a time',
  needs: { databases: ['postgres', 'mysql'], stub: true },
  parameters: [elements, network],
  parametersOf: ({ method, bulk, remedy }) =>
    remedy === undefined && method !== undefined && bulk !== undefined ? {} : undefined,
  predict: (values, machine) => ({
    ...roundTrips(values, machine),
    formula: 'count · (queryMs + roundTripMs) vs queryMs + roundTripMs',
  }),
  scalesWith: 'count',
  doesNotShow: [
    'Redis: queries of PostgreSQL replace its commands, because the benchmark counts round trips.',
    'Fairness between consumers: a consumer that fetches many leaves fewer for the rest.',
  ],
  async setUp(context) {
    const { count, roundTripMs } = numbersOf(context.parameters, 'count', 'roundTripMs');
    const { sql, close } = await openSql(context, roundTripMs);
    const pool = sql.pool({ max: 1 });
    const take = (many: number) => pool.query(`SELECT 'taken' AS element, ${many} AS count`);
    const counters = async () => ({ 'round trips': pool.totals.roundTrips });
    return {
      kind: 'latency',
      flagged: {
        label: 'fetches one element at a time',
        iteration: () => oneByOne(count, () => take(1)),
        counters,
      },
      mended: { label: 'fetches many per round trip', iteration: () => take(count), counters },
      measure: () => measuredWaits(pool, roundTripMs),
      close,
    };
  },
};

const writes: BenchmarkCase<LoopEvidence> = {
  ruleId,
  variant: 'writes',
  title: 'One committed write per element',
  needs: { databases: ['postgres', 'mysql'], makes: 'tables' },
  parameters: [elements, network],
  parametersOf: ({ remedy, count }) => (remedy === 'writes' ? known({ count }) : undefined),
  predict(values, { fsyncMs, ...machine }) {
    if (fsyncMs === undefined) return undefined;
    return {
      ...roundTrips(values, machine, fsyncMs),
      formula: 'count · (queryMs + roundTripMs + commitMs) vs queryMs + roundTripMs + commitMs',
    };
  },
  scalesWith: 'count',
  doesNotShow: [
    'A row that fails: the whole statement then fails, unless it has an ON CONFLICT clause.',
    'Hooks and triggers that your mapper runs per row.',
  ],
  async setUp(context) {
    const { count, roundTripMs } = numbersOf(context.parameters, 'count', 'roundTripMs');
    const { sql, close } = await openSql(context, roundTripMs);
    const table = await scratchTable(sql);
    const pool = sql.pool({ max: 1 });
    const counters = async () => ({ 'round trips': pool.totals.roundTrips });
    const insert = ({ text, values }: ReturnType<typeof rowInsert>) => pool.query(text, values);
    const all = multiRowInsert(table.name, count);
    return {
      kind: 'latency',
      flagged: {
        label: 'one statement per row',
        iteration: () => oneByOne(count, (i) => insert(rowInsert(table.name, i))),
        counters,
      },
      mended: { label: 'one statement for all rows', iteration: () => insert(all), counters },
      async measure() {
        const committedMs = await meanMsOf(() => insert(rowInsert(table.name, 1)));
        const waits = await measuredWaits(pool, roundTripMs);
        return { ...waits, fsyncMs: beyond(queryMs(0, waits, roundTripMs), committedMs) };
      },
      async close() {
        await table.drop();
        await close();
      },
    };
  },
};

function roundTrips(
  values: Values,
  machine: MachineValues,
  commitMs = 0,
): Omit<Prediction, 'formula'> {
  const { count, roundTripMs } = numbersOf(values, 'count', 'roundTripMs');
  const eachMs = queryMs(0, machine, roundTripMs) + commitMs;
  return {
    unit: 'ms per iteration',
    flagged: count * eachMs,
    mended: eachMs,
    tolerance: { flagged: 0.25 },
  };
}

const fanOut: BenchmarkCase<LoopEvidence> = {
  ruleId,
  variant: 'fan-out',
  title: 'Different queries, one per element',
  needs: { databases: ['postgres', 'mysql'], stub: true },
  parameters: [
    elements,
    limit,
    serverTime('queryMs', 5, 'how long the database works on a query'),
    poolSize(),
  ],
  parametersOf: ({ remedy, count, limit }) =>
    remedy === 'fanOutDb' ? known({ count, limit }) : undefined,
  predict(values, machine) {
    const { queryMs: serverMs, max } = numbersOf(values, 'queryMs', 'max');
    const eachMs = queryMs(serverMs, machine);
    return sideBySide(values, { eachMs, most: max, of: '(queryMs + roundTripMs)' });
  },
  scalesWith: 'count',
  doesNotShow: [
    'Other requests: they wait for a connection while this loop uses the pool.',
    'Memory: it holds all results together.',
  ],
  async setUp(context) {
    const { count, limit, queryMs, max } = numbersOf(
      context.parameters,
      ...(['count', 'limit', 'queryMs', 'max'] as const),
    );
    const { access, sql, close } = await openSql(context);
    const pool = sql.pool({ max });
    const text = queryOf(access.kind, queryMs);
    return {
      ...loopArms(count, limit, () => pool.query(text)),
      measure: () => measuredWaits(pool),
      close,
    };
  },
};

const fanOutHttp: BenchmarkCase<LoopEvidence> = {
  ruleId,
  variant: 'fan-out-http',
  title: 'One HTTP request per element',
  needs: {},
  parameters: [
    elements,
    limit,
    duration('latencyMs', 10, 'how long the third-party service takes', { longest: 20 }),
  ],
  parametersOf: ({ remedy, count, limit }) =>
    remedy === 'fanOutHttp' ? known({ count, limit }) : undefined,
  predict(values, machine) {
    const eachMs = requestMs(numbersOf(values, 'latencyMs').latencyMs, machine);
    const { besideMs } = machine;
    return sideBySide(values, { eachMs, besideMs, of: '(latencyMs + requestMs)' });
  },
  scalesWith: 'count',
  doesNotShow: [
    'The rate limit of the service, and its behaviour under ten concurrent requests.',
    'TLS and new connections: the requests here reuse open connections.',
  ],
  async setUp({ parameters, trace }) {
    const { count, limit, latencyMs } = numbersOf(parameters, 'count', 'limit', 'latencyMs');
    const origin = await startOrigin(latencyMs, trace);
    return {
      ...loopArms(count, limit, () => origin.request()),
      async measure() {
        const most = Math.min(limit, count);
        const aloneMs = await meanMsOf(() => origin.request());
        const bunchMs = await meanBunchMsOf(most, () => origin.request());
        return {
          requestMs: beyond(latencyMs, aloneMs),
          besideMs: besideMsOf(most, aloneMs, bunchMs),
        };
      },
      close: () => origin.close(),
    };
  },
};

const fanOutFiles: BenchmarkCase<LoopEvidence> = {
  ruleId,
  variant: 'fan-out-files',
  title: 'One file operation per element',
  needs: {},
  parameters: [elements, limit],
  parametersOf: ({ remedy, count, limit }) =>
    remedy === 'fanOutFs' ? known({ count, limit }) : undefined,
  doesNotShow: [
    'Cold files and network drives: these files come from the page cache, and the fix saves little.',
    'Memory: it holds all files together.',
  ],
  async setUp({ parameters, trace }) {
    const { count, limit } = numbersOf(parameters, 'count', 'limit');
    const { paths, close } = scratchFiles(Math.min(count, 50));
    const file = lanes(trace, 'file');
    return {
      ...loopArms(count, limit, (i) => file(() => readFile(paths[i % paths.length]!))),
      close,
    };
  },
};

function loopArms(count: number, limit: number, task: Task): LatencySetUp {
  return {
    kind: 'latency',
    flagged: { label: 'one at a time', iteration: () => oneByOne(count, task) },
    mended: { label: `at most ${limit} at a time`, iteration: () => atMost(limit, count, task) },
  };
}

function sideBySide(
  values: Values,
  {
    eachMs,
    besideMs = 0,
    most,
    of,
  }: {
    readonly eachMs: number;
    readonly besideMs?: number | undefined;
    /** The connections of the pool that all of them share. */
    readonly most?: number;
    readonly of: string;
  },
): Prediction {
  const { count, limit } = numbersOf(values, 'count', 'limit');
  const together = Math.min(limit, most ?? limit, count);
  return {
    formula: `count · ${of} vs ⌈count / ${most === undefined ? 'limit' : 'min(limit, max)'}⌉ · ${of}`,
    unit: 'ms per iteration',
    flagged: count * eachMs,
    mended: Math.ceil(count / together) * (eachMs + besideMs * (together - 1)),
    tolerance: { flagged: 0.25, mended: 0.25 },
  };
}

export const cases = [batch, drain, writes, fanOut, fanOutHttp, fanOutFiles];
