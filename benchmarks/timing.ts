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

/** The median of the times that `work` takes, after as many runs that do not count. */
export async function medianMsOf(work: () => Promise<unknown>, runs = 50): Promise<number> {
  const times: number[] = [];
  for (let i = -runs; i < runs; i++) {
    const start = performance.now();
    await work();
    if (i >= 0) times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[runs >> 1]!;
}

/** The way to the database and back, by the case's own driver and network. */
export async function measuredRoundTrip(pool: SqlPool): Promise<{ readonly roundTripMs: number }> {
  return { roundTripMs: await medianMsOf(() => pool.query('SELECT 1')) };
}
