import { undisturbedRatio } from '../bounds.ts';
import type { LatencySetUp } from '../case.ts';
import type { TimedMeasurement } from '../result.ts';
import { createArmRun, createLoopMeter, recordOf, sideOf } from './arm-run.ts';
import { compared } from './comparison.ts';
import { lookAround, runPairs, type Instruments } from './plan.ts';

/** Iterations of both arms in turn, in pairs of slices of equal time; what comes before the first slice is dropped. */
export async function measureLatency(
  set: LatencySetUp,
  instruments: Instruments,
): Promise<TimedMeasurement> {
  const sides = {
    flagged: await sideFor(set.flagged, instruments),
    mended: await sideFor(set.mended, instruments),
  };
  const pairs = await runPairs(sides, instruments, {
    between: () => lookAround(instruments),
    undisturbed: () => undisturbedRatio(sides.flagged.operations(), sides.mended.operations()),
  });
  const flagged = sides.flagged.result();
  const mended = sides.mended.result();
  return compared('time per iteration', { flagged, mended }, pairs);
}

async function sideFor(arm: LatencySetUp['flagged'], { trace, sliceMs }: Instruments) {
  const run = createArmRun(arm);
  const meter = createLoopMeter();
  const sampleMs = await run.warmUp(sliceMs / 2);
  const iterationMs = sampleMs / (arm.iterationsPerSample ?? 1);
  const recording = await recordOf(arm, trace, { iterationMs, isConcurrent: false });
  return {
    // The last sample begins before the slice is over.
    expectedMs: (ms: number) => Math.ceil(ms / sampleMs) * sampleMs,
    async slice(ms: number) {
      meter.begin();
      const perIterationMs = await run.slice(ms);
      meter.end();
      return perIterationMs;
    },
    operations: () => run.sampler.distribution(),
    result: () => sideOf(arm.label, run, meter, recording),
  };
}
