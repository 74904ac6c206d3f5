import { each, withDefault } from './members.ts';
import type { Callback, Effect, Library, Member } from './schema.ts';

const sql: Effect = { env: 'db', op: 'sql' };
const row: Callback = { at: 2, params: [undefined, undefined], runs: 'per-item' };

function scope(scope: 'connection' | 'transaction', type: string): Member {
  return {
    returns: 'Promise<any>',
    effect: { env: 'db', op: 'unknown' },
    callback: { at: 'last', params: [type], scope },
  };
}

const protocol: Readonly<Record<string, Member>> = {
  ...each('query oneOrNone manyOrNone any result multiResult multi', {
    returns: 'Promise<any>',
    effect: sql,
  }),
  // They fail when the number of rows is another.
  ...each('one many none', { returns: 'Promise<any>', effect: { ...sql, mayVeto: true } }),
  ...each('map each', { returns: 'Promise<any>', effect: sql, callback: row }),
  ...each('func proc stream', { returns: 'Promise<any>', effect: { env: 'db', op: 'unknown' } }),
  task: scope('connection', 'ITask'),
  taskIf: scope('connection', 'ITask'),
  tx: scope('transaction', 'ITransaction'),
  txIf: scope('transaction', 'ITransaction'),
};

const batch: Member = { returns: 'Promise<any>', settles: true };

const initialised = withDefault({}, { call: { returns: 'IMain' } });

export const pgPromise: Library = {
  name: 'pg-promise',
  modules: ['pg-promise'],
  verifiedWith: '12.7.1',
  deprecatesQueue: true,
  exports: initialised.exports,
  types: {
    Namespace: initialised.namespace,
    IMain: {
      call: { returns: 'IDatabase' },
      members: { pg: { type: 'pg.Namespace' }, end: {} },
    },
    /** Acquires a connection of pg's pool for each call outside of tasks and transactions. */
    IDatabase: {
      role: 'pool',
      concurrency: 'pooled',
      pool: {
        max: 10,
        maxOption: 'max',
        isZeroDefault: true,
        waitMs: Number.POSITIVE_INFINITY,
        waitOption: 'connectionTimeoutMillis',
        checkoutRoundTrips: 0,
      },
      members: {
        ...protocol,
        connect: {
          returns: 'Promise<IConnected>',
          acquires: 'connection',
          effect: { env: 'db', op: 'sync' },
        },
        $pool: { type: 'pg.Pool' },
      },
    },
    IConnected: {
      role: 'connection',
      concurrency: 'serial',
      members: { ...protocol, done: { releases: 'this' }, batch },
    },
    ITask: {
      role: 'connection',
      concurrency: 'serial',
      members: { ...protocol, batch },
    },
    ITransaction: { extends: 'ITask', role: 'transaction' },
  },
};
