import { each, withDefault } from './members.ts';
import type { PoolFacts } from './pool-facts.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';

/** Whatever is known of what `.transacting(trx)` is given. */
const run: Effect = { env: 'db', op: 'builder', options: { transacting: 'handle' } };
const sync: Effect = { env: 'db', op: 'sync' };

/** Steps that leave the statement what it is: a read unless a step below has made it something else. */
const NEUTRAL =
  'select as column columns comment hintComment distinct distinctOn ' +
  'join joinRaw innerJoin leftJoin leftOuterJoin rightJoin rightOuterJoin outerJoin fullOuterJoin crossJoin ' +
  'jsonExtract jsonSet jsonInsert jsonRemove using ' +
  'withSchema ' +
  'where andWhere orWhere whereNot andWhereNot orWhereNot whereRaw andWhereRaw orWhereRaw whereWrapped ' +
  'whereExists orWhereExists whereNotExists orWhereNotExists whereIn orWhereIn whereNotIn orWhereNotIn ' +
  'whereLike andWhereLike orWhereLike whereILike andWhereILike orWhereILike ' +
  'whereNull orWhereNull whereNotNull orWhereNotNull ' +
  'whereBetween andWhereBetween orWhereBetween whereNotBetween andWhereNotBetween orWhereNotBetween ' +
  'whereJsonObject whereJsonPath whereJsonSupersetOf whereJsonSubsetOf ' +
  'groupBy groupByRaw orderBy orderByRaw partitionBy union unionAll intersect except ' +
  'having andHaving orHaving havingRaw orHavingRaw havingIn havingNotIn havingNull havingNotNull ' +
  'havingBetween havingNotBetween havingWrapped orHavingNotIn orHavingNull orHavingNotNull orHavingBetween ' +
  'clear clearSelect clearWhere clearGroup clearOrder clearHaving clearCounters offset limit ' +
  'count countDistinct min max sum sumDistinct avg avgDistinct rank denseRank rowNumber ' +
  'first pluck returning';
/** `.with('recent', …)`: what follows may select from that name. */
const NAMED = 'with withMaterialized withNotMaterialized withRaw withRecursive withWrapped';
const TABLES = 'from fromRaw into table updateFrom';
const WRITES = 'insert upsert update del delete truncate increment decrement';
const LOCKS = 'forUpdate forShare forNoKeyUpdate forKeyShare';
const SCHEMA =
  'createTable createTableIfNotExists createTableLike alterTable renameTable dropTable dropTableIfExists hasTable hasColumn table ' +
  'createView createViewOrReplace createMaterializedView refreshMaterializedView dropView dropViewIfExists ' +
  'dropMaterializedView dropMaterializedViewIfExists renameView view alterView ' +
  'createSchema createSchemaIfNotExists dropSchema dropSchemaIfExists raw withSchema';

/** How a statement is started on `knex` or `trx` itself: `knex.select().from('users')`. */
const starts: Readonly<Record<string, Member>> = {
  ...each(NEUTRAL, { returns: 'QueryBuilder', step: { op: 'read' } }),
  modify: { returns: 'QueryBuilder', step: { op: 'read', lends: true } },
  ...each(NAMED, { returns: 'QueryBuilder', step: { op: 'read', names: 0, lends: true } }),
  ...each(TABLES, { returns: 'QueryBuilder', step: { op: 'read', table: 0 } }),
  ...each(WRITES, { returns: 'QueryBuilder', step: { op: 'write' } }),
  queryBuilder: { returns: 'QueryBuilder', step: { op: 'read' } },
  raw: { returns: 'Raw', step: { sql: 0 } },
  batchInsert: { returns: 'BatchInsertBuilder', step: { op: 'write', table: 0 } },
  schema: { type: 'SchemaBuilder' },
};

const runs: Pick<LibraryType, 'role' | 'awaited'> = {
  role: 'builder',
  awaited: { returns: 'any', effect: run },
};
const running: Readonly<Record<string, Member>> = {
  ...each('then catch finally', { returns: 'Promise<any>', effect: run }),
  asCallback: {
    returns: 'Promise<any>',
    effect: run,
    callback: { at: 'last', params: ['error', undefined] },
  },
  stream: { effect: run },
  ...each('options debug', { returns: 'this' }),
  connection: { returns: 'this', step: { handle: 0 } },
  transacting: { returns: 'this', step: { handle: 0 } },
};

