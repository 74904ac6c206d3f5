import { each } from './members.ts';
import type { PoolFacts } from './pool-facts.ts';
import type { Effect, Library, Member } from './schema.ts';

const sync: Effect = { env: 'db', op: 'sync' };
const query: Member = {
  effect: { env: 'db', op: 'sql' },
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
  query,
  ...writing,
  ...each('ping beginTransaction commit rollback changeUser', control),
};

/** Callers queue for ever (`acquireTimeout` covers ping and connect only); every checkout pings. */
const pool: PoolFacts = {
  max: 10,
  maxOption: 'connectionLimit',
  waitMs: Number.POSITIVE_INFINITY,
  queueOption: 'queueLimit',
  server: 'mysql',
  checkoutRoundTrips: 1,
  checkoutRequest: 'a ping',
  checkoutRemedy: 'Take mysql2, which asks nothing',
};

export const mysql: Library = {
  name: 'mysql',
  modules: ['mysql'],
  verifiedWith: '2.18.1',
  releasesOnce: true,
  endsAfterErrors: true,
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
        query,
        ...writing,
        getConnection,
        releaseConnection: { releases: 0, untyped: true },
        end: control,
      },
    },
    PoolCluster: {
      role: 'pool',
      concurrency: 'pooled',
      pool,
      members: { getConnection, of: { returns: 'Pool' }, end: control },
    },
    PoolConnection: {
      role: 'connection',
      concurrency: 'serial',
      // `end` on a pooled connection is its deprecated release.
      members: { ...connectionMembers, ...each('release destroy end', { releases: 'this' }) },
    },
    Connection: {
      role: 'client',
      concurrency: 'serial',
      members: {
        ...connectionMembers,
        connect: { ...control, begins: 'connection' },
        end: { ...control, releases: 'this' },
        destroy: { releases: 'this' },
      },
    },
  },
};
