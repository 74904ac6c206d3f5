import type { Library } from './schema.ts';

/** GeoIP look-ups: opening reads the whole database file, look-ups are in memory. */
export const maxmind: Library = {
  name: 'maxmind',
  modules: ['maxmind'],
  verifiedWith: '5.0.7',
  exports: {
    open: { returns: 'Promise<any>', effect: { env: 'fs', op: 'read', key: 0, threadPool: 'fs' } },
    default: { type: 'Namespace' },
  },
  types: {
    Namespace: {
      members: {
        open: {
          returns: 'Promise<any>',
          effect: { env: 'fs', op: 'read', key: 0, threadPool: 'fs' },
        },
      },
    },
  },
};
