import { each, withDefault } from './members.ts';
import type { Effect, Library, Member } from './schema.ts';

const map = { construct: { returns: 'Map' } };

function library(name: string, verifiedWith: string, exports: Library['exports']): Library {
  return { name, modules: [name], verifiedWith, exports, types: {} };
}

/** Of a server, or of this process: how long it takes, the store that it is given tells. */
function answering(op: Effect['op']): Member {
  return { returns: 'Promise<any>', effect: { env: 'redis', op, key: 0, memo: true } };
}

// Of a store in this process no change costs a round trip: no loop over them is reported.
const changing: Member = answering('unknown');

const managed = withDefault({
  createCache: { returns: 'Cache' },
  caching: { returns: 'Promise<Cache>', until: '5' },
  multiCaching: { returns: 'Cache', until: '5' },
});
const keyed = withDefault(
  { Keyv: { construct: { returns: 'Keyv' } } },
  { construct: { returns: 'Keyv' } },
);

/** They ask the store that they are given. */
const managers: readonly Library[] = [
  {
    name: 'cache-manager',
    modules: ['cache-manager'],
    verifiedWith: '7.2.9',
    commitsEach: true,
    exports: managed.exports,
    types: {
      Namespace: managed.namespace,
      Cache: {
        members: {
          ...each('get mget ttl', answering('read')),
          ...each('set mset del mdel clear', changing),
          reset: { ...changing, until: '5' },
          wrap: { ...answering('unknown'), callback: { at: 1, params: [] } },
          disconnect: answering('sync'),
          stores: { type: 'keyv.Keyv[]' },
          store: { type: 'Store', until: '5' },
          ...each('on off cacheId', {}),
        },
      },
      Store: {
        members: {
          ...each('get mget ttl keys', { ...answering('read'), until: '5' }),
          ...each('set mset del mdel reset', { ...changing, until: '5' }),
        },
      },
    },
  },
  {
    name: '@nestjs/cache-manager',
    modules: ['@nestjs/cache-manager'],
    verifiedWith: '12.0.0',
    commitsEach: true,
    exports: {},
    types: { Cache: { extends: 'cache-manager.Cache' } },
  },
  {
    name: 'keyv',
    modules: ['keyv'],
    verifiedWith: '6.1.0',
    commitsEach: true,
    exports: keyed.exports,
    types: {
      Namespace: keyed.namespace,
      Keyv: {
        members: {
          ...each('get getMany getRaw getManyRaw has hasMany', answering('read')),
          ...each('set setMany delete deleteMany clear', changing),
          disconnect: answering('sync'),
          ...each('on off once', {}),
        },
      },
      Store: {
        members: {
          ...each('get has', { ...answering('read'), until: '4' }),
          ...each('set delete clear', { ...changing, until: '4' }),
        },
      },
    },
  },
];

/** Most are of this process: read and changed as a map is. */
export const caches: readonly Library[] = [
  {
    ...library('lru-cache', '11.5.3', {
      LRUCache: map,
      default: { ...map, type: 'Namespace', until: '9' },
    }),
    types: { Namespace: { members: { LRUCache: map } } },
  },
  library('node-cache', '5.1.2', { default: map }),
  library('quick-lru', '7.3.0', { default: map }),
  ...managers,
];
