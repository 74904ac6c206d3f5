import type { DatabaseAccess, DatabaseKind, SetUpContext, Trace } from '../case.ts';
import { mysql } from './mysql.ts';
import { postgres } from './pg.ts';
import type { Sql } from './sql.ts';
import { withinLoan } from './within-loan.ts';

export { lanes } from './sql.ts';
export type { PooledConnection, Result, Sql, SqlConnection, SqlPool, SqlValue } from './sql.ts';

/** The driver of the database that the case was given; of a server of the user's, within what may be used of it. */
export async function driverOf(
  { kind, loan }: Pick<DatabaseAccess, 'kind' | 'loan'>,
  url: string,
  trace: Trace,
): Promise<Sql> {
  await loan?.begin();
  const sql = await (kind === 'postgres' ? postgres(url, trace) : mysql(url, trace));
  return loan ? withinLoan(sql, loan) : sql;
}

export interface Opened {
  readonly access: DatabaseAccess;
  readonly sql: Sql;
  close(): Promise<void>;
}

/** The case's database, behind a proxy when there is a round trip to add. */
export async function openSql(
  { database, trace }: Pick<SetUpContext, 'database' | 'trace'>,
  roundTripMs = 0,
): Promise<Opened> {
  const access = await database();
  const proxy = roundTripMs > 0 ? await access.delayed(roundTripMs) : undefined;
  const sql = await driverOf(access, proxy?.url ?? access.url, trace);
  return {
    access,
    sql,
    async close() {
      await sql.close();
      await proxy?.close();
    },
  };
}

/** A query that the server takes `ms` for, and hardly any CPU. */
export function queryOf(kind: DatabaseKind, ms: number): string {
  if (ms <= 0) return 'SELECT 1';
  const seconds = ms / 1_000;
  return kind === 'postgres' ? `SELECT pg_sleep(${seconds})` : `SELECT SLEEP(${seconds})`;
}
