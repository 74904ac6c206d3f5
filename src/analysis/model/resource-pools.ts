import { each } from './members.ts';
import type { Library, Member } from './schema.ts';

/** Takes the resource as its argument. */
const giveBack: Member = { releases: 0 };

/** Pools of anything: their resources have no type here. */
export const resourcePools: readonly Library[] = [
  {
    name: 'generic-pool',
    modules: ['generic-pool'],
    verifiedWith: '3.9.0',
    releasesOnce: true,
    exports: { createPool: { returns: 'Pool' } },
    types: {
      Pool: {
        role: 'pool',
        concurrency: 'pooled',
        pool: {
          lends: 'resource',
          max: 1,
          maxOption: 'max',
          optionsAt: 1,
          waitMs: Number.POSITIVE_INFINITY,
          waitOption: 'acquireTimeoutMillis',
          checkoutRoundTrips: 0,
        },
        members: {
          acquire: {
            returns: 'Promise<Resource>',
            acquires: 'connection',
            effect: { env: 'lock', op: 'sync' },
          },
          ...each('release destroy', { ...giveBack, returns: 'Promise<void>' }),
          use: {
            returns: 'Promise<any>',
            effect: { env: 'lock', op: 'sync' },
            callback: { at: 0, params: ['Resource'], scope: 'connection' },
          },
          ...each('drain clear ready', { returns: 'Promise<void>' }),
        },
      },
      Resource: {},
    },
  },
  {
    name: 'tarn',
    modules: ['tarn'],
    verifiedWith: '3.1.2',
    exports: { Pool: { construct: { returns: 'Pool' } } },
    types: {
      Pool: {
        role: 'pool',
        concurrency: 'pooled',
        pool: {
          lends: 'resource',
          maxOption: 'max',
          waitMs: 30_000,
          waitOption: 'acquireTimeoutMillis',
          checkoutRoundTrips: 0,
        },
        members: {
          acquire: { returns: 'PendingOperation' },
          release: giveBack,
          destroy: { returns: 'Promise<any>' },
        },
      },
      PendingOperation: {
        members: {
          promise: {
            type: 'Promise<Resource>',
            acquires: 'connection',
            effect: { env: 'lock', op: 'sync' },
          },
          abort: {},
        },
      },
      Resource: {},
    },
  },
];
