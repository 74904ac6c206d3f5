import type { Library, Member } from './schema.ts';

const ran: Member = { returns: 'Promise<any>', callback: { at: 1, params: [] } };

/** What a request carries along: it runs a function immediately, and returns its result. */
export const asyncHooks: Library = {
  name: 'async_hooks',
  modules: ['async_hooks'],
  verifiedWith: '20.20.2',
  exports: {
    AsyncLocalStorage: { construct: { returns: 'AsyncLocalStorage' } },
    AsyncResource: { construct: { returns: 'AsyncResource' } },
    executionAsyncId: {},
    createHook: {},
  },
  types: {
    AsyncLocalStorage: {
      members: {
        run: ran,
        exit: { returns: 'Promise<any>', callback: { at: 0, params: [] } },
        getStore: { returns: 'any' },
        enterWith: {},
        disable: {},
      },
    },
    AsyncResource: {
      members: {
        runInAsyncScope: { returns: 'Promise<any>', callback: { at: 0, params: [] } },
        emitDestroy: {},
      },
    },
  },
};
