import type { Library } from './schema.ts';

const map = { construct: { returns: 'Map' } };

function library(name: string, verifiedWith: string, exports: Library['exports']): Library {
  return { name, modules: [name], verifiedWith, exports, types: {} };
}

/** Caches of this process: read and changed as a map is. */
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
];
