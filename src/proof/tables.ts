import { randomBytes } from 'node:crypto';
import type { DatabaseKind } from './case.ts';
import type { Sql, SqlPool, SqlValue } from './drivers/index.ts';

/**
 * A table of ours. In a database of the user's it lies in the schema that goes with the run; in one that was started here, it
 * goes with the first run an hour later where its own was killed.
 */
export interface ScratchTable {
  readonly name: string;
  drop(): Promise<void>;
}

const PREFIX = 'deadtime_proof_';
const STALE_MS = 3_600_000;

interface TableOptions {
  /** To begin with. */
  readonly rows?: number;
  readonly isUnique?: boolean;
}

/** Two columns, `id` and `note`, and an index on the first. */
export async function scratchTable(
  sql: Sql,
  { rows = 0, isUnique = false }: TableOptions = {},
): Promise<ScratchTable> {
  const pool = sql.pool({ max: 1 });
  const name = sql.loan ? nameIn(sql.loan.schema()) : await ownName(pool);
  await pool.query(`CREATE TABLE ${name} (id integer NOT NULL, note varchar(40) NOT NULL)`);
  const index = `${name.split('.').at(-1)}_id`;
  await pool.query(`CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${index} ON ${name} (id)`);
  for (let first = 0; first < rows; first += MOST_ROWS) {
    const { text, values } = multiRowInsert(name, Math.min(MOST_ROWS, rows - first), first);
    await pool.query(text, values);
  }
  return {
    name,
    async drop() {
      await pool.query(`DROP TABLE IF EXISTS ${name}`);
    },
  };
}

function nameIn(schema: string): string {
  return `${schema}.rows_${randomBytes(4).toString('hex')}`;
}

async function ownName(pool: SqlPool): Promise<string> {
  for (const old of await staleTables(pool)) await pool.query(`DROP TABLE IF EXISTS ${old}`);
  return `${PREFIX}${Date.now()}_${process.pid}`;
}

/** What a run that was killed has left behind. */
async function staleTables(pool: SqlPool): Promise<readonly string[]> {
  const { rows } = await pool.query(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_name LIKE '${PREFIX}%'`,
  );
  return rows
    .map(({ name }) => String(name))
    .filter((it) => /^deadtime_proof_\d+_\d+$/.test(it))
    .filter((it) => Date.now() - Number(it.split('_')[2]) > STALE_MS);
}

/** Parameters of one statement: 65,535 in PostgreSQL. */
const MOST_ROWS = 5_000;

interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

export function rowInsert(table: string, id: number): Statement {
  return { text: `INSERT INTO ${table} (id, note) VALUES ($1, $2)`, values: [id, `row ${id}`] };
}

export function multiRowInsert(table: string, rows: number, first = 0): Statement {
  const places = Array.from({ length: rows }, (_, i) => `($${2 * i + 1}, $${2 * i + 2})`);
  return {
    text: `INSERT INTO ${table} (id, note) VALUES ${places.join(', ')}`,
    values: Array.from({ length: rows }, (_, i) => [first + i, `row ${first + i}`]).flat(),
  };
}

/** `id` among many values, in one parameter. */
export function anyOf(kind: DatabaseKind): string {
  return kind === 'postgres' ? 'id = ANY($1)' : 'id IN ($1)';
}
