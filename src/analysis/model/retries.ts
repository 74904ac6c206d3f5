import type { Callback, Library, Member } from './schema.ts';

function tried(params: Callback['params']): Member {
  return { returns: 'Promise<any>', callback: { at: 0, params } };
}

/** Libraries that call a function again after a failure: they return its result, and wait only between two attempts. */
export const retries: readonly Library[] = [
  {
    name: 'p-retry',
    modules: ['p-retry'],
    verifiedWith: '7.1.1',
    exports: { default: tried([undefined]), makeRetriable: {} },
    types: {},
  },
  {
    name: 'async-retry',
    modules: ['async-retry'],
    verifiedWith: '1.3.3',
    exports: { default: tried([undefined, undefined]) },
    types: {},
  },
  {
    name: 'exponential-backoff',
    modules: ['exponential-backoff'],
    verifiedWith: '3.1.3',
    exports: { backOff: tried([]) },
    types: {},
  },
];
