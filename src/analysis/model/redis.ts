import { each, withDefault } from './members.ts';
import { camelCaseCommands, lowerCaseCommands, queued } from './redis-commands.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';

const sync: Effect = { env: 'redis', op: 'sync' };
const control: Member = { returns: 'Promise<any>', effect: sync };
const subscribe: Member = {
  ...control,
  callback: { at: 1, params: [undefined, undefined], runs: 'per-job' },
};
const iterators = each('scanIterator hScanIterator sScanIterator zScanIterator', {
  effect: { env: 'redis', op: 'read' },
});
const nodeRedisMembers: Readonly<Record<string, Member>> = {
  ...camelCaseCommands,
  sendCommand: control,
  ...each('multi MULTI', { returns: 'MultiCommand' }),
  ...each('withTypeMapping withCommandOptions on once off addListener', { returns: 'this' }),
};
const connect: Member = {
  returns: 'Promise<this>',
  begins: 'connection',
  effect: sync,
  queuesUnless: /disableOfflineQueue/,
};
const released = {
  ...each('close disconnect quit QUIT', { ...control, releases: 'this' }),
  destroy: { releases: 'this' },
} as const;
/** All commands of one tick go out together: no danger to a pool, one round trip. */
const clientType: LibraryType = {
  role: 'client',
  concurrency: 'pipelined',
  members: {
    ...nodeRedisMembers,
    ...iterators,
    ...each('withAbortSignal asap', { returns: 'this' }),
    ...each('watch unwatch WATCH UNWATCH select SELECT', control),
    ...each('subscribe pSubscribe sSubscribe', subscribe),
    ...each('unsubscribe pUnsubscribe sUnsubscribe', control),
    connect,
    duplicate: { returns: 'RedisClientType' },
    createPool: { returns: 'RedisClientPoolType' },
    ...released,
  },
};

const nodeRedis: Library = {
  name: 'redis',
  modules: ['redis', '@redis/client'],
  verifiedWith: '6.3.1',
  exports: {
    createClient: { returns: 'RedisClientType' },
    createCluster: { returns: 'RedisClusterType' },
    createClientPool: { returns: 'RedisClientPoolType' },
  },
  types: {
    RedisClientType: clientType,
    RedisClusterType: {
      role: 'client',
      isPartitioned: true,
      concurrency: 'pipelined',
      members: {
        ...nodeRedisMembers,
        connect,
        duplicate: { returns: 'RedisClusterType' },
        ...each('close disconnect quit', { ...control, releases: 'this' }),
        destroy: { releases: 'this' },
      },
    },
    RedisClientPoolType: {
      role: 'pool',
      concurrency: 'pooled',
      pool: {
        max: 100,
        maxOption: 'maximum',
        waitMs: 3000,
        waitOption: 'acquireTimeout',
        checkoutRoundTrips: 0,
      },
      members: {
        ...camelCaseCommands,
        sendCommand: control,
        multi: { returns: 'MultiCommand' },
        connect: { returns: 'Promise<this>', effect: sync },
        execute: {
          returns: 'Promise<any>',
          effect: { env: 'redis', op: 'unknown' },
          callback: { at: 0, params: ['RedisClientType'], scope: 'connection' },
        },
        close: control,
        destroy: {},
      },
    },
    MultiCommand: {
      role: 'builder',
      members: {
        ...queued(camelCaseCommands),
        ...each('exec execAsPipeline execTyped execAsPipelineTyped', control),
      },
    },
  },
};

const ioredisMembers: Readonly<Record<string, Member>> = {
  ...lowerCaseCommands,
  get: { ...lowerCaseCommands['get'], listMethod: 'mget' },
  ...each('substr zrevrange zrevrangebyscore zrevrangebylex', {
    returns: 'Promise<any>',
    effect: { env: 'redis', op: 'read', key: 0 },
  }),
  ...each('hmset', { returns: 'Promise<any>', effect: { env: 'redis', op: 'write', key: 0 } }),
  ...each(
    'watch unwatch discard exec select subscribe psubscribe unsubscribe punsubscribe call xgroup',
    control,
  ),
  pipeline: { returns: 'ChainableCommander' },
  multi: { returns: 'ChainableCommander' },
  quit: { ...control, releases: 'this' },
  disconnect: { releases: 'this' },
};
const ioredisClass: Member = { construct: { returns: 'Redis', acquires: 'connection' } };
const clusterClass: Member = { construct: { returns: 'Cluster', acquires: 'connection' } };
const ioredisWhole = withDefault({ Redis: ioredisClass, Cluster: clusterClass }, ioredisClass);

const ioredis: Library = {
  name: 'ioredis',
  modules: ['ioredis'],
  verifiedWith: '6.0.0',
  exports: ioredisWhole.exports,
  types: {
    Namespace: ioredisWhole.namespace,
    /** Connects when it is made, unless `lazyConnect`. */
    Redis: {
      role: 'client',
      concurrency: 'pipelined',
      members: {
        ...ioredisMembers,
        connect: control,
        duplicate: { returns: 'Redis', acquires: 'connection' },
        monitor: control,
      },
    },
    Cluster: {
      role: 'client',
      isPartitioned: true,
      concurrency: 'pipelined',
      members: { ...ioredisMembers, connect: control, nodes: { returns: 'Redis[]' } },
    },
    ChainableCommander: {
      role: 'builder',
      members: { ...queued(lowerCaseCommands), exec: control },
    },
  },
};

/** Nest's module lends the clients that it has made. */
const nestRedis: Library = {
  name: '@liaoliaots/nestjs-redis',
  modules: ['@liaoliaots/nestjs-redis'],
  verifiedWith: '10.0.0',
  exports: { RedisService: { construct: { returns: 'RedisService' } } },
  types: {
    RedisService: {
      members: {
        ...each('getOrThrow getOrNil', { returns: 'ioredis.Redis', isShared: true }),
        getClient: { returns: 'ioredis.Redis', isShared: true, until: '9' },
      },
    },
  },
};

export const redis: readonly Library[] = [nodeRedis, ioredis, nestRedis];
