import { each } from './members.ts';
import type { PoolFacts } from './pool-facts.ts';
import type { Callback, Effect, Library, LibraryType, Member } from './schema.ts';

/** A checkout pings only a connection that was idle for `minDelayValidation` (500 ms). */
const pool: PoolFacts = {
  max: 10,
  maxOption: 'connectionLimit',
  waitMs: 10_000,
  waitOption: 'acquireTimeout',
  checkoutRoundTrips: 0,
  checkoutOptions: [
    { option: 'minDelayValidation', values: [0], roundTrips: 1, request: 'a ping' },
    { option: 'resetAfterUse', values: [true], roundTrips: 1, request: 'a reset of the session' },
  ],
};
const sql: Effect = { env: 'db', op: 'sql' };
const sync: Effect = { env: 'db', op: 'sync' };

/** The promise API and the callback API are the same but for how they answer. */
function library(
  name: string,
  { result, callback }: { result: { returns?: string }; callback: { callback?: Callback } },
): Library {
  const answers = { ...result, ...callback };
  const query: Member = { effect: sql, ...answers };
  const batch: Member = { effect: { env: 'db', op: 'write' }, ...answers };
  const control: Member = { effect: sync, ...answers };
  const queries = { ...each('query execute', query), batch };
  const getConnection: Member = {
    acquires: 'connection',
    effect: sync,
    ...(callback.callback
      ? { callback: { at: 'last', params: ['error', 'PoolConnection'] } }
      : { returns: 'Promise<PoolConnection>' }),
  };
  const connection: Readonly<Record<string, Member>> = {
    ...queries,
    ...each('beginTransaction commit rollback ping reset changeUser', control),
    queryStream: { effect: sql },
  };
  const poolType: LibraryType = {
    role: 'pool',
    concurrency: 'pooled',
    pool,
    members: { ...queries, getConnection, end: control },
  };
  return {
    name,
    modules: [name],
    verifiedWith: '3.5.4',
    ...(callback.callback ? {} : { isDisposable: true }),
    exports: {
      createConnection: callback.callback
        ? { returns: 'Connection' }
        : { returns: 'Promise<Connection>', acquires: 'connection', effect: sync },
      createPool: { returns: 'Pool' },
      createPoolCluster: { returns: 'PoolCluster' },
    },
    types: {
      Pool: poolType,
      FilteredPoolCluster: { ...poolType, members: { ...queries, getConnection } },
      PoolCluster: {
        role: 'pool',
        concurrency: 'pooled',
        pool,
        members: { getConnection, of: { returns: 'FilteredPoolCluster' }, end: control },
      },
      PoolConnection: {
        role: 'connection',
        concurrency: 'serial',
        sendsAhead: true,
        members: {
          ...connection,
          ...each('release end close', { ...control, releases: 'this' }),
          destroy: { releases: 'this' },
        },
      },
      Connection: {
        role: 'client',
        concurrency: 'serial',
        sendsAhead: true,
        members: {
          ...connection,
          ...each('end close', { ...control, releases: 'this' }),
          destroy: { releases: 'this' },
        },
      },
    },
  };
}

export const mariadb: readonly Library[] = [
  library('mariadb', { result: { returns: 'Promise<any>' }, callback: {} }),
  library('mariadb/callback', {
    result: {},
    callback: { callback: { at: 'last', params: ['error', undefined] } },
  }),
];
