import type { Arm, VictimSetUp } from '../case.ts';
import type { TimedMeasurement } from '../result.ts';
import { createArmRun, createLoopMeter, recordOf, sideOf } from './arm-run.ts';
import { openLoop } from './open-loop.ts';
import { compared } from './comparison.ts';
import { lookAround, runPairs, type Instruments } from './plan.ts';
import { createSampler, medianOf } from './statistics.ts';

/** Fewer calls in a slice have no median worth comparing. */
const FEWEST_CALLS = 8;

/** The work of both arms in turn, with a concurrent, unrelated call at a fixed pace: its latency is the result. */
export async function measureVictim(
  set: VictimSetUp,
  instruments: Instruments,
): Promise<TimedMeasurement> {
  const sides = {
    flagged: await sideFor(set.flagged, set.victim, instruments),
    mended: await sideFor(set.mended, set.victim, instruments),
  };
  const pairs = await runPairs(sides, instruments, { between: () => lookAround(instruments) });
  const flagged = sides.flagged.result();
  const mended = sides.mended.result();
  return compared('latency', { flagged, mended }, pairs);
}

async function sideFor(arm: Arm, victim: VictimSetUp['victim'], instruments: Instruments) {
  const work = createArmRun(arm);
  const latencies = createSampler();
  const meter = createLoopMeter();
  const workMs = await work.warmUp(0);
  const recording = await recordOf(arm, instruments.trace, {
    iterationMs: workMs,
    isConcurrent: false,
  });
  const lasting = (ms: number) => Math.max(ms, FEWEST_CALLS * victim.everyMs);
  return {
    expectedMs: (ms: number) => Math.ceil(lasting(ms) / workMs) * workMs,
    async slice(ms: number) {
      const sliceMs = lasting(ms);
      const times: number[] = [];
      meter.begin();
      await Promise.all([
        work.slice(sliceMs),
        openLoop(
          () => victim.call(),
          victim.everyMs,
          sliceMs,
          (latencyMs) => times.push(latencyMs),
        ),
      ]);
      meter.end();
      times.forEach((it) => latencies.add(it));
      return medianOf(times);
    },
    result: () => sideOf(arm.label, { ...work, sampler: latencies }, meter, recording),
  };
}
