import { deepStrictEqual } from 'node:assert/strict';
import { inMemory } from '../../src/proof/cases/no-yield-per-iteration.ts';
import type { LatencySetUp, Trace } from '../../src/proof/case.ts';

describe('the benchmark of no-yield-per-iteration', () => {
  it('yields on each iteration, and once every so many', async () => {
    const set = await inMemory.setUp({
      parameters: { how: 'setImmediate', every: 4 },
      database: () => Promise.reject(new Error('it needs none')),
      trace,
      signal: new AbortController().signal,
    });
    const { flagged, mended } = set as LatencySetUp;
    const yieldsOf = async ({ iteration }: typeof flagged) => {
      yields = 0;
      for (let i = 0; i < 8; i++) await iteration(i);
      return yields;
    };
    deepStrictEqual([await yieldsOf(flagged), await yieldsOf(mended)], [8, 2]);
    await set.close();
  });

  it('takes its parameters from evidence of work in memory', () => {
    const evidence = { how: 'setTimeout', every: 128, step: 'sum()' };
    deepStrictEqual(inMemory.parametersOf({ ...evidence, body: 'memory' }), {
      how: 'setTimeout',
      every: 128,
    });
    deepStrictEqual(inMemory.parametersOf({ ...evidence, body: 'io' }), undefined);
  });
});

let yields = 0;
const trace: Trace = {
  call: (_, work) => work(),
  dead(_, work) {
    yields++;
    return work();
  },
  ready() {},
};
