import { driverOf } from '../drivers/index.ts';
import { createTrace } from '../harness/trace.ts';
import { flushTimes } from '../servers/flush-probe.ts';
import { serversFolder } from '../servers/folders.ts';
import type { Database } from '../servers/database.ts';
import { multiRowInsert, rowInsert, scratchTable } from '../tables.ts';

export interface Commits {
  readonly rowsPerSecond: number;
  /** Absent where the server does not report it. */
  readonly fsyncsPerRow: number | undefined;
}

export interface CommitResults {
  readonly oneByOne: Commits;
  readonly inTransaction: Commits;
  readonly oneStatement: Commits;
  readonly concurrent: Commits;
  /** A page written into a file and flushed, median. */
  readonly flushMs: number;
}

const ROWS = 200;
export const COMMITTERS = 16;
const ROWS_EACH = 40;

/** The four ways of writing rows. */
export async function commitsOn(database: Database): Promise<CommitResults> {
  const sql = await driverOf(database, database.url, createTrace());
  const table = await scratchTable(sql);
  const connections = await Promise.all(Array.from({ length: COMMITTERS }, () => sql.connect()));
  const [first] = connections;
  const insert = (connection: NonNullable<typeof first>, id: number) => {
    const { text, values } = rowInsert(table.name, id);
    return connection.query(text, values);
  };
  const measured = async (rows: number, work: () => Promise<unknown>): Promise<Commits> => {
    const before = await database.counters(connections);
    const start = performance.now();
    await work();
    const seconds = (performance.now() - start) / 1_000;
    const after = await database.counters(connections);
    const [from, to] = [before['fsyncs'], after['fsyncs']];
    return {
      rowsPerSecond: rows / seconds,
      fsyncsPerRow: from === undefined || to === undefined ? undefined : (to - from) / rows,
    };
  };

  try {
    const flushes = flushTimes(serversFolder()).toSorted((a, b) => a - b);
    return {
      oneByOne: await measured(ROWS, async () => {
        for (let i = 0; i < ROWS; i++) await insert(first!, i);
      }),
      inTransaction: await measured(ROWS, async () => {
        await first!.query('BEGIN');
        for (let i = 0; i < ROWS; i++) await insert(first!, i);
        await first!.query('COMMIT');
      }),
      oneStatement: await measured(ROWS, () => {
        const { text, values } = multiRowInsert(table.name, ROWS);
        return first!.query(text, values);
      }),
      concurrent: await measured(COMMITTERS * ROWS_EACH, () =>
        Promise.all(
          connections.map(async (connection) => {
            for (let i = 0; i < ROWS_EACH; i++) await insert(connection, i);
          }),
        ),
      ),
      flushMs: flushes[flushes.length >> 1]!,
    };
  } finally {
    await table.drop();
    await sql.close();
  }
}
