import { each, withDefault } from './members.ts';
import type { Effect, Library, Member } from './schema.ts';

const built: Effect = { env: 'db', op: 'builder', sync: true };
const write: Effect = { env: 'db', op: 'write', sync: true };
const synchronousStatement: Readonly<Record<string, Member>> = {
  run: { effect: write },
  ...each('get all iterate', { effect: built }),
};
const execute: Member = { effect: { env: 'db', op: 'sql', sync: true } };
const prepare: Member = { returns: 'Statement', step: { sql: 0 } };

const better = withDefault(
  {},
  { construct: { returns: 'Database' }, call: { returns: 'Database' } },
);

/** Answers with a callback, from the thread pool; statements of one database run one after the other. */
const asynchronous: Effect = { env: 'db', op: 'sql', threadPool: 'cpu' };
const query: Member = {
  effect: asynchronous,
  returns: 'this',
  callback: { at: 'last', params: ['error', undefined] },
};
const statementRun: Member = {
  effect: { env: 'db', op: 'builder', threadPool: 'cpu' },
  returns: 'this',
  callback: { at: 'last', params: ['error', undefined] },
};
const sqlite3Whole = withDefault({
  Database: { construct: { returns: 'Database' } },
  verbose: { returns: 'Namespace' },
});

/** The same behind promises. */
const promisedQuery: Member = { returns: 'Promise<any>', effect: asynchronous };
const promisedRun: Member = {
  returns: 'Promise<any>',
  effect: { env: 'db', op: 'builder', threadPool: 'cpu' },
};
const promisedControl: Member = { returns: 'Promise<void>', effect: { env: 'db', op: 'sync' } };

export const sqlite: readonly Library[] = [
  {
    name: 'better-sqlite3',
    modules: ['better-sqlite3'],
    verifiedWith: '12.11.1',
    engine: 'sqlite',
    exports: better.exports,
    types: {
      Namespace: better.namespace,
      Database: {
        role: 'client',
        isFile: true,
        hasRelaxedLog: true,
        concurrency: 'sync',
        members: {
          prepare,
          exec: { ...execute, returns: 'this' },
          pragma: { effect: { env: 'db', op: 'unknown', sync: true } },
          // Gives a function; a function that returns a promise makes it throw.
          transaction: { callback: { at: 0, params: [] } },
          backup: { returns: 'Promise<any>', effect: { env: 'fs', op: 'write' } },
          close: { returns: 'this' },
        },
      },
      Statement: {
        role: 'builder',
        members: {
          ...synchronousStatement,
          ...each('pluck expand raw bind safeIntegers', { returns: 'this' }),
        },
      },
    },
  },
  {
    name: 'node:sqlite',
    modules: ['node:sqlite'],
    verifiedWith: '26.6.6',
    engine: 'sqlite',
    exports: { DatabaseSync: { construct: { returns: 'DatabaseSync' } } },
    types: {
      DatabaseSync: {
        role: 'client',
        isFile: true,
        concurrency: 'sync',
        members: { prepare: { ...prepare, returns: 'StatementSync' }, exec: execute, close: {} },
      },
      StatementSync: { role: 'builder', members: synchronousStatement },
    },
  },
  {
    name: 'sqlite3',
    modules: ['sqlite3'],
    verifiedWith: '6.0.1',
    engine: 'sqlite',
    exports: sqlite3Whole.exports,
    types: {
      Namespace: sqlite3Whole.namespace,
      Database: {
        role: 'client',
        isFile: true,
        concurrency: 'serial',
        members: {
          ...each('run get all each exec', query),
          prepare: { returns: 'Statement', step: { sql: 0 } },
          ...each('serialize parallelize', { callback: { at: 'last', params: [] } }),
          close: { callback: { at: 'last', params: ['error'] } },
        },
      },
      Statement: {
        role: 'builder',
        members: {
          ...each('run get all each', statementRun),
          ...each('bind reset', { returns: 'this' }),
          finalize: { callback: { at: 'last', params: ['error'] } },
        },
      },
    },
  },
  {
    // sqlite3 with promises.
    name: 'sqlite',
    modules: ['sqlite'],
    verifiedWith: '5.1.1',
    engine: 'sqlite',
    exports: {
      open: { returns: 'Promise<Database>', effect: { env: 'db', op: 'sync' } },
    },
    types: {
      Database: {
        role: 'client',
        isFile: true,
        concurrency: 'serial',
        members: {
          ...each('run get all each exec', promisedQuery),
          prepare: { returns: 'Promise<Statement>', step: { sql: 0 } },
          close: promisedControl,
        },
      },
      Statement: {
        role: 'builder',
        members: {
          ...each('run get all each', promisedRun),
          ...each('bind reset finalize', promisedControl),
        },
      },
    },
  },
];
