import type { End, MeasuredMethod, Sent } from './measured-methods.ts';

/**
 * How the objects of a package are found in a running program: in which of its files its classes are, and where they keep what the
 * model only names. What their methods do is in the model, and here only for classes that no program names.
 */
export interface MeasuredPackage {
  /** By the path of a file, its classes by their exports; `default` is the whole export where that is a class. */
  readonly files: Readonly<Record<string, Readonly<Record<string, MeasuredClass>>>>;
  /** The package of the driver, where this one only has its pool. */
  readonly driver?: string;
  /** Its calls are those of a store without transactions: a connection that is held meanwhile is held for something else. */
  readonly isStore?: true;
  /** The property with the pool, of the object that the program creates. */
  readonly poolIn?: string;
  /** Where a pool has its size. */
  readonly size?: readonly string[];
  /** The property with the text, where a statement of the model is an object. */
  readonly statementText?: string;
  /** How such an object learns of its end, where the call has no callback. */
  readonly statementEnds?: readonly End[];
}

/** A type of the model, or the methods themselves. */
export type MeasuredClass = string | readonly MeasuredMethod[];

/** The methods `resolve` and `reject` of what is sent: a promise that the program may drop is left as it is. */
const settling: readonly End[] = [
  { method: 'resolve', gets: 'result' },
  { method: 'reject', gets: 'error' },
];
const sql: Sent = { shape: 'text', at: 0, property: 'sql' };
/** The arguments `resolve` and `reject`, behind what is sent. */
const resolvers: readonly End[] = [
  { argument: 1, gets: 'result' },
  { argument: 2, gets: 'error' },
];

const ofCollection =
  'aggregate count create createIndexes distinct drop dropIndexes findAndModify listIndexes';

/**
 * By package. A pool's own query is measured as what it consists of: a checkout, a query of the connection, a release. Methods are
 * wrapped also where newer versions have a `TracingChannel`: that covers every version, and the channels of mysql2, ioredis and
 * node-redis neither name the connection nor have its release. mongoose sends through mongodb, knex through the drivers with a
 * file below. Drivers of SQLite compute within the call, so that they have no wait.
 */
export const measuredPackages: Readonly<Record<string, MeasuredPackage>> = {
  pg: {
    files: { 'lib/index.js': { Pool: 'pg.Pool', Client: 'pg.PoolClient' } },
    size: ['options', 'max'],
    statementText: 'text',
  },
  'pg-pool': {
    driver: 'pg',
    files: { 'index.js': { default: 'pg.Pool' } },
    size: ['options', 'max'],
  },
  mysql2: {
    // The objects with promises call these.
    files: {
      'lib/pool.js': { default: 'mysql2.Pool' },
      'lib/connection.js': { default: 'mysql2.PoolConnection' },
    },
    poolIn: 'pool',
    size: ['config', 'connectionLimit'],
    statementText: 'sql',
    statementEnds: [{ method: 'onResult', gets: 'error or result' }],
  },
  mysql: {
    files: {
      'lib/Pool.js': { default: 'mysql.Pool' },
      'lib/Connection.js': { default: 'mysql.PoolConnection' },
    },
    size: ['config', 'connectionLimit'],
    statementText: 'sql',
    statementEnds: [{ method: '_callback', gets: 'error or result' }],
  },
  mariadb: {
    // What `require()` gives from 3.5 on is one minified file, whose classes cannot be reached.
    files: {
      'lib/pool.js': {
        default: [
          {
            ...{ does: 'acquire', name: 'getConnection', releases: ['destroy'] },
            callback: { at: 'last', connection: 1 },
          },
          { does: 'release', name: 'release', connection: 0 },
          { does: 'release', name: '_destroy', connection: 0 },
        ],
      },
      'lib/connection.js': {
        default: [
          { does: 'send', name: 'query', sent: sql, ends: resolvers },
          { does: 'send', name: 'prepareExecute', sent: sql, ends: resolvers },
          { does: 'send', name: 'batch', sent: sql, ends: resolvers },
        ],
      },
    },
    size: ['opts', 'connectionLimit'],
  },
  postgres: {
    // Its pool is in closures: the wait for a connection is a part of the time until the answer.
    files: Object.fromEntries(
      ['src/query.js', 'cjs/src/query.js'].map((path) => [
        path,
        {
          Query: [
            {
              ...{ does: 'send', name: 'handle', ends: settling },
              sent: { shape: 'text', at: 'this', property: 'strings' },
            },
          ],
        },
      ]),
    ),
  },
  knex: {
    files: { 'lib/client.js': { default: 'knex.Client' } },
    poolIn: 'client',
    size: ['pool', 'max'],
  },
  mongodb: {
    files: {
      'lib/cmap/connection_pool.js': {
        ConnectionPool: [
          { does: 'acquire', name: 'checkOut', releases: [] },
          { does: 'release', name: 'checkIn', connection: 0 },
        ],
      },
      'lib/cmap/connection.js': {
        Connection: [
          {
            ...{ does: 'send', name: 'command', ends: [], isOfPool: true },
            sent: {
              ...{ shape: 'document', at: 1 },
              collection: {
                ...{ at: 0, property: 'collection', none: '$cmd' },
                valueOf: ofCollection.split(' '),
              },
            },
          },
        ],
      },
    },
    size: ['options', 'maxPoolSize'],
  },
  ioredis: {
    // The second one is that of version 4.
    files: Object.fromEntries(
      ['built/Redis.js', 'built/redis/index.js'].map((path) => [
        path,
        {
          default: [
            {
              ...{ does: 'send', name: 'sendCommand', ends: settling },
              sent: { shape: 'name', at: 0, property: 'name' },
            },
          ],
        },
      ]),
    ),
    isStore: true,
  },
  '@redis/client': {
    files: {
      'dist/lib/client/commands-queue.js': {
        default: [
          {
            ...{ does: 'send', name: 'addCommand', ends: [] },
            sent: { shape: 'name', at: 0, property: 0 },
          },
        ],
      },
    },
    driver: 'redis',
    isStore: true,
  },
};
