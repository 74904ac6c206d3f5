import type { DatabaseKind } from '../../case.ts';
import type { Query } from '../one-connection.ts';
import { isOurs, lockKey, markOf } from './names.ts';

/** The first half of the lock's key, the same for all runs: "dead" in ASCII. */
const LOCK_CLASS = 0x64656164;

/** In each database of ours in MySQL, for its comment: a database has none. */
const MARKED_TABLE = 'deadtime_proof';

/** What a proof makes in a database of the user's, in the words of one kind of server. */
interface Dialect {
  /** Waits no longer than that for locks of others. */
  readonly patience: string;
  /** From now on, while this session lasts, others see that the run lives. */
  hold(query: Query, name: string): Promise<void>;
  /** A schema (MySQL: a database) of that name, marked as ours. */
  make(query: Query, name: string): Promise<void>;
  /** The statement that lets this user do so. */
  grant(query: Query): Promise<string>;
  /** What begins with our names, and its comments. */
  made(query: Query): Promise<readonly Made[]>;
  /** Whether a session holds the lock. */
  isAlive(query: Query, name: string): Promise<boolean>;
}

interface Made {
  readonly name: string;
  readonly comment: string;
  readonly drop: string;
}

const postgres: Dialect = {
  patience: `SET lock_timeout = '3s'`,
  async hold(query, name) {
    await query(`SELECT pg_advisory_lock(${LOCK_CLASS}, ${lockKey(name)})`);
  },
  async make(query, name) {
    // As one transaction: what has no comment would stay.
    await query(`CREATE SCHEMA ${name}; COMMENT ON SCHEMA ${name} IS '${markOf(name)}'`);
  },
  async grant(query) {
    const [row] = await query(
      `SELECT format('GRANT CREATE ON DATABASE %I TO %I', current_database(), session_user) AS text`,
    );
    return String(row?.['text']);
  },
  async made(query) {
    const rows = await query(
      `SELECT 'SCHEMA' AS what, nspname AS name, obj_description(oid, 'pg_namespace') AS comment
        FROM pg_namespace WHERE nspname LIKE 'deadtime\\_proof\\_%'
      UNION ALL SELECT 'ROLE', rolname, shobj_description(oid, 'pg_authid')
        FROM pg_roles WHERE rolname LIKE 'deadtime\\_proof\\_%'`,
    );
    return rows.map(({ what, name, comment }) => ({
      ...{ name: String(name), comment: String(comment) },
      drop: `DROP ${String(what)} IF EXISTS ${String(name)}${what === 'SCHEMA' ? ' CASCADE' : ''}`,
    }));
  },
  // Roles are of all databases, and locks of one: this view shows them all.
  async isAlive(query, name) {
    const rows = await query(
      `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = ${LOCK_CLASS}
        AND objid = ${lockKey(name)} AND objsubid = 2`,
    );
    return rows.length > 0;
  },
};

const mysql: Dialect = {
  patience: 'SET SESSION lock_wait_timeout = 3',
  async hold(query, name) {
    await query(`SELECT GET_LOCK('${name}', 0)`);
  },
  async make(query, name) {
    await query(`CREATE DATABASE ${name}`);
    await query(`CREATE TABLE ${name}.${MARKED_TABLE} (id int) COMMENT = '${markOf(name)}'`);
  },
  async grant(query) {
    const part = (side: 1 | -1) => `QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', ${side}))`;
    const [row] = await query(`SELECT CONCAT(${part(1)}, '@', ${part(-1)}) AS user`);
    return `GRANT ALL ON \`deadtime\\_proof\\_%\`.* TO ${String(row?.['user'])}`;
  },
  async made(query) {
    const rows = await query(
      `SELECT table_schema AS name, table_comment AS comment FROM information_schema.tables
        WHERE table_name = '${MARKED_TABLE}' AND table_schema LIKE 'deadtime\\_proof\\_%'`,
    );
    return rows.map(({ name, comment }) => ({
      ...{ name: String(name), comment: String(comment) },
      drop: `DROP DATABASE IF EXISTS ${String(name)}`,
    }));
  },
  async isAlive(query, name) {
    const [row] = await query(`SELECT IS_USED_LOCK('${name}') AS session`);
    return typeof row?.['session'] === 'number';
  },
};

function dialectOf(kind: DatabaseKind): Dialect {
  return kind === 'postgres' ? postgres : mysql;
}

/** Marks the run as alive, for as long as its session exists; before it creates anything. */
export function holdLock(kind: DatabaseKind, query: Query, name: string): Promise<void> {
  return dialectOf(kind).hold(query, name);
}

/** Makes the schema; where that is not allowed, returns what would allow it. */
export async function makeSchema(
  kind: DatabaseKind,
  query: Query,
  name: string,
): Promise<string | undefined> {
  const dialect = dialectOf(kind);
  try {
    await dialect.make(query, name);
    return undefined;
  } catch (error) {
    const { code } = error as { code?: string };
    // The latter is also how a read-only server of MySQL answers.
    const isDenied = ['42501', 'ER_DBACCESS_DENIED_ERROR', 'ER_ACCESS_DENIED_ERROR'].includes(
      code!,
    );
    if (!isDenied) throw error;
    return dialect.grant(query);
  }
}

/** Drops what `name` has made. */
export async function dropScratch(kind: DatabaseKind, query: Query, name: string): Promise<void> {
  await query(dialectOf(kind).patience);
  for (const it of await oursIn(kind, query)) if (it.name === name) await query(it.drop);
}

/** Drops what runs have left that are over, however they ended; returns what was left all the same, each with the reason. */
export async function dropLeftovers(kind: DatabaseKind, query: Query): Promise<readonly string[]> {
  const { patience, isAlive } = dialectOf(kind);
  const left: string[] = [];
  await query(patience);
  for (const { name, drop } of await oursIn(kind, query)) {
    if (await isAlive(query, name)) continue;
    try {
      await query(drop);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      left.push(
        `An earlier proof has left ${name}, and this user cannot drop it: ${why}. ${drop};`,
      );
    }
  }
  return left;
}

/** Only what carries our comment: others may use such names. */
async function oursIn(kind: DatabaseKind, query: Query): Promise<readonly Made[]> {
  return (await dialectOf(kind).made(query)).filter((it) => isOurs(it.name, it.comment));
}
