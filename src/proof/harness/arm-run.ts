import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import type { Arm } from '../case.ts';
import type { Counter, Side, Span } from '../result.ts';
import { createSampler, type Sampler } from './statistics.ts';
import type { TraceRecorder } from './trace.ts';

/** Counts are exact after any number of iterations, so few will do, and slow ones get fewer. */
const COUNTED_ITERATIONS = 50;
const COUNTED_MS = 200;

/** One arm run again and again; `i` goes on over slices, so that branches keep their period. */
export interface ArmRun {
  /** Runs for about `ms`, at least twice, and forgets it; returns how long one sample takes, in milliseconds. */
  warmUp(ms: number): Promise<number>;
  /** Runs samples until `ms` have passed, at least one; returns the milliseconds per iteration. */
  slice(ms: number): Promise<number>;
  readonly iterations: number;
  readonly spentMs: number;
  readonly sampler: Sampler;
}

export function createArmRun(arm: Pick<Arm, 'iteration' | 'iterationsPerSample'>): ArmRun {
  const { iterationsPerSample = 1 } = arm;
  const sampler = createSampler();
  let next = 0;
  let iterations = 0;
  let spentMs = 0;

  const sample = async () => {
    const start = performance.now();
    for (let n = 0; n < iterationsPerSample; n++) {
      const pending = arm.iteration(next++);
      if (pending) await pending;
    }
    return performance.now() - start;
  };

  return {
    async warmUp(ms) {
      const start = performance.now();
      await sample();
      for (;;) {
        const last = await sample();
        if (performance.now() - start >= ms) return last;
      }
    },
    async slice(ms) {
      const start = performance.now();
      const before = iterations;
      for (;;) {
        sampler.add((await sample()) / iterationsPerSample);
        iterations += iterationsPerSample;
        const lastedMs = performance.now() - start;
        if (lastedMs < ms) continue;
        spentMs += lastedMs;
        return lastedMs / (iterations - before);
      }
    },
    get iterations() {
      return iterations;
    },
    get spentMs() {
      return spentMs;
    },
    sampler,
  };
}

/** How much of the time between `begin` and `end` the event loop had something to do. */
export interface LoopMeter {
  begin(): void;
  end(): void;
  utilization(): number;
}

export function createLoopMeter(): LoopMeter {
  let active = 0;
  let idle = 0;
  let last: EventLoopUtilization | undefined;
  return {
    begin() {
      last = performance.eventLoopUtilization();
    },
    end() {
      const slice = performance.eventLoopUtilization(last);
      active += slice.active;
      idle += slice.idle;
    },
    utilization: () => (active + idle > 0 ? active / (active + idle) : 0),
  };
}

/** What is not timed: exact counts per iteration, and the bars of one run. */
export interface Recording {
  readonly counters: readonly Counter[];
  readonly timeline: readonly Span[];
}

/** `iterationMs` determines how many iterations the counted pass can afford. */
export async function recordOf(
  arm: Omit<Arm, 'label'>,
  trace: TraceRecorder,
  { iterationMs, isConcurrent }: { readonly iterationMs: number; readonly isConcurrent: boolean },
): Promise<Recording> {
  const counters = arm.counters ? await countersOf(arm, arm.counters.bind(arm), iterationMs) : [];
  const { tracedIterations = 1 } = arm;
  const timeline = await trace.record(async () => {
    const all: unknown[] = [];
    for (let i = 0; i < tracedIterations; i++) {
      const pending = arm.iteration(i);
      if (isConcurrent) all.push(pending);
      else if (pending) await pending;
    }
    await Promise.all(all);
  });
  return { counters, timeline };
}

async function countersOf(
  arm: Omit<Arm, 'label'>,
  counters: NonNullable<Arm['counters']>,
  iterationMs: number,
): Promise<readonly Counter[]> {
  const { iterationsPerSample: period = 1 } = arm;
  const affordable = Math.max(1, Math.floor(COUNTED_MS / iterationMs));
  const some = arm.countedIterations ?? Math.min(COUNTED_ITERATIONS, affordable);
  const count = Math.max(1, Math.round(some / period)) * period;
  const before = await counters();
  for (let i = 0; i < count; i++) {
    const pending = arm.iteration(i);
    if (pending) await pending;
  }
  const after = await counters();
  return Object.entries(after).map(([name, total]) => ({
    name,
    per: 'iteration',
    value: (total - (before[name] ?? 0)) / count,
  }));
}

/** The parts of a side that every timed measurement has. */
export function sideOf(
  label: string,
  run: Pick<ArmRun, 'iterations' | 'spentMs' | 'sampler'>,
  meter: LoopMeter,
  recording: Recording,
): Side {
  const msPerIteration = run.spentMs / run.iterations;
  return {
    label,
    iterations: run.iterations,
    msPerIteration,
    perSecond: 1_000 / msPerIteration,
    operations: run.sampler.distribution(),
    eventLoopUtilization: meter.utilization(),
    counters: recording.counters,
    timeline: recording.timeline,
    gauges: [],
  };
}
