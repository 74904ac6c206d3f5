import type {
  BenchmarkCase,
  MachineValues,
  Prediction,
  SetUp,
  SetUpContext,
  Values,
} from '../case.ts';
import { openSql, type SqlPool } from '../drivers/index.ts';
import { count, known, networkDelay, numbersOf } from '../parameters.ts';
import { openSqlite, type SqliteDatabase } from '../sqlite.ts';
import { multiRowInsert, rowInsert, scratchTable } from '../tables.ts';
import { beyond, meanMsOf, measuredWaits, queryMs } from '../timing.ts';

const ruleId = 'no-autocommit-in-loop';

export interface WriteEvidence {
  readonly [name: string]: string | number | boolean;
  readonly variant:
    'insert' | 'update' | 'delete' | 'row-in-transaction' | 'sqlite' | 'enqueue' | 'redis';
  // Also `rows`, where the code contains their number.
}

const rows = count('rows', 20, 'rows that the loop writes', { longest: 500 });
const network = networkDelay();

const doesNotShow = [
  'One row that fails: the whole statement or transaction then fails.',
  'Concurrent writers: they share flushes of the log, while a loop that awaits each commit cannot.',
];

interface Rows {
  readonly pool: SqlPool;
  readonly table: string;
  readonly count: number;
}

async function commitEachRow({ pool, table, count }: Rows) {
  for (let id = 0; id < count; id++) {
    const { text, values } = rowInsert(table, id);
    await pool.query(text, values);
  }
}

async function insertAllRows({ pool, table, count }: Rows) {
  const { text, values } = multiRowInsert(table, count);
  await pool.query(text, values);
}

const insert: BenchmarkCase<WriteEvidence> = {
  ruleId,
  variant: 'insert',
  title: 'One committed INSERT per element',
  needs: { databases: ['postgres', 'mysql'], makes: 'tables' },
  parameters: [rows, network],
  parametersOf: ({ variant, rows }) => (variant === 'insert' ? known({ rows }) : undefined),
  predict: (values, machine) =>
    prediction(values, machine, ({ rows, statementMs, commitMs }) => ({
      formula: 'rows · (queryMs + roundTripMs + commitMs) vs queryMs + roundTripMs + commitMs',
      flagged: rows * (statementMs + commitMs),
      mended: statementMs + commitMs,
    })),
  scalesWith: 'rows',
  doesNotShow,
  setUp: (context) =>
    writesSetUp(context, {
      flagged: ['commits each row', commitEachRow],
      mended: ['inserts all rows with one statement', insertAllRows],
    }),
};

async function commitOnce({ pool, table, count }: Rows) {
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN');
    for (let id = 0; id < count; id++) {
      const { text, values } = rowInsert(table, id);
      await connection.query(text, values);
    }
    await connection.query('COMMIT');
  } finally {
    connection.release();
  }
}

const transaction: BenchmarkCase<WriteEvidence> = {
  ruleId,
  variant: 'transaction',
  title: 'One committed write per element, compared with one transaction',
  needs: { databases: ['postgres', 'mysql'], makes: 'tables' },
  parameters: [rows, network],
  parametersOf: ({ variant, rows }) =>
    variant === 'update' || variant === 'delete' ? known({ rows }) : undefined,
  predict: (values, machine) =>
    prediction(values, machine, ({ rows, statementMs, commitMs }) => ({
      formula:
        'rows · (queryMs + roundTripMs + commitMs) vs (rows + 2) · (queryMs + roundTripMs) + commitMs',
      flagged: rows * (statementMs + commitMs),
      mended: (rows + 2) * statementMs + commitMs,
    })),
  scalesWith: 'rows',
  doesNotShow: [
    ...doesNotShow,
    'One statement for all rows, which also saves the round trips.',
    'Locks: the rows of a transaction stay locked until it ends.',
  ],
  setUp: (context) =>
    writesSetUp(context, {
      flagged: ['commits each row', commitEachRow],
      mended: ['commits once', commitOnce],
    }),
};

