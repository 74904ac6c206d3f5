import { each, withDefault } from './members.ts';
import type { Effect, Library, LibraryType, Member, Signature } from './schema.ts';

const run: Effect = { env: 'db', op: 'builder' };
const sync: Effect = { env: 'db', op: 'sync' };

/** sql`select …` is sent when it is awaited; inside another template it is a fragment. */
const statement: Signature = { returns: 'PendingQuery', step: { sql: 0 } };
const statements: Readonly<Record<string, Member>> = {
  unsafe: statement,
  file: { returns: 'PendingQuery', step: { op: 'unknown' } },
  notify: { returns: 'PendingQuery', step: { op: 'write' } },
};
const begin: Member = {
  returns: 'Promise<any>',
  effect: { env: 'db', op: 'unknown' },
  callback: { at: 'last', params: ['TransactionSql'], scope: 'transaction' },
};
const pending: LibraryType = {
  role: 'builder',
  awaited: { returns: 'any', effect: run },
  members: {
    ...each('then catch finally describe', { returns: 'Promise<any>', effect: run }),
    ...each('simple execute values raw', { returns: 'this' }),
    cancel: {},
    forEach: {
      returns: 'Promise<any>',
      effect: run,
      callback: { at: 0, params: [undefined, undefined], runs: 'per-item' },
    },
    cursor: { effect: run },
    ...each('readable writable', { returns: 'Promise<any>', effect: run }),
  },
};

const exported = withDefault({}, { call: { returns: 'Sql' } });

/** postgres.js. On one connection it pipelines, transactions included. */
export const postgres: Library = {
  name: 'postgres',
  modules: ['postgres'],
  verifiedWith: '3.4.9',
  exports: exported.exports,
  types: {
    Namespace: exported.namespace,
    Sql: {
      role: 'pool',
      concurrency: 'pooled',
      // No option bounds the wait: `connect_timeout` covers connecting only.
      pool: {
        max: 10,
        maxOption: 'max',
        waitMs: Number.POSITIVE_INFINITY,
        optionsAt: 'last',
        server: 'postgres',
        checkoutRoundTrips: 0,
      },
      call: statement,
      members: {
        ...statements,
        begin,
        reserve: { returns: 'Promise<ReservedSql>', acquires: 'connection', effect: sync },
        ...each('listen subscribe', {
          returns: 'Promise<any>',
          effect: sync,
          callback: { at: 1, params: [undefined, undefined], runs: 'per-job' },
        }),
        end: { returns: 'Promise<void>', effect: sync },
      },
    },
    ReservedSql: {
      role: 'connection',
      concurrency: 'pipelined',
      call: statement,
      members: { ...statements, begin, release: { releases: 'this' } },
    },
    TransactionSql: {
      role: 'transaction',
      concurrency: 'pipelined',
      call: statement,
      members: {
        ...statements,
        savepoint: begin,
        prepare: { returns: 'Promise<any>', effect: sync },
      },
    },
    PendingQuery: pending,
  },
};
