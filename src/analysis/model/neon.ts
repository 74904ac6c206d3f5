import { each } from './members.ts';
import { pgTypes } from './pg.ts';
import type { Effect, Library, LibraryType, Member, Signature } from './schema.ts';

const run: Effect = { env: 'db', op: 'builder' };

/** sql`select …` is sent when it is awaited: one HTTP request. */
const statement: Signature = { returns: 'NeonQueryPromise', step: { sql: 0 } };
const together: Member = { returns: 'Promise<any>', effect: { env: 'db', op: 'unknown' } };

/** Made for one request and ended with it, as its documentation asks: its pools have no size and no wait to speak of. */
const pool: LibraryType = {
  role: 'pool',
  concurrency: 'pooled',
  isBrief: true,
  members: pgTypes.Pool.members,
};
const client: LibraryType = {
  role: 'client',
  concurrency: 'serial',
  isBrief: true,
  members: {
    ...pgTypes.Client.members,
    connect: { returns: 'Promise<void>', effect: { env: 'db', op: 'sync' } },
  },
};

/** PostgreSQL over WebSockets, with the methods of node-postgres. */
const serverless: Library = {
  name: '@neondatabase/serverless',
  modules: ['@neondatabase/serverless'],
  verifiedWith: '1.2.0',
  exports: {
    neon: { returns: 'neon.NeonQueryFunction' },
    Pool: { construct: { returns: 'Pool' } },
    Client: { construct: { returns: 'Client' } },
  },
  types: {
    Pool: pool,
    PoolClient: pgTypes.PoolClient,
    Client: client,
    Result: {},
  },
};

/** What `neon()` gives: no connection is open between two requests. */
const overHttp: Library = {
  name: 'neon',
  modules: [],
  verifiedWith: '1.2.0',
  commitsEach: true,
  exports: {},
  types: {
    NeonQueryFunction: {
      concurrency: 'pooled',
      call: statement,
      members: { query: statement, transaction: together },
    },
    NeonQueryPromise: {
      role: 'builder',
      awaited: { returns: 'any', effect: run },
      members: each('then catch finally', { returns: 'Promise<any>', effect: run }),
    },
  },
};

/** Its pools are those above, and its template asks one of them at once. */
const vercel: Library = {
  name: '@vercel/postgres',
  modules: ['@vercel/postgres'],
  verifiedWith: '0.10.0',
  exports: {
    sql: { type: 'VercelPool' },
    db: { type: 'VercelPool' },
    createPool: { returns: 'VercelPool' },
    createClient: { returns: 'VercelClient' },
  },
  types: {
    VercelPool: {
      ...pool,
      call: { returns: 'Promise<Result>', effect: { env: 'db', op: 'sql' } },
      members: {
        ...pool.members,
        sql: { returns: 'Promise<Result>', effect: { env: 'db', op: 'sql' } },
      },
    },
    VercelClient: {
      ...client,
      members: {
        ...client.members,
        sql: { returns: 'Promise<Result>', effect: { env: 'db', op: 'sql' } },
      },
    },
    PoolClient: {
      ...pgTypes.PoolClient,
      members: {
        ...pgTypes.PoolClient.members,
        sql: { returns: 'Promise<Result>', effect: { env: 'db', op: 'sql' } },
      },
    },
    Result: {},
  },
};

export const neon: readonly Library[] = [serverless, overHttp, vercel];