async function insertAllRowsInTransaction({ pool, table, count }: Rows) {
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN');
    const { text, values } = multiRowInsert(table, count);
    await connection.query(text, values);
    await connection.query('COMMIT');
  } finally {
    connection.release();
  }
}

const rowInTransaction: BenchmarkCase<WriteEvidence> = {
  ruleId,
  variant: 'row-in-transaction',
  title: 'One INSERT per element within a transaction',
  needs: { databases: ['postgres', 'mysql'], makes: 'tables' },
  parameters: [rows, network],
  parametersOf: ({ variant, rows }) =>
    variant === 'row-in-transaction' ? known({ rows }) : undefined,
  // Without a claim: one commit among so few round trips is as slow as the disk is in that second.
  predict: (values, machine) =>
    prediction(values, machine, ({ rows, statementMs, commitMs }) => ({
      tolerance: {},
      formula:
        '(rows + 2) · (queryMs + roundTripMs) + commitMs vs 3 · (queryMs + roundTripMs) + commitMs',
      flagged: (rows + 2) * statementMs + commitMs,
      mended: 3 * statementMs + commitMs,
    })),
  scalesWith: 'rows',
  doesNotShow: ['A row whose values the next row needs: such rows must be sent one at a time.'],
  setUp: (context) =>
    writesSetUp(context, {
      flagged: ['inserts one row at a time, then commits', commitOnce],
      mended: ['inserts all rows with one statement, then commits', insertAllRowsInTransaction],
    }),
};

type NamedShape = readonly [label: string, shape: (rows: Rows) => Promise<void>];

async function writesSetUp(
  context: SetUpContext,
  shapes: { readonly flagged: NamedShape; readonly mended: NamedShape },
): Promise<SetUp> {
  const { rows, roundTripMs } = numbersOf(context.parameters, 'rows', 'roundTripMs');
  const { access, sql, close } = await openSql(context, roundTripMs);
  const table = await scratchTable(sql);
  const idle = sql.pool({ max: 1 });
  const armFor = ([label, shape]: NamedShape) => {
    const pool = sql.pool({ max: 1 });
    const work = { pool, table: table.name, count: rows };
    return {
      label,
      iteration: () => shape(work),
      async counters() {
        const { roundTrips } = pool.totals;
        const { fsyncs } = await access.counters([pool]);
        // What handing in the counts took is no part of them.
        pool.totals.roundTrips = roundTrips;
        return { 'round trips': roundTrips, ...(fsyncs === undefined ? {} : { fsyncs }) };
      },
      countedIterations: 2,
    };
  };
  return {
    kind: 'latency',
    flagged: armFor(shapes.flagged),
    mended: armFor(shapes.mended),
    measure: () => measuredCommit(idle, table.name, roundTripMs),
    async close() {
      await table.drop();
      await close();
    },
  };
}

/** The statement within a transaction, and what a durable commit adds to it. */
async function measuredCommit(pool: SqlPool, table: string, networkMs: number) {
  const { text, values } = rowInsert(table, 0);
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN');
    const statementMs = await meanMsOf(() => connection.query(text, values));
    await connection.query('COMMIT');
    const committedMs = await meanMsOf(() => connection.query(text, values));
    return {
      roundTripMs: beyond(networkMs, statementMs),
      fsyncMs: beyond(statementMs, committedMs),
    };
  } finally {
    connection.release();
  }
}

interface Costs {
  readonly rows: number;
  readonly statementMs: number;
  readonly commitMs: number;
}

function prediction(
  values: Values,
  { fsyncMs, ...machine }: MachineValues,
  formOf: (costs: Costs) => Omit<Prediction, 'unit'>,
): Prediction | undefined {
  if (fsyncMs === undefined) return undefined;
  const { rows, roundTripMs } = numbersOf(values, 'rows', 'roundTripMs');
  const costs = { rows, statementMs: queryMs(0, machine, roundTripMs), commitMs: fsyncMs };
  return { tolerance: { flagged: 0.25 }, ...formOf(costs), unit: 'ms per iteration' };
}

