import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { SetUp } from '../../src/proof/case.ts';
import { createMachineWatch } from '../../src/proof/harness/machine-watch.ts';
import { measure } from '../../src/proof/harness/measure.ts';
import { openLoop } from '../../src/proof/harness/open-loop.ts';
import { endedAfter, TooLong } from '../../src/proof/harness/plan.ts';
import { createTrace } from '../../src/proof/harness/trace.ts';
import { isDecided, isNoisy, verdictOf } from '../../src/proof/harness/verdict.ts';
import type { Arrangement, Measurement, TimedMeasurement } from '../../src/proof/result.ts';
import { quietMachine, setUpOf } from '../fakes/benchmarks.ts';

const run = async (
  variant: string,
  { arrangement = 'written' as Arrangement, leftMs = 60_000, quiet = quietMachine } = {},
) => {
  const trace = createTrace();
  const set: SetUp = await setUpOf(variant, { sleepMs: 12 }, trace);
  return measure(set, arrangement, {
    deadline: { leftMs: () => leftMs, limitMs: leftMs },
    quiet: { sample: async () => {}, result: () => quiet },
    trace,
    sliceMs: 20,
    isBrief: variant !== 'sleeps',
    onProgress() {},
  });
};
const busyMachine = { ...quietMachine, isBusy: true };
const timed = (measurement: Measurement) => measurement as TimedMeasurement;

describe('measuring', () => {
  it('times iterations in turns, counts exactly, and draws one run', async () => {
    const { ratio, flagged, mended, deadMs } = timed(await run('sleeps'));
    strictEqual(ratio.pairs.length, 15);
    ok(ratio.low > 1);
    ok(flagged.msPerIteration > 10 && deadMs > 0);
    strictEqual(flagged.operations.count, flagged.iterations);
    ok(mended.iterations > flagged.iterations);
    deepStrictEqual(flagged.counters, [{ name: 'sleeps', per: 'iteration', value: 1 }]);
    deepStrictEqual(
      flagged.timeline.map(({ label, kind, startMs, endMs }) => [label, kind, endMs > startMs]),
      [['sleep', 'dead', true]],
    );
  });

  it('sees a crowd wait for a small pool', async () => {
    const { ratio, flagged, mended, compares } = timed(await run('crowded'));
    strictEqual(compares, 'throughput');
    // The worst of six windows as short as these is the scheduler's.
    ok(ratio.value > 1);
    ok(flagged.perSecond < mended.perSecond);
    deepStrictEqual(
      flagged.gauges.map(({ name, peak }) => [name, peak]),
      [['waiting', 7]],
    );
    ok(flagged.openLoop!.responses.count > 0);
    strictEqual(flagged.openLoop!.perSecond, mended.openLoop!.perSecond);
  });

  it('sees an unrelated call wait for concurrent work', async () => {
    const { ratio, compares, flagged } = timed(await run('starves'));
    strictEqual(compares, 'latency');
    ok(ratio.value > 1);
    ok(flagged.operations.medianMs > 5);
  });

  it('takes a count for what it is', async () => {
    const measurement = await run('counts');
    strictEqual(verdictOf(measurement, { ...quietMachine, isBusy: true }), 'slower');
    deepStrictEqual(
      measurement.kind === 'counted' && [measurement.flagged.text, measurement.mended.text],
      ['request 51 failed', 'none failed'],
    );
    const verdicts = await Promise.all(
      (['swapped', 'mended'] as const).map(async (arrangement) =>
        verdictOf(await run('counts', { arrangement }), quietMachine),
      ),
    );
    deepStrictEqual(verdicts, ['faster', 'no-difference']);
  });

  it('turns round when the sides are swapped', async () => {
    const { ratio } = timed(await run('sleeps', { arrangement: 'swapped' }));
    ok(ratio.high < 1);
  });

  it('ends on a busy machine as soon as the bound decides', async () => {
    const { ratio } = timed(await run('sleeps', { quiet: busyMachine }));
    strictEqual(ratio.confidence, 0.95);
    ok(ratio.pairs.length >= 8 && ratio.low > 1);
  });

  it('names the limit that it needs on a busy machine, too', async () => {
    await rejects(run('sleeps', { quiet: busyMachine, leftMs: 1 }), /8 pairs of slices do not fit/);
  });

  it('names the limit that it needs when its time is too short', async () => {
    await rejects(run('sleeps', { leftMs: 100 }), (error) => {
      ok(error instanceof TooLong);
      ok(/^6 pairs of slices do not fit 0\.1 s; --max-seconds \d+ allows/.test(error.message));
      return true;
    });
  });

  it('names no limit above the allowed one', () => {
    const { neededSeconds, message } = new TooLong(3_600_000, 3_700);
    strictEqual(neededSeconds, undefined);
    strictEqual(
      message,
      '6 pairs of slices do not fit 3600 s; they need 3700 s, and one benchmark may take at most 3600 s',
    );
    deepStrictEqual(
      [endedAfter(2_000), endedAfter(3_600)],
      [
        {
          neededSeconds: 3_600,
          message: 'it was stopped after 2000 s; --max-seconds 3600 allows more time',
        },
        { message: 'it was stopped after 3600 s, the limit of one benchmark' },
      ],
    );
  });
});

