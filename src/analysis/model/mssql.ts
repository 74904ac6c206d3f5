import { each } from './members.ts';
import type { Effect, Library, Member } from './schema.ts';

const sync: Effect = { env: 'db', op: 'sync' };
const sql: Member = { returns: 'Promise<any>', effect: { env: 'db', op: 'sql' } };
const control: Member = { returns: 'Promise<any>', effect: sync };
/** A procedure, or a statement prepared before. */
const execute: Member = { returns: 'Promise<any>', effect: { env: 'db', op: 'unknown' } };

/** `connect` and `query` of the module use one global pool, which callers do not release. */
export const mssql: Library = {
  name: 'mssql',
  modules: ['mssql', 'mssql/msnodesqlv8'],
  verifiedWith: '12.7.14',
  exports: {
    ConnectionPool: { construct: { returns: 'ConnectionPool' } },
    Transaction: { construct: { returns: 'Transaction' } },
    Request: { construct: { returns: 'Request', step: { handle: 0 } } },
    PreparedStatement: { construct: { returns: 'PreparedStatement', step: { handle: 0 } } },
    connect: { returns: 'Promise<ConnectionPool>', effect: sync, isShared: true },
    query: sql,
  },
  types: {
    ConnectionPool: {
      role: 'pool',
      concurrency: 'pooled',
      // tarn; each checkout asks `SELECT 1` unless validateConnection is 'socket' or false.
      pool: {
        max: 10,
        maxOption: 'pool.max',
        waitMs: 30_000,
        waitOption: 'pool.acquireTimeoutMillis',
        checkoutRoundTrips: 1,
        checkoutRequest: 'SELECT 1',
        checkoutRemedy: "Set `validateConnection` to 'socket', which checks only the socket",
        checkoutOptions: [
          { option: 'validateConnection', values: [false, 'socket'], roundTrips: 0 },
        ],
      },
      members: {
        ...each('query batch', sql),
        connect: { returns: 'Promise<this>', effect: sync },
        request: { returns: 'Request' },
        transaction: { returns: 'Transaction' },
        close: control,
      },
    },
    Request: {
      members: {
        ...each('input output replaceInput', { returns: 'this' }),
        ...each('query batch', sql),
        execute,
        bulk: { returns: 'Promise<any>', effect: { env: 'db', op: 'write' } },
      },
    },
    Transaction: {
      role: 'transaction',
      concurrency: 'serial',
      members: {
        begin: { returns: 'Promise<this>', begins: 'transaction', effect: sync },
        ...each('commit rollback', { ...control, releases: 'this' }),
        request: { returns: 'Request' },
      },
    },
    PreparedStatement: {
      role: 'connection',
      concurrency: 'serial',
      members: {
        ...each('input output', { returns: 'this' }),
        prepare: { ...control, begins: 'statement' },
        execute,
        unprepare: { ...control, releases: 'this' },
      },
    },
  },
};
