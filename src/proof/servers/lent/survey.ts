import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseKind } from '../../case.ts';
import type { Query, Row } from '../one-connection.ts';

/** How much of a server of the user's is free. */
export interface Survey {
  /** Connections that this user can still open, apart from those that the server reserves for its administrators. */
  readonly free: number;
  /** Of these, what a proof takes at most: others may come while it runs. */
  readonly most: number;
  /** Sessions of others. */
  readonly sessions: number;
}

/** The other half stays free for the applications of the server. */
const SHARE = 0.5;

/** Samples the active sessions, and the time between two samples: together longer than most queries. */
const LOOKS = 5;
const BETWEEN_LOOKS_MS = 10;

export async function surveyOf(kind: DatabaseKind, query: Query): Promise<Survey> {
  const { limits, sessions } = await (kind === 'postgres' ? postgres(query) : mysql(query));
  const free = Math.max(0, Math.min(...limits.map(({ most, used }) => most - used)));
  return { free, most: Math.floor(SHARE * free), sessions };
}

/** How many sessions of others are at work at a time, on average: from 1 on they keep a core of the server, or its disk, busy. */
export async function sessionsAtWork(kind: DatabaseKind, query: Query): Promise<number> {
  let sum = 0;
  for (let i = 0; i < LOOKS; i++) {
    if (i > 0) await delay(BETWEEN_LOOKS_MS);
    sum += await (kind === 'postgres' ? postgresAtWork(query) : mysqlAtWork(query));
  }
  return sum / LOOKS;
}

interface Limits {
  readonly limits: readonly { readonly most: number; readonly used: number }[];
  readonly sessions: number;
}

/** Our own sessions have one application name. Of other users' sessions, each user sees only the number. */
const OTHERS = `FROM pg_stat_activity WHERE datid IS NOT NULL AND pid <> pg_backend_pid()
  AND coalesce(backend_type, 'client backend') IN ('client backend', 'parallel worker')
  AND application_name IS DISTINCT FROM current_setting('application_name')`;

async function postgres(query: Query): Promise<Limits> {
  const row = await firstOf(
    query,
    `SELECT current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) AS most,
      (SELECT sum(numbackends) FROM pg_stat_database) AS used,
      rolconnlimit AS "roleMost",
      (SELECT count(*) FROM pg_stat_activity WHERE usesysid = r.oid) AS "roleUsed",
      datconnlimit AS "databaseMost",
      (SELECT numbackends FROM pg_stat_database WHERE datid = d.oid) AS "databaseUsed",
      (SELECT count(*) ${OTHERS}) AS sessions
    FROM pg_roles r, pg_database d WHERE rolname = session_user AND datname = current_database()`,
  );
  const of = (name: string) => Number(row[name]);
  // -1 is no limit.
  const limits = [
    { most: of('most'), used: of('used') },
    { most: of('roleMost'), used: of('roleUsed') },
    { most: of('databaseMost'), used: of('databaseUsed') },
  ];
  return { limits: limits.filter(({ most }) => most >= 0), sessions: of('sessions') };
}

/** A session whose state is hidden from this user counts as active while it has a transaction: all users see locks. */
async function postgresAtWork(query: Query): Promise<number> {
  const row = await firstOf(
    query,
    `SELECT count(*) AS many ${OTHERS} AND (state = 'active' OR state IS NULL
      AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'virtualxid'))`,
  );
  return Number(row['many']);
}

async function mysql(query: Query): Promise<Limits> {
  const row = await firstOf(
    query,
    `SELECT @@GLOBAL.max_connections AS most, @@SESSION.max_user_connections AS userMost,
      (SELECT count(*) FROM information_schema.processlist
        WHERE user = SUBSTRING_INDEX(USER(), '@', 1)) AS userUsed`,
  );
  const [most, userMost, userUsed] = ['most', 'userMost', 'userUsed'].map((it) => Number(row[it]));
  const used = await mysqlStatus(query, 'Threads_connected');
  return {
    // 0 is no limit.
    limits: [
      { most: most!, used },
      ...(userMost! > 0 ? [{ most: userMost!, used: userUsed! }] : []),
    ],
    sessions: used - 1,
  };
}

/** A replica that waits for news is no work. */
async function mysqlAtWork(query: Query): Promise<number> {
  const row = await firstOf(
    query,
    `SELECT count(*) AS many FROM information_schema.processlist WHERE command LIKE 'Binlog Dump%'`,
  );
  return (await mysqlStatus(query, 'Threads_running')) - 1 - Number(row['many']);
}

async function mysqlStatus(query: Query, name: string): Promise<number> {
  const row = await firstOf(query, `SHOW GLOBAL STATUS LIKE '${name}'`);
  return Number(row['Value']);
}

async function firstOf(query: Query, text: string): Promise<Row> {
  const [row] = await query(text);
  if (row) return row;
  throw new Error('the server does not report how many connections are free');
}
