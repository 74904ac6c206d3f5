import type { MachineValues, SetUpContext } from './case.ts';
import { openSql } from './drivers/index.ts';
import { anyOf, scratchTable } from './tables.ts';
import { beyond, meanMsOf } from './timing.ts';

export interface Row {
  readonly id: number;
}

/** Rows that are asked for by their keys, one at a time or all with one statement. */
export interface KeyedReads {
  /** So many as were asked for, all of them in the table. */
  readonly ids: readonly number[];
  rowOf(id: number): Promise<Row>;
  rowsOf(ids: readonly number[]): Promise<readonly Row[]>;
  counters(): Promise<Readonly<Record<string, number>>>;
  measure(): Promise<Partial<MachineValues>>;
  close(): Promise<void>;
}

const LEAST_ROWS = 1_000;

/** Makes a table with as many rows; `max` is the size of the pool, and `roundTripMs` that of the network. */
export async function openKeyedReads(
  context: SetUpContext,
  {
    count,
    max,
    roundTripMs,
  }: { readonly count: number; readonly max: number; readonly roundTripMs: number },
): Promise<KeyedReads> {
  const { access, sql, close } = await openSql(context, roundTripMs);
  const size = Math.max(LEAST_ROWS, count);
  const table = await scratchTable(sql, { rows: size });
  const pool = sql.pool({ max });
  const one = `SELECT id, note FROM ${table.name} WHERE id = $1`;
  const all = `SELECT id, note FROM ${table.name} WHERE ${anyOf(access.kind)}`;
  const ask = async (text: string, value: number | number[]) =>
    (await pool.query(text, [value])).rows as unknown as readonly Row[];
  return {
    // Not in the order of the table.
    ids: Array.from({ length: count }, (_, i) => (i * 37) % size),
    rowOf: async (id) => (await ask(one, id))[0]!,
    rowsOf: (ids) => ask(all, [...ids]),
    counters: async () => ({ 'round trips': pool.totals.roundTrips }),
    measure: async () => ({
      roundTripMs: beyond(roundTripMs, await meanMsOf(() => pool.query(one, [1]))),
    }),
    async close() {
      await table.drop();
      await close();
    },
  };
}
