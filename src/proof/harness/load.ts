import { setTimeout as delay } from 'node:timers/promises';
import type { LoadArm, LoadSetUp } from '../case.ts';
import type { Side, TimedMeasurement } from '../result.ts';
import { createLoopMeter, recordOf, sideOf } from './arm-run.ts';
import { compared } from './comparison.ts';
import { openLoop } from './open-loop.ts';
import { machineSample, runPairs, type Instruments, type Pair } from './plan.ts';
import { createSampler, type Sampler } from './statistics.ts';

/** The rate of the open loop, as a part of what the slower side can take: it must not run away. */
const OPEN_LOOP_SHARE = 0.8;
const OPEN_LOOP_SLICES = 2.5;

/** Of a slice: what enters and leaves takes the rest, and a window of whole bunches needs no more. */
const WINDOW_SHARE = 0.75;
const GAUGE_EVERY_MS = 10;

/**
 * Users in a closed loop on one arm, then on the second. The result is the capacity; responses at a fixed rate follow, in an
 * open loop, because users that wait for their answer hide a stall from the clock.
 */
export async function measureLoad(
  set: LoadSetUp,
  instruments: Instruments,
): Promise<TimedMeasurement> {
  const crowds = { flagged: createCrowd(set.flagged, set), mended: createCrowd(set.mended, set) };
  const comingMs = { flagged: await trialMs(crowds.flagged), mended: await trialMs(crowds.mended) };
  await machineSample(instruments);
  const sideFor = (own: Crowd, other: Crowd, comingMs: number) => ({
    // Of two slices in a row, the second neither enters nor leaves.
    expectedMs: (ms: number) => WINDOW_SHARE * ms + comingMs / 2,
    async slice(ms: number) {
      await other.leave();
      await own.enter();
      // Requests per second are better the higher: their inverse is the time per request.
      return own.window(WINDOW_SHARE * ms);
    },
  });
  const openLoopMs = OPEN_LOOP_SLICES * instruments.sliceMs;
  const openLoopsMs = 2 * (openLoopMs + set.requestMs);
  const pairs = await runPairs(
    {
      flagged: sideFor(crowds.flagged, crowds.mended, comingMs.flagged),
      mended: sideFor(crowds.mended, crowds.flagged, comingMs.mended),
    },
    instruments,
    // A crowd stays for two slices: what it leaves of the machine is no measure of it.
    { between: () => instruments.quiet.sample(), wishedMs: openLoopsMs },
  );
  await crowds.flagged.leave();
  await crowds.mended.leave();
  await machineSample(instruments);
  const sides = {
    flagged: await crowds.flagged.side(instruments),
    mended: await crowds.mended.side(instruments),
  };
  // The capacity is the result: its pairs come first where a busy machine leaves too little time for both.
  const hasTime = instruments.deadline.leftMs() > openLoopsMs;
  const { flagged, mended } = hasTime ? await withOpenLoops(set, sides, openLoopMs) : sides;
  return compared('throughput', { flagged, mended }, pairs);
}

/** Warms up, and returns how long entering and leaving take. */
async function trialMs(crowd: Crowd): Promise<number> {
  const start = performance.now();
  await crowd.enter();
  await crowd.leave();
  return performance.now() - start;
}

/** Users who repeat one arm until they are stopped. */
interface Crowd {
  /** Starts the users, spread over one request so that they do not march in step, and lets the queue fill. */
  enter(): Promise<void>;
  /**
   * Milliseconds per request, from the next completion to the first one `ms` later: requests that wait for the same
   * connections end in bunches, and a window between the starts of two bunches holds whole ones.
   */
  window(ms: number): Promise<number>;
  /** Waits for the requests that are under way. */
  leave(): Promise<void>;
  side(instruments: Instruments): Promise<Side>;
}

