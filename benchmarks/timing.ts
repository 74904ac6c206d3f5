import { setTimeout as nap } from 'node:timers/promises';
import type { MachineValues, Trace } from './case.ts';
import type { SqlPool } from './drivers/index.ts';

/** How much later than asked a timer fires on a quiet machine. */
export const TIMER_LATE_MS = 0.2;

/** A query on loopback, where none was measured. */
const LOOPBACK_MS = 0.1;

/** What the server's own sleep takes beyond what was asked: it counts in whole milliseconds. */
const SERVER_LATE_MS = 0.3;

/** A sleep that shows in the timeline as what it is. */
export function sleepOf(trace: Trace): (ms: number) => Promise<unknown> {
  return (ms) => trace.dead('sleep', () => nap(ms));
}

/** What `queryOf(ms)` takes as the driver sees it. */
export function queryMs(ms: number, { roundTripMs = LOOPBACK_MS }: MachineValues): number {
  return ms > 0 ? Math.ceil(ms) + SERVER_LATE_MS + roundTripMs : roundTripMs;
}

/** How long a piece of work is repeated before its mean is taken, and for it. */
const WARM_UP_MS = 30;
const SAMPLED_MS = 120;

/**
 * The mean time that `work` takes, once warm. The mean, because closed forms add such times up:
 * of skewed ones, like those of a disk, the median does not add up to what a loop over them takes.
 */
export async function meanMsOf(work: () => Promise<unknown>): Promise<number> {
  await repeated(work, WARM_UP_MS);
  return repeated(work, SAMPLED_MS);
}

async function repeated(work: () => Promise<unknown>, forMs: number): Promise<number> {
  const start = performance.now();
  for (let runs = 1; ; runs++) {
    await work();
    const lastedMs = performance.now() - start;
    if (lastedMs >= forMs) return lastedMs / runs;
  }
}

/** The way to the database and back, by the case's own driver and network. */
export async function measuredRoundTrip(pool: SqlPool): Promise<{ readonly roundTripMs: number }> {
  return { roundTripMs: await meanMsOf(() => pool.query('SELECT 1')) };
}
