import { each } from './members.ts';
import type { PoolFacts } from './pool-facts.ts';
import type { Effect, Library, Member } from './schema.ts';

const sync: Effect = { env: 'db', op: 'sync' };
const sql: Effect = { env: 'db', op: 'sql' };

/** Callers queue for ever, and there is no option against it; `resetOnRelease` costs one round trip more. */
const pool: PoolFacts = {
  max: 10,
  maxOption: 'connectionLimit',
  waitMs: Number.POSITIVE_INFINITY,
  queueOption: 'queueLimit',
  server: 'mysql',
  checkoutRemedy: 'Leave `resetOnRelease` off, and set what a query needs with the query',
  checkoutRoundTrips: 0,
  checkoutOptions: [
    { option: 'resetOnRelease', values: [true], roundTrips: 1, request: 'a reset of the session' },
  ],
};

const query: Member = {
  effect: sql,
  callback: { at: 'last', params: ['error', undefined] },
};
const control: Member = { effect: sync, callback: { at: 'last', params: ['error'] } };
const getConnection: Member = {
  acquires: 'connection',
  effect: sync,
  callback: { at: 'last', params: ['error', 'PoolConnection'] },
};
/** They only write a statement. */
const writing: Readonly<Record<string, Member>> = each('escape escapeId format', {});
const connectionMembers: Readonly<Record<string, Member>> = {
  ...writing,
  ...each('query execute', query),
  ...each('ping reset beginTransaction commit rollback changeUser', control),
};

const promisedQuery: Member = { returns: 'Promise<any>', effect: sql };
const promisedControl: Member = { returns: 'Promise<void>', effect: sync };
const promisedGetConnection: Member = {
  returns: 'Promise<PoolConnection>',
  acquires: 'connection',
  effect: sync,
};
const promisedMembers: Readonly<Record<string, Member>> = {
  ...writing,
  ...each('query execute', promisedQuery),
  ...each('ping reset beginTransaction commit rollback changeUser', promisedControl),
  prepare: { returns: 'Promise<PreparedStatementInfo>', effect: sync },
};

export const mysql2: readonly Library[] = [
  {
    name: 'mysql2',
    modules: ['mysql2'],
    verifiedWith: '3.24.5',
    exports: {
      createConnection: { returns: 'Connection' },
      createPool: { returns: 'Pool' },
      createPoolCluster: { returns: 'PoolCluster' },
      ...writing,
      raw: {},
    },
    types: {
      Pool: {
        role: 'pool',
        concurrency: 'pooled',
        pool,
        members: {
          ...each('query execute', query),
          ...writing,
          getConnection,
          releaseConnection: { releases: 0 },
          promise: { returns: 'mysql2/promise.Pool' },
          end: control,
        },
      },
      PoolCluster: {
        role: 'pool',
        concurrency: 'pooled',
        pool,
        members: { getConnection, of: { returns: 'PoolNamespace' }, end: control },
      },
      PoolNamespace: {
        role: 'pool',
        concurrency: 'pooled',
        pool,
        members: { ...each('query execute', query), getConnection },
      },
      PoolConnection: {
        role: 'connection',
        concurrency: 'serial',
        members: {
          ...connectionMembers,
          promise: { returns: 'mysql2/promise.PoolConnection' },
          // `end` on a pooled connection is its deprecated release.
          ...each('release destroy end', { releases: 'this' }),
        },
      },
      Connection: {
        role: 'client',
        concurrency: 'serial',
        members: {
          ...connectionMembers,
          promise: { returns: 'mysql2/promise.Connection' },
          connect: { ...control, begins: 'connection' },
          end: { ...control, releases: 'this' },
          destroy: { releases: 'this' },
        },
      },
    },
  },
  {
    name: 'mysql2/promise',
    modules: ['mysql2/promise', 'mysql2/promise.js'],
    verifiedWith: '3.24.5',
    isDisposable: true,
    exports: {
      createConnection: {
        returns: 'Promise<Connection>',
        acquires: 'connection',
        effect: sync,
      },
      createPool: { returns: 'Pool' },
      createPoolCluster: { returns: 'PoolCluster' },
      ...writing,
      raw: {},
    },
    types: {
      Pool: {
        role: 'pool',
        concurrency: 'pooled',
        pool,
        members: {
          ...each('query execute', promisedQuery),
          ...writing,
          getConnection: promisedGetConnection,
          releaseConnection: { releases: 0 },
          end: promisedControl,
        },
      },
      PoolCluster: {
        role: 'pool',
        concurrency: 'pooled',
        pool,
        members: {
          getConnection: promisedGetConnection,
          of: { returns: 'PoolNamespace' },
          end: promisedControl,
        },
      },
      PoolNamespace: {
        role: 'pool',
        concurrency: 'pooled',
        pool,
        members: {
          ...each('query execute', promisedQuery),
          getConnection: promisedGetConnection,
        },
      },
      PoolConnection: {
        role: 'connection',
        concurrency: 'serial',
        members: {
          ...promisedMembers,
          ...each('release destroy', { releases: 'this' }),
          end: { ...promisedControl, releases: 'this' },
        },
      },
      Connection: {
        role: 'client',
        concurrency: 'serial',
        members: {
          ...promisedMembers,
          connect: promisedControl,
          end: { ...promisedControl, releases: 'this' },
          destroy: { releases: 'this' },
        },
      },
      PreparedStatementInfo: {
        members: {
          execute: { returns: 'Promise<any>', effect: { env: 'db', op: 'unknown' } },
          close: promisedControl,
        },
      },
    },
  },
];
