import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { SetUp } from '../../src/proof/case.ts';
import { createMachineWatch } from '../../src/proof/harness/machine-watch.ts';
import { measure } from '../../src/proof/harness/measure.ts';
import { openLoop } from '../../src/proof/harness/open-loop.ts';
import { endedAfter, TooLong } from '../../src/proof/harness/plan.ts';
import { createTrace } from '../../src/proof/harness/trace.ts';
import { isNoisy, verdictOf } from '../../src/proof/harness/verdict.ts';
import type { Arrangement, Measurement, TimedMeasurement } from '../../src/proof/result.ts';
import { quietMachine, setUpOf } from '../fakes/benchmarks.ts';

const run = async (
  variant: string,
  { arrangement = 'written' as Arrangement, leftMs = 60_000 } = {},
) => {
  const trace = createTrace();
  const set: SetUp = await setUpOf(variant, { sleepMs: 12 }, trace);
  return measure(set, arrangement, {
    deadline: { leftMs: () => leftMs, limitMs: leftMs },
    quiet: { sample: async () => {}, result: () => quietMachine },
    trace,
    sliceMs: 20,
    isBrief: variant !== 'sleeps',
    onProgress() {},
  });
};
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

  it('sees an unrelated call wait for the work beside it', async () => {
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

  it('says which limit it needs when its time is too short', async () => {
    await rejects(run('sleeps', { leftMs: 100 }), (error) => {
      ok(error instanceof TooLong);
      ok(/^6 pairs of slices do not fit 0\.1 s; --max-seconds \d+ allows/.test(error.message));
      return true;
    });
  });

  it('names no limit that nobody may set', () => {
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
  const busy = { ...quietMachine, isBusy: true };

  it('needs an interval beside 1 and a gain of 5 %', () => {
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

  it('is none when the machine is busy and the numbers disagree', () => {
    const wide = measurement({ low: 1.2, high: 2.4 });
    const noisy = measurement({ byMedian: 2 });
    deepStrictEqual(
      [wide, noisy, measurement({})].map((it) => verdictOf(it, busy)),
      ['machine-busy', 'machine-busy', 'slower'],
    );
    deepStrictEqual(
      [wide, noisy].map((it) => verdictOf(it, quietMachine)),
      ['slower', 'slower'],
    );
    deepStrictEqual(
      [wide, noisy, measurement({})].map((it) => isNoisy(it, quietMachine)),
      [true, true, false],
    );
    ok(isNoisy(measurement({}), busy));
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

  it('stands on a busy machine when the time that is lost is always the same', () => {
    const steady = measurement({ low: 1.2, high: 2.4 }, [98, 101]);
    const inverted = measurement({ low: 0.2, high: 0.4, value: 0.3, byMedian: 0.3 }, [-101, -98]);
    const either = measurement({ low: 0.5, high: 2.4 }, [-1, 1]);
    deepStrictEqual(
      [steady, inverted, either].map((it) => verdictOf(it, busy)),
      ['slower', 'faster', 'machine-busy'],
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