/** tarn underneath; a timeout error after a minute. */
const pool: PoolFacts = {
  max: 10,
  maxOption: 'pool.max',
  engineOption: 'client',
  waitMs: 60_000,
  waitOption: 'acquireConnectionTimeout',
  openedBy: ['connection', 'connectionPool'],
  isPerCall: true,
  checkoutRoundTrips: 0,
};

const start = { returns: 'QueryBuilder', step: { op: 'read', table: 0 } } as const;
const knexFunction = { returns: 'Knex' } as const;
const whole = withDefault(
  { knex: knexFunction, Knex: {} },
  { call: knexFunction, members: { Client: {} } },
);

export const knex: Library = {
  name: 'knex',
  modules: ['knex'],
  verifiedWith: '3.3.0',
  isGivenDriver: true,
  exports: whole.exports,
  types: {
    Namespace: whole.namespace,
    Knex: {
      role: 'orm',
      isWhole: true,
      concurrency: 'pooled',
      admitsTransaction: true,
      pool,
      call: start,
      members: {
        ...starts,
        transaction: {
          returns: 'Promise<Transaction>',
          acquires: 'transaction',
          effect: sync,
          withCallback: {
            returns: 'Promise<any>',
            effect: { env: 'db', op: 'unknown' },
            callback: { at: 0, params: ['Transaction'], scope: 'transaction' },
          },
        },
        transactionProvider: { returns: 'TransactionProvider' },
        client: { type: 'Client' },
        withUserParams: { returns: 'this' },
        destroy: { returns: 'Promise<void>', effect: sync },
      },
    },
    Transaction: {
      role: 'transaction',
      concurrency: 'serial',
      call: start,
      members: {
        ...starts,
        ...each('commit rollback', { returns: 'Promise<any>', effect: sync, releases: 'this' }),
        // A nested transaction is a savepoint on the same connection.
        transaction: {
          returns: 'Promise<Transaction>',
          effect: sync,
          withCallback: {
            returns: 'Promise<any>',
            effect: { env: 'db', op: 'unknown' },
            callback: { at: 0, params: ['Transaction'], scope: 'transaction' },
          },
        },
        savepoint: {
          returns: 'Promise<any>',
          effect: { env: 'db', op: 'unknown' },
          callback: { at: 0, params: ['Transaction'], scope: 'transaction' },
        },
      },
    },
    TransactionProvider: {
      call: {
        returns: 'Promise<Transaction>',
        acquires: 'transaction',
        isShared: true,
        effect: sync,
      },
    },
    Client: {
      members: {
        acquireConnection: {
          returns: 'Promise<RawConnection>',
          acquires: 'connection',
          effect: sync,
        },
        releaseConnection: { releases: 0 },
      },
    },
    // The driver's own object, whichever driver that is.
    RawConnection: { role: 'connection', concurrency: 'serial' },
    QueryBuilder: {
      ...runs,
      members: {
        ...running,
        ...each(NEUTRAL, { returns: 'this' }),
        modify: { returns: 'this', step: { lends: true } },
        ...each(NAMED, { returns: 'this', step: { names: 0, lends: true } }),
        ...each(TABLES, { returns: 'this', step: { table: 0 } }),
        ...each(WRITES, { returns: 'this', step: { op: 'write' } }),
        ...each(LOCKS, { returns: 'this', step: { op: 'sync' } }),
        ...each('skipLocked noWait clone timeout queryContext on', { returns: 'this' }),
        onConflict: { returns: 'OnConflictQueryBuilder' },
        ...each('and or not', { type: 'QueryBuilder' }),
        columnInfo: { returns: 'Promise<any>', effect: { env: 'db', op: 'read' } },
      },
    },
    OnConflictQueryBuilder: {
      role: 'builder',
      members: each('ignore merge', { returns: 'QueryBuilder' }),
    },
    Raw: {
      ...runs,
      members: { ...running, ...each('timeout wrap queryContext', { returns: 'this' }) },
    },
    BatchInsertBuilder: {
      ...runs,
      members: {
        returning: { returns: 'this' },
        transacting: { returns: 'this', step: { handle: 0 } },
      },
    },
    SchemaBuilder: {
      ...runs,
      members: { ...running, ...each(SCHEMA, { returns: 'this', step: { op: 'write' } }) },
    },
  },
};
