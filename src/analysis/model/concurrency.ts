import { each, withDefault } from './members.ts';
import type { Callback, Library, LibraryType, Member, Signature } from './schema.ts';

const task: Signature = { returns: 'Promise<any>', callback: { at: 0, params: [] } };

function mapper(at: number): Callback {
  return { at, params: [undefined, undefined], runs: 'per-item' };
}

/** A function that calls its callback for each element, at most so many at once. */
function limitedMap(at: number): LibraryType {
  return { role: 'limiter', call: { returns: 'Promise<any>', callback: mapper(at) } };
}

/** Of async: with an iterator for each element; the Limit forms take the bound first, the Series forms go one by one. */
const EACH =
  'each forEach eachOf forEachOf map mapValues filter reject every some detect concat groupBy';
const UNLIMITED = each(EACH, { returns: 'Promise<any>', callback: mapper(1) });
const LIMITED = each(EACH.replaceAll(/\S+/g, '$&Limit'), { type: 'LimitedEach' });
const SERIES = each(EACH.replaceAll(/\S+/g, '$&Series'), {
  returns: 'Promise<any>',
  callback: { ...mapper(1), series: true },
});
const asyncWhole = withDefault({
  ...UNLIMITED,
  ...LIMITED,
  ...SERIES,
  ...each('whilst until', {
    returns: 'Promise<any>',
    callback: { at: 1, params: [undefined], runs: 'per-item', series: true },
  }),
  reduce: {
    returns: 'Promise<any>',
    callback: { at: 2, params: [undefined, undefined], runs: 'per-item', series: true },
  },
  ...each('times', { returns: 'Promise<any>', callback: mapper(1) }),
  timesSeries: { returns: 'Promise<any>', callback: { ...mapper(1), series: true } },
  timesLimit: { type: 'LimitedEach' },
  parallelLimit: { type: 'ParallelLimit' },
  queue: { returns: 'Queue', callback: { at: 0, params: [undefined, undefined], runs: 'per-job' } },
});

const queueClass: Member = { construct: { returns: 'PQueue' } };
const bottleneckClass: Member = { construct: { returns: 'Bottleneck' } };
const loaderClass: Member = { construct: { returns: 'DataLoader' } };

/** Libraries that limit concurrency, and those that batch by tick. */
export const concurrency: readonly Library[] = [
  {
    name: 'p-limit',
    modules: ['p-limit'],
    verifiedWith: '7.3.3',
    bounds: 'limit',
    exports: { default: { returns: 'Limit' } },
    types: {
      Limit: {
        role: 'limiter',
        call: task,
        members: { map: { returns: 'Promise<any>', callback: mapper(1) } },
      },
    },
  },
  {
    name: 'p-map',
    modules: ['p-map'],
    verifiedWith: '7.1.1',
    bounds: 'map',
    exports: { default: { type: 'PMap' }, pMapSettled: { type: 'PMap' } },
    types: { PMap: limitedMap(1) },
  },
  {
    name: 'p-queue',
    modules: ['p-queue'],
    verifiedWith: '9.3.5',
    exports: { default: queueClass },
    types: {
      PQueue: {
        role: 'limiter',
        members: {
          add: task,
          addAll: { returns: 'Promise<any>' },
          ...each('onIdle onEmpty onSizeLessThan', { returns: 'Promise<void>' }),
        },
      },
    },
  },
  {
    name: 'async',
    modules: ['async'],
    verifiedWith: '3.2.6',
    exports: asyncWhole.exports,
    types: {
      Namespace: asyncWhole.namespace,
      LimitedEach: limitedMap(2),
      ParallelLimit: { role: 'limiter', call: { returns: 'Promise<any>' } },
      Queue: {
        role: 'limiter',
        members: { ...each('push pushAsync unshift', {}), drain: { returns: 'Promise<void>' } },
      },
    },
  },
  {
    name: 'bottleneck',
    modules: ['bottleneck'],
    verifiedWith: '2.19.5',
    exports: { default: bottleneckClass },
    types: {
      Bottleneck: {
        role: 'limiter',
        members: {
          schedule: { returns: 'Promise<any>', callback: { at: 0, params: [] } },
          wrap: {},
        },
      },
    },
  },
  {
    name: 'dataloader',
    modules: ['dataloader'],
    verifiedWith: '2.2.3',
    exports: { default: loaderClass },
    types: {
      DataLoader: {
        role: 'loader',
        members: {
          ...each('load loadMany', {
            returns: 'Promise<any>',
            effect: { env: 'db', op: 'read', memo: true },
          }),
          ...each('clear clearAll prime', { returns: 'this' }),
        },
      },
    },
  },
];
