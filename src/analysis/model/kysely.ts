import { each } from './members.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';

const run: Effect = { env: 'db', op: 'builder' };
const sync: Effect = { env: 'db', op: 'sync' };

const starts: Readonly<Record<string, Member>> = {
  selectFrom: { returns: 'SelectQueryBuilder', step: { op: 'read', table: 0 } },
  selectNoFrom: { returns: 'SelectQueryBuilder', step: { op: 'read' } },
  ...each('insertInto replaceInto', {
    returns: 'InsertQueryBuilder',
    step: { op: 'write', table: 0 },
  }),
  updateTable: { returns: 'UpdateQueryBuilder', step: { op: 'write', table: 0 } },
  deleteFrom: { returns: 'DeleteQueryBuilder', step: { op: 'write', table: 0 } },
  mergeInto: { returns: 'MergeQueryBuilder', step: { op: 'write', table: 0 } },
  executeQuery: { returns: 'Promise<any>', effect: { env: 'db', op: 'unknown' } },
  getExecutor: { returns: 'Executor' },
  // A statement that begins with WITH is whatever follows: the next step says it.
  ...each('with withRecursive withPlugin withoutPlugins withSchema withTables', {
    returns: 'this',
  }),
};

/** What they make of a statement is a part of it, also where a condition decides. */
const STEPS_OF_ALL = '$if $castTo $narrowType $assertType';

function builder(steps: string): LibraryType {
  return {
    role: 'builder',
    members: {
      ...each(`${steps} ${STEPS_OF_ALL}`, { returns: 'this' }),
      ...each('toOperationNode compile', {}),
      ...each('execute executeTakeFirst', { returns: 'Promise<any>', effect: run }),
      executeTakeFirstOrThrow: {
        returns: 'Promise<any>',
        effect: { ...run, mayVeto: true },
      },
    },
  };
}

const select = builder(
  'select selectAll distinct distinctOn where whereRef having havingRef groupBy orderBy limit offset fetch top ' +
    'innerJoin leftJoin rightJoin fullJoin crossJoin innerJoinLateral leftJoinLateral crossJoinLateral ' +
    'union unionAll intersect intersectAll except exceptAll skipLocked noWait modifyEnd modifyFront ' +
    'clearSelect clearWhere clearGroupBy clearLimit clearOffset clearOrderBy withPlugin as',
);
const scopes: Library['types'] = {
  ConnectionBuilder: {
    members: {
      execute: {
        returns: 'Promise<any>',
        effect: { env: 'db', op: 'unknown' },
        callback: { at: 0, params: ['ConnectedKysely'], scope: 'connection' },
      },
    },
  },
  TransactionBuilder: {
    members: {
      ...each('setIsolationLevel setAccessMode', { returns: 'this' }),
      execute: {
        returns: 'Promise<any>',
        effect: { env: 'db', op: 'unknown' },
        callback: { at: 0, params: ['Transaction'], scope: 'transaction' },
      },
    },
  },
  ControlledTransactionBuilder: {
    members: {
      ...each('setIsolationLevel setAccessMode', { returns: 'this' }),
      execute: {
        returns: 'Promise<ControlledTransaction>',
        acquires: 'transaction',
        effect: sync,
      },
    },
  },
};

export const kysely: Library = {
  name: 'kysely',
  modules: ['kysely'],
  verifiedWith: '0.29.6',
  isGivenDriver: true,
  exports: {
    Kysely: { construct: { returns: 'Kysely' } },
    Transaction: {},
    sql: { type: 'Sql' },
  },
  types: {
    Kysely: {
      role: 'orm',
      concurrency: 'pooled',
      admitsTransaction: true,
      // The pool is the dialect's: pg's, mysql2's, tarn's.
      pool: { checkoutRoundTrips: 0 },
      members: {
        ...starts,
        transaction: { returns: 'TransactionBuilder' },
        startTransaction: { returns: 'ControlledTransactionBuilder' },
        connection: { returns: 'ConnectionBuilder' },
        destroy: { returns: 'Promise<void>', effect: sync },
      },
    },
    Transaction: { role: 'transaction', concurrency: 'serial', members: starts },
    ...scopes,
    /** The argument of `db.connection().execute`: the same class as the pool's, on one connection. */
    ConnectedKysely: { extends: 'Kysely', role: 'connection', concurrency: 'serial' },
    ControlledTransaction: {
      extends: 'Transaction',
      members: {
        // They only make a command; that it is then executed is taken for granted.
        ...each('commit rollback', { returns: 'Command', releases: 'this' }),
        ...each('savepoint rollbackToSavepoint releaseSavepoint', { returns: 'Command' }),
      },
    },
    Executor: { members: { provideConnection: { returns: 'Promise<any>', effect: sync } } },
    Command: { members: { execute: { returns: 'Promise<any>', effect: sync } } },
    SelectQueryBuilder: {
      ...select,
      members: {
        ...select.members,
        ...each('forUpdate forShare forNoKeyUpdate forKeyShare', {
          returns: 'this',
          step: { op: 'sync' },
        }),
        stream: { effect: run },
      },
    },
    InsertQueryBuilder: builder(
      'values columns expression defaultValues ignore orIgnore orReplace orAbort orFail orRollback onConflict ' +
        'onDuplicateKeyUpdate returning returningAll output outputAll modifyEnd top clearReturning withPlugin',
    ),
    UpdateQueryBuilder: builder(
      'set from where whereRef innerJoin leftJoin rightJoin fullJoin orderBy limit returning returningAll output ' +
        'outputAll modifyEnd top clearWhere clearOrderBy clearReturning withPlugin',
    ),
    DeleteQueryBuilder: builder(
      'using where whereRef innerJoin leftJoin rightJoin fullJoin orderBy limit returning returningAll output ' +
        'outputAll modifyEnd top clearWhere clearOrderBy clearLimit clearReturning withPlugin',
    ),
    MergeQueryBuilder: builder('using modifyEnd top returning returningAll output outputAll'),
    Sql: {
      call: { returns: 'RawBuilder', step: { sql: 0 } },
      members: { raw: { returns: 'RawBuilder', step: { sql: 0 } } },
    },
    RawBuilder: {
      role: 'builder',
      members: {
        execute: { returns: 'Promise<any>', effect: run, step: { handle: 0 } },
        ...each('as withPlugin $castTo $notNull', { returns: 'this' }),
      },
    },
  },
};