function createCrowd(arm: LoadArm, { users, thinkMs, requestMs }: LoadSetUp): Crowd {
  const sampler = createSampler();
  const meter = createLoopMeter();
  const gauges = createGauges(arm);
  let people: readonly Promise<void>[] = [];
  const crowd: { stays: boolean; failure?: unknown } = { stays: false };
  let next = 0;
  let onDone: (ms: number) => void = () => {};
  let onFailure: (error: unknown) => void = () => {};
  let iterations = 0;
  let spentMs = 0;

  const user = async (first: number) => {
    await delay(first);
    while (crowd.stays) {
      const start = performance.now();
      await arm.iteration(next++);
      onDone(performance.now() - start);
      if (thinkMs > 0) await delay(thinkMs);
    }
  };

  return {
    async enter() {
      if (crowd.stays) return;
      crowd.stays = true;
      const spreadMs = requestMs + thinkMs;
      people = Array.from({ length: users }, (_, i) =>
        user((i * spreadMs) / users).catch((error: unknown) => {
          crowd.stays = false;
          crowd.failure ??= error ?? new Error('a request failed');
          onFailure(crowd.failure);
        }),
      );
      await delay(spreadMs + requestMs);
    },
    async window(ms) {
      if (crowd.failure !== undefined) throw crowd.failure;
      meter.begin();
      const stopGauges = gauges.begin();
      let startMs: number | undefined;
      let count = 0;
      const lastedMs = await new Promise<number>((resolve, reject) => {
        onFailure = reject;
        onDone = (responseMs) => {
          const now = performance.now();
          if (startMs === undefined) {
            startMs = now;
            return;
          }
          sampler.add(responseMs);
          count++;
          if (now - startMs < ms) return;
          onDone = () => {};
          resolve(now - startMs);
        };
      }).finally(() => {
        onDone = () => {};
        stopGauges();
        meter.end();
      });
      iterations += count;
      spentMs += lastedMs;
      return lastedMs / count;
    },
    async leave() {
      crowd.stays = false;
      await Promise.all(people);
      if (crowd.failure !== undefined) throw crowd.failure;
    },
    async side({ trace }) {
      const recording = await recordOf(arm, trace, { iterationMs: requestMs, isConcurrent: true });
      const run = { iterations, spentMs, sampler };
      return { ...sideOf(arm.label, run, meter, recording), gauges: gauges.result() };
    },
  };
}

function createGauges({ gauges }: LoadArm) {
  const seen = new Map<string, { peak: number; sum: number; count: number }>();
  const look = () => {
    for (const [name, value] of Object.entries(gauges?.() ?? {})) {
      const { peak, sum, count } = seen.get(name) ?? { peak: 0, sum: 0, count: 0 };
      seen.set(name, { peak: Math.max(peak, value), sum: sum + value, count: count + 1 });
    }
  };
  return {
    begin() {
      const timer = setInterval(look, GAUGE_EVERY_MS);
      return () => clearInterval(timer);
    },
    result: () =>
      [...seen].map(([name, { peak, sum, count }]) => ({ name, peak, mean: sum / count })),
  };
}

/** Both sides get the same rate: one that the slower of them can keep up with. */
async function withOpenLoops(
  set: LoadSetUp,
  sides: Pair<Side>,
  forMs: number,
): Promise<Pair<Side>> {
  const capacity = Math.min(sides.flagged.perSecond, sides.mended.perSecond);
  const perSecond = OPEN_LOOP_SHARE * capacity;
  const responsesOf = async (arm: LoadArm) => {
    const sampler: Sampler = createSampler();
    await openLoop(
      (i) => arm.iteration(i),
      1_000 / perSecond,
      forMs,
      (ms) => sampler.add(ms),
    );
    return { perSecond, responses: sampler.distribution() };
  };
  return {
    flagged: { ...sides.flagged, openLoop: await responsesOf(set.flagged) },
    mended: { ...sides.mended, openLoop: await responsesOf(set.mended) },
  };
}
