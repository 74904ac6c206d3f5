import { deepStrictEqual, throws } from 'node:assert/strict';
import type { ParameterSpec } from '../../src/proof/case.ts';
import { parametersFor, type KnownValues } from '../../src/proof/harness/parameters.ts';

const specs: readonly ParameterSpec[] = [
  {
    ...{ name: 'sleepMs', unit: 'ms', default: 20, min: 1, max: 60_000, longest: 400 },
    ...{ description: 'the sleep', source: { kind: 'assumed' } },
  },
  {
    ...{ name: 'max', unit: 'count', default: 10, min: 1, max: 100 },
    ...{ description: 'the pool', source: { kind: 'default', verified: 'pg-pool 3.14.0' } },
  },
  {
    ...{ name: 'how', unit: 'word', default: 'timer', words: ['timer', 'turn'] },
    ...{ description: 'the yield', source: { kind: 'assumed' } },
  },
];

const known = (values: KnownValues, maxSeconds = 5) =>
  parametersFor(specs, values, { maxSeconds }).map(({ name, value, source, note = '' }) =>
    [name, value, source, note].join(' ').trim(),
  );

describe('parameters', () => {
  it('takes what the user set, then the code, then the server or the profile, then the default', () => {
    deepStrictEqual(known({}), [
      'sleepMs 20 assumed',
      'max 10 default pg-pool 3.14.0',
      'how timer assumed',
    ]);
    const profile = { values: { sleepMs: 3 }, note: 'measured yesterday' };
    deepStrictEqual(known({ profile })[0], 'sleepMs 3 profile measured yesterday');
    deepStrictEqual(known({ profile, code: { sleepMs: 4 } })[0], 'sleepMs 4 code');
    const server = { values: { sleepMs: 0 }, note: 'as it is' };
    deepStrictEqual(known({ profile, server })[0], 'sleepMs 0 default as it is');
    deepStrictEqual(known({ server, code: { sleepMs: 4 } })[0], 'sleepMs 4 code');
    deepStrictEqual(
      known({ profile, code: { sleepMs: 4 }, set: { sleepMs: '5.5' } })[0],
      'sleepMs 5.5 set',
    );
  });

  it('runs what does not fit as near as it can, and says so', () => {
    deepStrictEqual(known({ code: { sleepMs: 5_000, max: 500, how: 'microtask' } }), [
      'sleepMs 400 code the code has 5000; --max-seconds 63 runs it unchanged',
      'max 100 code the code has 500',
      'how timer code the code has microtask, without its own benchmark',
    ]);
    deepStrictEqual(known({ code: { sleepMs: 5_000 } }, 63)[0], 'sleepMs 5000 code');
    // An hour is the most that a benchmark gets.
    deepStrictEqual(
      known({ code: { sleepMs: 500_000 } })[0],
      'sleepMs 400 code the code has 500000',
    );
  });

  it('runs a profile of a far network as near as it can, too', () => {
    const profile = { values: { sleepMs: 800 }, note: 'measured yesterday' };
    deepStrictEqual(
      known({ profile })[0],
      'sleepMs 400 profile measured yesterday; the profile has 800; --max-seconds 10 runs it unchanged',
    );
  });

  it('refuses names and values that the case does not take', () => {
    const refused = (set: Readonly<Record<string, string>>, message: string) =>
      throws(() => known({ set }), { message });
    refused({ pause: '3' }, 'This benchmark has no parameter "pause". It has sleepMs, max, how.');
    for (const text of ['-1', '0', '', 'fast', 'NaN', 'Infinity']) {
      refused({ sleepMs: text }, `sleepMs is a number from 1 to 60000 ms, not ${text || 'empty'}.`);
    }
    refused({ max: '2.5' }, 'max is a whole number from 1 to 100, not 2.5.');
    refused({ how: 'nap' }, 'how is one of timer, turn, not nap.');
  });
});
