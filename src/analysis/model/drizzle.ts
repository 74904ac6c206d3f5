import { each } from './members.ts';
import type { PoolFacts } from './pool-facts.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';

interface Dialect {
  readonly name: string;
  /** The folders of drizzle-orm with its drivers, and the one with its types. */
  readonly folders: string;
  readonly databases: string;
  readonly transaction: string;
  /** What begins a statement here and not in every dialect. */
  readonly starts: Readonly<Record<string, Member>>;
  readonly selectSteps: Readonly<Record<string, Member>>;
  readonly writeSteps: string;
  /** What runs a statement and says what to give back. */
  readonly runs: string;
  /** Every statement runs on the spot. */
  readonly sync: boolean;
  /** What makes a pool of its own where it is given none. */
  readonly pool?: Omit<PoolFacts, 'checkoutRoundTrips'>;
  /** How the driver's connection, on which a transaction runs, takes several statements at once; absent where drivers differ. */
  readonly connection?: 'serial' | 'pipelined';
  /** It asks over HTTP, and its `transaction()` throws. */
  readonly commitsEach?: true;
  readonly engine?: 'sqlite';
  /** Its driver's connection warns of concurrent calls. */
  readonly deprecatesQueue?: true;
}

const SELECT_STEPS =
  'where having groupBy orderBy limit offset innerJoin leftJoin rightJoin ' +
  'union unionAll intersect except as $dynamic';
const WRITE_STEPS = 'values select set where $dynamic';
const ON_CONFLICT = 'returning onConflictDoNothing onConflictDoUpdate from';

const execute: Member = { returns: 'Raw', step: { sql: 0 } };
/** Any strength, from `key share` to `update`, waits for locks. */
const locks: Readonly<Record<string, Member>> = { for: { returns: 'this', step: { op: 'sync' } } };
const write: Member = { returns: 'WriteBuilder', step: { op: 'write', table: 0 } };
const read: Member = { returns: 'SelectBuilder', step: { op: 'read' } };

function builderThatRuns(effect: Effect): Pick<LibraryType, 'role' | 'awaited'> {
  return { role: 'builder', awaited: { returns: 'any', effect } };
}

function library(dialect: Dialect): Library {
  const { sync, connection } = dialect;
  const order = sync ? { concurrency: 'sync' as const } : connection && { concurrency: connection };
  const run: Effect = { env: 'db', op: 'builder', ...(sync ? { sync } : {}) };
  const result = sync ? {} : { returns: 'Promise<any>' };
  const builder = builderThatRuns(run);
  const ending: Readonly<Record<string, Member>> = {
    ...each('then catch finally', { returns: 'Promise<any>', effect: run }),
    ...each(dialect.runs, { ...result, effect: run }),
    prepare: { returns: 'PreparedQuery' },
  };
  const members: Readonly<Record<string, Member>> = {
    ...each('select selectDistinct', read),
    ...each('insert update delete', write),
    ...dialect.starts,
    with: { returns: 'this' },
    query: { type: 'Queries' },
    $count: { returns: 'CountBuilder', step: { op: 'read', table: 0 } },
    transaction: {
      ...result,
      effect: { env: 'db', op: 'unknown', ...(sync ? { sync } : {}) },
      callback: { at: 0, params: ['Transaction'], scope: 'transaction' },
    },
  };
  return {
    name: dialect.name,
    modules: dialect.folders.split(' ').map((it) => `drizzle-orm/${it}`),
    verifiedWith: '0.45.4',
    ...(dialect.commitsEach ? { commitsEach: true } : {}),
    ...(dialect.engine ? { engine: dialect.engine } : {}),
    ...(dialect.deprecatesQueue ? { deprecatesQueue: true } : {}),
    exports: { drizzle: { returns: 'Database', onConnection: 'Session' } },
    types: {
      Database: {
        role: 'orm',
        concurrency: sync ? 'sync' : 'pooled',
        admitsTransaction: true,
        // The pool is the driver's, and so are its size and how long it waits.
        pool: { ...dialect.pool, checkoutRoundTrips: 0 },
        members,
      },
      Transaction: {
        role: 'transaction',
        ...order,
        members: { ...members, rollback: {} },
      },
      Session: { role: 'connection', ...order, members },
      Queries: { anyMember: { type: 'RelationalQueryBuilder' } },
      RelationalQueryBuilder: {
        members: each('findMany findFirst', { returns: 'RelationalQuery', step: { op: 'read' } }),
      },
      RelationalQuery: { ...builder, members: { prepare: { returns: 'PreparedQuery' } } },
      SelectBuilder: {
        ...builder,
        members: {
          ...ending,
          from: { returns: 'this', step: { table: 0 } },
          ...each(SELECT_STEPS, { returns: 'this' }),
          ...dialect.selectSteps,
        },
      },
      WriteBuilder: {
        ...builder,
        // `values` begins an insert and, in SQLite, also ends one: the former is what code has.
        members: {
          ...ending,
          ...each(`${WRITE_STEPS} ${dialect.writeSteps}`, { returns: 'this' }),
        },
      },
      CountBuilder: builder,
      Raw: builder,
      PreparedQuery: {
        role: 'builder',
        members: each(dialect.runs, { ...result, effect: run }),
      },
      ...Object.fromEntries(
        dialect.databases.split(' ').map((it) => [it, { extends: 'Database' }]),
      ),
      [dialect.transaction]: { extends: 'Transaction' },
    },
  };
}

