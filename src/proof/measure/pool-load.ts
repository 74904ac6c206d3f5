import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createLoopMeter } from '../harness/arm-run.ts';
import { createSampler, type Sampler } from '../harness/statistics.ts';
import type { PoolTestRow } from './results.ts';

const QUEUE_EVERY_MS = 5;

export interface Load {
  readonly users: number;
  readonly thinkMs: number;
  /**
   * Between the first requests of two users. With the time between two answers, no user waits longer at the beginning than
   * later, and connections do not work in step, which would make a window's count depend on its edges.
   */
  readonly spacingMs: number;
  readonly warmUpMs: number;
  readonly windowMs: number;
  request(): Promise<unknown>;
  /** Requests that wait for a connection now. */
  queue(): number;
  readonly signal?: AbortSignal | undefined;
  onProgress?(share: number): void;
}

/** A closed loop of users: each asks, waits for the answer, thinks, and asks again. What ends within the window counts. */
export async function runLoad(load: Load): Promise<PoolTestRow['measured']> {
  const { warmUpMs, windowMs, onProgress } = load;
  const allMs = warmUpMs + windowMs;
  const meter = createLoopMeter();
  const crowd = startCrowd(load);
  try {
    await watch(load, crowd, warmUpMs, (ms) => onProgress?.(ms / allMs));
    crowd.isCounting = true;
    meter.begin();
    const { lastedMs, queue } = await watch(load, crowd, windowMs, (ms) =>
      onProgress?.((warmUpMs + ms) / allMs),
    );
    crowd.isCounting = false;
    meter.end();
    const { responses, totalMs } = crowd;
    const { count } = responses;
    return {
      requests: count,
      requestsPerSecond: (1_000 * count) / lastedMs,
      averageMs: totalMs / count,
      p95Ms: responses.distribution().p95Ms,
      peakQueue: Math.max(...queue),
      meanQueue: queue.reduce((sum, it) => sum + it, 0) / queue.length,
      eventLoopUtilization: meter.utilization(),
    };
  } finally {
    await crowd.leave();
  }
}

interface Crowd {
  isCounting: boolean;
  /** Of the requests that ended while they were counted. */
  readonly responses: Sampler;
  readonly totalMs: number;
  /** Of the first request that failed; after it, all users stop. */
  readonly failure: unknown;
  /** Waits for the requests that are under way. */
  leave(): Promise<void>;
}

function startCrowd({ users, thinkMs, spacingMs, request }: Load): Crowd {
  const over = new AbortController();
  // Every user listens.
  setMaxListeners(0, over.signal);
  const pause = (ms: number) => delay(ms, undefined, { signal: over.signal });
  const crowd = {
    isCounting: false,
    responses: createSampler(),
    totalMs: 0,
    failure: undefined as unknown,
    async leave() {
      over.abort();
      await Promise.all(people);
    },
  };
  const user = async (i: number) => {
    await pause(i * spacingMs);
    while (!over.signal.aborted) {
      const start = performance.now();
      await request();
      if (crowd.isCounting) {
        const ms = performance.now() - start;
        crowd.responses.add(ms);
        crowd.totalMs += ms;
      }
      if (thinkMs > 0) await pause(thinkMs);
    }
  };
  const people = Array.from({ length: users }, (_, i) =>
    user(i).catch((error: unknown) => {
      if (!over.signal.aborted) crowd.failure ??= error;
      over.abort();
    }),
  );
  return crowd;
}

/** Lets `ms` pass, and samples the queue meanwhile. Rejects when a request fails, and when it is aborted. */
async function watch(
  { queue, signal }: Load,
  crowd: Crowd,
  ms: number,
  onProgress: (passedMs: number) => void,
): Promise<{ readonly lastedMs: number; readonly queue: readonly number[] }> {
  const start = performance.now();
  const lengths: number[] = [];
  for (let passedMs = 0; passedMs < ms; passedMs = performance.now() - start) {
    onProgress(passedMs);
    await delay(Math.min(QUEUE_EVERY_MS, ms - passedMs), undefined, { signal });
    if (crowd.failure !== undefined) throw crowd.failure;
    lengths.push(queue());
  }
  return { lastedMs: performance.now() - start, queue: lengths };
}