function runEachRow({ database, insert, count }: SqliteRows) {
  for (let id = 0; id < count; id++) insert.run(id, `row ${id}`);
  return database;
}

function runInTransaction({ database, insert, count }: SqliteRows) {
  database.exec('BEGIN');
  for (let id = 0; id < count; id++) insert.run(id, `row ${id}`);
  database.exec('COMMIT');
}

interface SqliteRows {
  readonly database: SqliteDatabase;
  readonly insert: ReturnType<SqliteDatabase['prepare']>;
  readonly count: number;
}

const sqlite: BenchmarkCase<WriteEvidence> = {
  ruleId,
  variant: 'sqlite',
  title: 'One SQLite statement per element, outside a transaction',
  needs: {},
  parameters: [rows],
  parametersOf: ({ variant, rows }) => (variant === 'sqlite' ? known({ rows }) : undefined),
  predict(values, { fsyncMs }) {
    if (fsyncMs === undefined) return undefined;
    return {
      formula: 'rows · commitMs vs commitMs',
      unit: 'ms per iteration',
      flagged: Number(values['rows']) * fsyncMs,
      mended: fsyncMs,
      tolerance: { flagged: 0.25 },
    };
  },
  scalesWith: 'rows',
  doesNotShow: [
    doesNotShow[0]!,
    'Other settings: with journal_mode = WAL and synchronous = NORMAL a commit does not wait for the disk.',
  ],
  async setUp({ parameters }) {
    const { rows: count } = numbersOf(parameters, 'rows');
    const { database, close } = openSqlite();
    database.exec('CREATE TABLE rows (id integer, note text)');
    const insert = database.prepare('INSERT INTO rows (id, note) VALUES (?, ?)');
    const work = { database, insert, count };
    return {
      kind: 'latency',
      flagged: {
        label: 'commits each row',
        iteration: () => void runEachRow(work),
      },
      mended: { label: 'commits once', iteration: () => void runInTransaction(work) },
      measure: async () => ({
        fsyncMs: await meanMsOf(async () => insert.run(0, 'a row')),
      }),
      close: async () => close(),
    };
  },
};

async function sendEach(pool: SqlPool, count: number) {
  for (let i = 0; i < count; i++) await pool.query("SELECT 'queued' AS job");
}

async function sendAll(pool: SqlPool, count: number) {
  await pool.query(`SELECT 'queued' AS job, ${count} AS jobs`);
}

const enqueue: BenchmarkCase<WriteEvidence> = {
  ruleId,
  variant: 'enqueue',
  title: 'One message or command per element',
  needs: { databases: ['postgres', 'mysql'], stub: true },
  parameters: [rows, network],
  parametersOf: ({ variant, rows }) =>
    variant === 'enqueue' || variant === 'redis' ? known({ rows }) : undefined,
  predict(values, machine) {
    const { rows, roundTripMs } = numbersOf(values, 'rows', 'roundTripMs');
    const commandMs = queryMs(0, machine, roundTripMs);
    return {
      formula: 'rows · (queryMs + roundTripMs) vs queryMs + roundTripMs',
      unit: 'ms per iteration',
      flagged: rows * commandMs,
      mended: commandMs,
      tolerance: { flagged: 0.25 },
    };
  },
  scalesWith: 'rows',
  doesNotShow: [
    'The queue or Redis itself: queries replace its commands, because the benchmark counts round trips.',
  ],
  async setUp(context) {
    const { rows, roundTripMs } = numbersOf(context.parameters, 'rows', 'roundTripMs');
    const { sql, close } = await openSql(context, roundTripMs);
    const pool = sql.pool({ max: 1 });
    const counters = async () => ({ 'round trips': pool.totals.roundTrips });
    return {
      kind: 'latency',
      flagged: { label: 'sends one at a time', iteration: () => sendEach(pool, rows), counters },
      mended: { label: 'sends all together', iteration: () => sendAll(pool, rows), counters },
      measure: () => measuredWaits(pool, roundTripMs),
      close,
    };
  },
};

export const cases = [insert, transaction, rowInTransaction, sqlite, enqueue];
