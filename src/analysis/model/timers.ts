import { each, withDefault } from './members.ts';
import type { Library, Member, Sleep } from './schema.ts';

const SLEEP: Member = {
  returns: 'Promise<void>',
  sleep: { argument: 0, unit: 'ms' },
  effect: { env: 'timer', op: 'unknown' },
};
const IMMEDIATE: Member = {
  returns: 'Promise<void>',
  yield: 'immediate',
  effect: { env: 'timer', op: 'unknown' },
};

const timersPromises = withDefault({
  setTimeout: SLEEP,
  setImmediate: IMMEDIATE,
  setInterval: { returns: 'Interval' },
  scheduler: { type: 'Scheduler' },
});

const bluebird = withDefault({
  delay: SLEEP,
  Promise: { type: 'Namespace' },
  ...each('promisify promisifyAll', { promisifies: true }),
});
const radash = withDefault({ sleep: SLEEP });
const esToolkit = withDefault({ delay: SLEEP });
const sleepPackage = withDefault({
  sleep: blockingSleep('s'),
  msleep: blockingSleep('ms'),
  usleep: blockingSleep('us'),
});
const bun = withDefault({ sleep: SLEEP, sleepSync: blockingSleep('ms') });

function blockingSleep(unit: Sleep['unit']): Member {
  return { sleep: { argument: 0, unit }, effect: { env: 'timer', op: 'unknown', sync: true } };
}

/** A package whose default export is the sleep function, which it may also export under a name. */
function sleepFunction(name: string, verifiedWith: string, exported?: string): Library {
  return {
    name,
    modules: [name],
    verifiedWith,
    exports: { default: SLEEP, ...(exported ? { [exported]: SLEEP } : {}) },
    types: {},
  };
}

/** Functions that wait for a time or for a turn of the event loop; `setTimeout` and friends are globals. */
export const timers: readonly Library[] = [
  {
    name: 'timers/promises',
    modules: ['timers/promises'],
    verifiedWith: '20.20.2',
    exports: timersPromises.exports,
    types: {
      Namespace: timersPromises.namespace,
      Scheduler: { members: { wait: SLEEP, yield: IMMEDIATE } },
      /** The async iterable: a loop over it is periodic. */
      Interval: { isPeriodic: true },
    },
  },
  {
    name: 'timers',
    modules: ['timers'],
    verifiedWith: '20.20.2',
    exports: {
      promises: { type: 'timers/promises.Namespace' },
      default: { type: 'Namespace' },
    },
    types: { Namespace: { members: { promises: { type: 'timers/promises.Namespace' } } } },
  },
  sleepFunction('delay', '7.0.0'),
  sleepFunction('sleep-promise', '9.1.0'),
  sleepFunction('p-sleep', '1.1.0'),
  {
    name: '@std/async',
    modules: ['@std/async', '@std/async/delay', 'jsr:@std/async'],
    verifiedWith: '0.134.0',
    exports: { delay: SLEEP },
    types: {},
  },
  {
    name: 'bluebird',
    modules: ['bluebird'],
    verifiedWith: '3.7.2',
    replacesPromise: true,
    exports: bluebird.exports,
    types: { Namespace: bluebird.namespace },
  },
  {
    name: 'radash',
    modules: ['radash'],
    verifiedWith: '12.1.1',
    exports: radash.exports,
    types: { Namespace: radash.namespace },
  },
  {
    name: 'es-toolkit',
    modules: ['es-toolkit', 'es-toolkit/promise'],
    verifiedWith: '1.53.2',
    exports: esToolkit.exports,
    types: { Namespace: esToolkit.namespace },
  },
  {
    name: 'sleep',
    modules: ['sleep'],
    verifiedWith: '6.3.0',
    exports: sleepPackage.exports,
    types: { Namespace: sleepPackage.namespace },
  },
  {
    name: 'bun',
    modules: ['bun'],
    verifiedWith: '1.4.5',
    exports: bun.exports,
    types: { Namespace: bun.namespace },
  },
];