describe('the verdict', () => {
  const ratio = { value: 1.3, low: 1.2, high: 1.4, confidence: 0.969, pairs: [], byMedian: 1.3 };
  const measurement = (
    changes: Partial<typeof ratio>,
    deadRangeMs: readonly [number, number] = [1, 2],
  ): Measurement =>
    ({ kind: 'timed', deadRangeMs, ratio: { ...ratio, ...changes } }) as unknown as Measurement;
  const busy = busyMachine;

  it('needs an interval without 1 and a gain of 5 %', () => {
    const verdicts = [
      measurement({}),
      measurement({ low: 0.99 }),
      measurement({ value: 1.04, low: 1.01, high: 1.06 }),
      measurement({ value: 0.5, low: 0.4, high: 0.6, byMedian: 0.5 }),
      measurement({ value: 0.98, low: 0.97, high: 0.99 }),
    ].map((it) => verdictOf(it, quietMachine));
    deepStrictEqual(verdicts, [
      'slower',
      'no-difference',
      'no-difference',
      'faster',
      'no-difference',
    ]);
  });

  it('comes from the bound when the machine is busy', () => {
    const verdicts = [
      measurement({ low: 1.2, high: 9 }),
      measurement({ low: 1.19, high: 9 }),
      measurement({ value: 0.3, low: 0.1, high: 0.83, byMedian: 0.3 }),
      measurement({ value: 1, low: 0.92, high: 1.08, byMedian: 1 }),
      measurement({ value: 1, low: 0.92, high: 1.2, byMedian: 1 }),
      measurement({ low: -Infinity, high: Infinity }),
    ].map((it) => verdictOf(it, busy));
    deepStrictEqual(verdicts, [
      'slower',
      'machine-busy',
      'faster',
      'no-difference',
      'machine-busy',
      'machine-busy',
    ]);
  });

  it('is none on a busy machine where undisturbed iterations took the same time', () => {
    const side = (p25Ms: number, samplesMs: readonly number[]) => ({
      operations: { p25Ms, samplesMs },
    });
    const slower = (leastMs: number): Measurement =>
      ({
        ...measurement({ value: 3, low: 2.2, high: 9, byMedian: 30 }),
        compares: 'time per iteration',
        flagged: side(3, [3, leastMs, 4]),
        mended: side(0.1, [0.1, 0.09, 3]),
      }) as unknown as Measurement;
    deepStrictEqual(
      [0.1, 0.2].map((it) => verdictOf(slower(it), busy)),
      ['machine-busy', 'slower'],
    );
  });

  it('is none on a busy machine where single operations point the other way', () => {
    const contradicted = [
      measurement({ byMedian: 0.99 }),
      measurement({ value: 0.3, low: 0.2, high: 0.4, byMedian: 1.01 }),
    ];
    deepStrictEqual(
      contradicted.map((it) => verdictOf(it, busy)),
      ['machine-busy', 'machine-busy'],
    );
  });

  it('quotes no ratio where the machine is busy or the numbers disagree', () => {
    const wide = measurement({ low: 1.2, high: 2.4 });
    const noisy = measurement({ byMedian: 2 });
    deepStrictEqual(
      [wide, noisy, measurement({})].map((it) => isNoisy(it, quietMachine)),
      [true, true, false],
    );
    ok(isNoisy(measurement({}), busy));
  });

  it('is decided once its bound is close to the median', () => {
    const decided = [
      { value: 10, low: 8, high: 30 },
      { value: 10, low: 7.9, high: 30 },
      { value: 0.1, low: 0.01, high: 0.12 },
      { value: 0.1, low: 0.01, high: 0.13 },
      { value: 1, low: 0.95, high: 1.05 },
      { value: 1, low: 0.95, high: 1.5 },
    ].map((it) => isDecided(it));
    deepStrictEqual(decided, [true, false, true, false, true, false]);
    ok(!isDecided({ value: 10, low: 8, high: 30 }, { low: 1, high: 30 }));
  });

  it('quotes no ratio to a call that takes less than a millisecond', () => {
    const latency = (medianMs: number): Measurement =>
      ({
        ...measurement({}),
        compares: 'latency',
        flagged: { operations: { medianMs: 20 } },
        mended: { operations: { medianMs } },
      }) as unknown as Measurement;
    deepStrictEqual(
      [0.9, 1].map((it) => isNoisy(latency(it), quietMachine)),
      [true, false],
    );
  });
});

describe('what the machine takes meanwhile', () => {
  it('is the mean of the samples, without the first, which connects and compiles', async () => {
    const queryMs = [90, 1, 2, 6];
    const watch = createMachineWatch({
      ...(await setUpOf('sleeps', { sleepMs: 1 }, createTrace())),
      measure: async () => ({ queryMs: queryMs.shift()! }),
    });
    for (let i = 0; i < 3; i++) await watch.sample();
    strictEqual(watch.values().queryMs, 3);
  });

  it('is the number of cores where a case measures nothing', async () => {
    const { measure: _, ...silent } = await setUpOf('sleeps', { sleepMs: 1 }, createTrace());
    const watch = createMachineWatch(silent);
    await watch.sample();
    deepStrictEqual(watch.values(), { cores: availableParallelism() });
  });
});

describe('the open loop', () => {
  it('counts the time for which a stall kept a call from starting', async () => {
    const times: number[] = [];
    let isStalled = false;
    const call = async (i: number) => {
      if (i === 3 && !isStalled) {
        isStalled = true;
        const end = performance.now() + 100;
        while (performance.now() < end);
      }
      await delay(1);
    };
    await openLoop(call, 10, 150, (ms) => times.push(ms));
    strictEqual(times.length, 15);
    ok(times.filter((ms) => ms > 40).length >= 4);
  });

  it('fails when a call does', async () => {
    const failing = openLoop(
      () => Promise.reject(new Error('refused')),
      5,
      50,
      () => {},
    );
    await rejects(failing, /refused/);
  });
});
