import { withDefault } from './members.ts';
import type { Library, Member } from './schema.ts';

const query: Member = {
  returns: 'Promise<Result>',
  effect: { env: 'db', op: 'sql' },
  withCallback: {
    effect: { env: 'db', op: 'sql' },
    callback: { at: 'last', params: ['error', 'Result'] },
  },
};
const end: Member = { returns: 'Promise<void>', effect: { env: 'db', op: 'sync' } };

const whole = withDefault({
  Pool: { construct: { returns: 'Pool' } },
  Client: { construct: { returns: 'Client' } },
  native: { type: 'Namespace' },
  // From a pool of the module's own.
  connect: {
    acquires: 'connection',
    effect: { env: 'db', op: 'sync' },
    callback: { at: 'last', params: ['error', 'PoolClient', 'release'] },
    until: '6',
  },
});

/** Also those of drivers that replace it. */
export const pgTypes = {
  Pool: {
    role: 'pool',
    concurrency: 'pooled',
    pool: {
      max: 10,
      maxOption: 'max',
      isZeroDefault: true,
      waitMs: Number.POSITIVE_INFINITY,
      waitOption: 'connectionTimeoutMillis',
      since: 7,
      idle: { ms: 10_000, option: 'idleTimeoutMillis', keepOption: 'min' },
      emitsErrors: true,
      server: 'postgres',
      checkoutRoundTrips: 0,
    },
    members: {
      connect: {
        returns: 'Promise<PoolClient>',
        acquires: 'connection',
        effect: { env: 'db', op: 'sync' },
        withCallback: {
          acquires: 'connection',
          effect: { env: 'db', op: 'sync' },
          callback: { at: 0, params: ['error', 'PoolClient', 'release'] },
        },
      },
      query,
      end,
    },
  },
  PoolClient: {
    role: 'connection',
    concurrency: 'serial',
    members: {
      query,
      release: { releases: 'this' },
      // The pool forgets a client only when it is released.
      end: { ...end, releases: 'this', keepsPlace: true },
    },
  },
  Client: {
    role: 'client',
    concurrency: 'serial',
    members: {
      connect: {
        returns: 'Promise<void>',
        begins: 'connection',
        effect: { env: 'db', op: 'sync' },
      },
      query,
      end: { ...end, releases: 'this' },
    },
  },
} as const satisfies Library['types'];

/** node-postgres; docs/internals/rules.md has its releases ("Acquire and release") and its waits ("Pool defaults"). */
const nodePostgres: Library = {
  name: 'pg',
  modules: ['pg'],
  verifiedWith: '8.23.1',
  closesFailed: true,
  releasesOnce: true,
  deprecatesQueue: true,
  remedies: { duplicate: 'Add `ON CONFLICT DO NOTHING`, or hold one client for the loop' },
  exports: whole.exports,
  types: { Namespace: whole.namespace, ...pgTypes, Result: {} },
};

export const pg: readonly Library[] = [
  nodePostgres,
  {
    name: 'pg-pool',
    modules: ['pg-pool'],
    verifiedWith: '3.14.0',
    exports: { default: { construct: { returns: 'pg.Pool' } } },
    types: {},
  },
  {
    // Its queries outside of a transaction are `pool.query`.
    name: '@prisma/adapter-pg',
    modules: ['@prisma/adapter-pg'],
    verifiedWith: '7.10.1',
    closesFailed: true,
    remedies: { duplicate: 'Use `upsert`, or `createMany` with `skipDuplicates`' },
    exports: { PrismaPg: { construct: { returns: 'PrismaPg' } } },
    types: {
      PrismaPg: {
        pool: {
          max: 10,
          maxOption: 'max',
          takesTexts: true,
          isZeroDefault: true,
          waitMs: Number.POSITIVE_INFINITY,
          waitOption: 'connectionTimeoutMillis',
          server: 'postgres',
          checkoutRoundTrips: 0,
        },
      },
    },
  },
];
