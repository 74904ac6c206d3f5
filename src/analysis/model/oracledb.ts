import { each } from './members.ts';
import type { Effect, Library, Member } from './schema.ts';

const sync: Effect = { env: 'db', op: 'sync' };
const control: Member = { returns: 'Promise<any>', effect: sync };
const getConnection: Member = {
  returns: 'Promise<Connection>',
  acquires: 'connection',
  effect: sync,
  withCallback: {
    acquires: 'connection',
    effect: sync,
    callback: { at: 'last', params: ['error', 'Connection'] },
  },
};

export const oracledb: Library = {
  name: 'oracledb',
  modules: ['oracledb'],
  verifiedWith: '26.0.0',
  commitsIf: /\bautoCommit\s*[:=]\s*true\b/,
  isDisposable: true,
  exports: {
    /** From the default pool, or one by its alias, or a connection of its own: to be closed either way. */
    getConnection: { ...getConnection, sourceAt: 0, lender: 'Pool', opensWithOptions: true },
    createPool: {
      returns: 'Promise<Pool>',
      effect: sync,
      withCallback: { effect: sync, callback: { at: 'last', params: ['error', 'Pool'] } },
    },
    getPool: { returns: 'Pool' },
  },
  types: {
    Pool: {
      role: 'pool',
      concurrency: 'pooled',
      pool: {
        max: 4,
        maxOption: 'poolMax',
        waitMs: 60_000,
        waitOption: 'queueTimeout',
        checkoutRoundTrips: 0,
        checkoutRemedy: 'Leave `poolPingInterval` at its 60 seconds, which ask only after a rest',
        checkoutOptions: [
          { option: 'poolPingInterval', values: [0], roundTrips: 1, request: 'a ping' },
        ],
      },
      members: { getConnection, ...each('close terminate', control) },
    },
    Connection: {
      role: 'connection',
      concurrency: 'serial',
      members: {
        execute: { returns: 'Promise<any>', effect: { env: 'db', op: 'sql' } },
        executeMany: { returns: 'Promise<any>', effect: { env: 'db', op: 'sql' } },
        queryStream: { effect: { env: 'db', op: 'sql' } },
        ...each('commit rollback ping', control),
        ...each('close release', { ...control, releases: 'this' }),
      },
    },
  },
};
