import { each } from './members.ts';
import type { Effect, Library, Member } from './schema.ts';

const sql: Member = { returns: 'Promise<any>', effect: { env: 'db', op: 'sql' } };
const sync: Effect = { env: 'db', op: 'sync' };
const several: Member = { returns: 'Promise<any>', effect: { env: 'db', op: 'unknown' } };

/** Of a server, or of a file: only the address tells, so that nothing is claimed about concurrent calls. */
const libsqlClient: Library = {
  name: '@libsql/client',
  modules: ['@libsql/client', '@libsql/client/http', '@libsql/client/web', '@libsql/client/node'],
  verifiedWith: '0.18.0',
  exports: { createClient: { returns: 'Client' } },
  types: {
    Client: {
      role: 'client',
      concurrency: 'serial',
      isExclusive: true,
      members: {
        execute: sql,
        ...each('batch migrate executeMultiple', several),
        transaction: { returns: 'Promise<Transaction>', acquires: 'transaction', effect: sync },
        sync: { returns: 'Promise<any>', effect: sync },
        ...each('close reconnect', {}),
      },
    },
    Transaction: {
      role: 'transaction',
      concurrency: 'serial',
      members: {
        execute: sql,
        ...each('batch executeMultiple', several),
        ...each('commit rollback', { returns: 'Promise<void>', releases: 'this', effect: sync }),
        close: { releases: 'this' },
      },
    },
  },
};

/** Each statement is an HTTP request. */
const planetscale: Library = {
  name: '@planetscale/database',
  modules: ['@planetscale/database'],
  verifiedWith: '1.20.2',
  exports: {
    connect: { returns: 'Connection' },
    Client: { construct: { returns: 'Client' } },
  },
  types: {
    Client: {
      role: 'orm',
      concurrency: 'pooled',
      members: {
        execute: sql,
        connection: { returns: 'Connection' },
        transaction: {
          returns: 'Promise<any>',
          effect: { env: 'db', op: 'unknown' },
          callback: { at: 0, params: ['Transaction'], scope: 'transaction' },
        },
      },
    },
    Connection: { extends: 'Client' },
    Transaction: { role: 'transaction', concurrency: 'serial', members: { execute: sql } },
  },
};

export const libsql: readonly Library[] = [libsqlClient, planetscale];
