import { each, withDefault } from './members.ts';
import type { Effect, Library, LibraryType, Member } from './schema.ts';

const sync: Effect = { env: 'lock', op: 'sync' };

/** A function that gives the lock back when it is called. */
const releaser: LibraryType = {
  role: 'lock',
  call: { returns: 'Promise<void>', releases: 'this' },
};
const exclusive: Member = {
  returns: 'Promise<any>',
  effect: sync,
  callback: { at: 0, params: [] },
};
const mutexMembers: Readonly<Record<string, Member>> = {
  runExclusive: exclusive,
  waitForUnlock: { returns: 'Promise<void>', effect: sync },
  release: { releases: 'this' },
  cancel: {},
};
const redlockClass: Member = { construct: { returns: 'Redlock' } };
const lockfile = withDefault({
  lock: { returns: 'Promise<Releaser>', acquires: 'lock', effect: sync },
  unlock: { returns: 'Promise<void>', effect: sync },
  check: { returns: 'Promise<any>', effect: sync },
});

/** Locks: waiting for one orders what follows, so nothing may be moved across it. */
export const locks: readonly Library[] = [
  {
    name: 'async-mutex',
    modules: ['async-mutex'],
    verifiedWith: '0.5.0',
    exports: {
      Mutex: { construct: { returns: 'Mutex' } },
      Semaphore: { construct: { returns: 'Semaphore' } },
      withTimeout: {},
    },
    types: {
      Mutex: {
        role: 'lock',
        members: {
          ...mutexMembers,
          acquire: { returns: 'Promise<Releaser>', acquires: 'lock', effect: sync },
        },
      },
      // Bounds as a limiter does; its acquire gives a pair, value and releaser.
      Semaphore: {
        role: 'limiter',
        members: { ...mutexMembers, acquire: { returns: 'Promise<any>', effect: sync } },
      },
      Releaser: releaser,
    },
  },
  {
    name: 'redlock',
    modules: ['redlock'],
    verifiedWith: '4.2.0',
    exports: { default: redlockClass },
    types: {
      Redlock: {
        role: 'lock',
        members: {
          ...each('acquire lock', { returns: 'Promise<Lock>', acquires: 'lock', effect: sync }),
          ...each('release unlock', { returns: 'Promise<any>', releases: 0, effect: sync }),
          extend: { returns: 'Promise<Lock>', effect: sync },
          // Version 5.
          using: { returns: 'Promise<any>', effect: sync, callback: { at: 'last', params: [] } },
        },
      },
      Lock: {
        role: 'lock',
        members: {
          ...each('unlock release', { returns: 'Promise<any>', releases: 'this', effect: sync }),
          extend: { returns: 'Promise<Lock>', effect: sync },
        },
      },
    },
  },
  {
    name: 'proper-lockfile',
    modules: ['proper-lockfile'],
    verifiedWith: '4.1.2',
    exports: lockfile.exports,
    types: { Namespace: lockfile.namespace, Releaser: releaser },
  },
];