const RUNS = 'all get run values';
const sql: Member = { returns: 'Promise<any>', effect: { env: 'db', op: 'sql' } };
const immediateSql: Member = { effect: { env: 'db', op: 'sql', sync: true } };

const postgres = {
  transaction: 'PgTransaction',
  starts: { selectDistinctOn: read, refreshMaterializedView: write, execute },
  selectSteps: {
    ...locks,
    ...each('fullJoin crossJoin innerJoinLateral leftJoinLateral', { returns: 'this' }),
  },
  writeSteps: ON_CONFLICT,
  runs: 'execute',
  sync: false,
} as const;

/** Each dialect has its own builders; with better-sqlite3 and its like every statement runs on the spot. */
export const drizzle: readonly Library[] = [
  {
    name: 'drizzle-orm/migrator',
    modules: [],
    modulePattern: 'drizzle-orm/[\\w/-]+/migrator',
    verifiedWith: '0.45.4',
    exports: { migrate: { returns: 'Promise<void>', effect: { env: 'db', op: 'unknown' } } },
    types: {},
  },
  library({
    ...postgres,
    name: 'drizzle-orm/pg',
    folders: 'pglite neon-serverless vercel-postgres aws-data-api/pg bun-sql pg-core',
    databases: 'PgDatabase NeonDatabase VercelPgDatabase PgliteDatabase',
  }),
  library({
    ...postgres,
    name: 'drizzle-orm/neon-http',
    folders: 'neon-http xata-http pg-proxy',
    databases: 'NeonHttpDatabase XataHttpDatabase PgRemoteDatabase',
    commitsEach: true,
  }),
  library({
    ...postgres,
    name: 'drizzle-orm/node-postgres',
    folders: 'node-postgres',
    databases: 'NodePgDatabase',
    connection: 'serial',
    deprecatesQueue: true,
    pool: { max: 10, maxOption: 'connection.max', takesTexts: true, poolOption: 'client' },
  }),
  library({
    ...postgres,
    name: 'drizzle-orm/postgres-js',
    folders: 'postgres-js',
    databases: 'PostgresJsDatabase',
    connection: 'pipelined',
  }),
  library({
    name: 'drizzle-orm/mysql',
    folders: 'mysql2 planetscale-serverless tidb-serverless mysql-proxy mysql-core',
    databases: 'MySqlDatabase MySql2Database PlanetScaleDatabase',
    transaction: 'MySqlTransaction',
    starts: { execute },
    selectSteps: { ...locks, crossJoin: { returns: 'this' } },
    writeSteps: 'ignore $returningId onDuplicateKeyUpdate orderBy limit',
    runs: 'execute',
    sync: false,
    connection: 'serial',
  }),
  library({
    name: 'drizzle-orm/sqlite',
    engine: 'sqlite',
    folders:
      'libsql libsql/http libsql/node libsql/web libsql/ws libsql/wasm d1 sqlite-proxy sqlite-core',
    databases: 'BaseSQLiteDatabase LibSQLDatabase DrizzleD1Database SqliteRemoteDatabase',
    transaction: 'SQLiteTransaction',
    starts: each(RUNS, sql),
    selectSteps: each('fullJoin crossJoin', { returns: 'this' }),
    writeSteps: `${ON_CONFLICT} orderBy limit`,
    runs: `${RUNS} execute`,
    sync: false,
  }),
  library({
    name: 'drizzle-orm/sqlite-sync',
    engine: 'sqlite',
    folders: 'better-sqlite3 bun-sqlite sql-js durable-sqlite',
    databases: 'BetterSQLite3Database BunSQLiteDatabase',
    transaction: 'SQLiteTransaction',
    starts: each(RUNS, immediateSql),
    selectSteps: each('fullJoin crossJoin', { returns: 'this' }),
    writeSteps: `${ON_CONFLICT} orderBy limit`,
    runs: `${RUNS} execute`,
    sync: true,
  }),
];
