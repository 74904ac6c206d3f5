import { setTimeout as nap } from 'node:timers/promises';
import type { MachineValues, Trace } from './case.ts';
import { queryOf, type SqlPool } from './drivers/index.ts';

/** How much later than asked a timer fires, where it was not measured: on a quiet machine of one's own. */
const TIMER_LATE_MS = 0.2;

/** A query on loopback, where none was measured. */
const LOOPBACK_MS = 0.1;

/** What the server's own sleep takes beyond what was asked, in whole milliseconds, where it was not measured. */
const SERVER_LATE_MS = 0.3;

/** Long enough to be one of its kind, short enough to be asked often. */
const PROBED_TIMER_MS = 2;
const PROBED_QUERY_MS = 1;

/** A sleep that shows in the timeline as what it is. */
export function sleepOf(trace: Trace): (ms: number) => Promise<unknown> {
  return (ms) => trace.dead('sleep', () => nap(ms));
}

/** What `queryOf(ms)` takes as the driver sees it. */
export function queryMs(
  ms: number,
  { roundTripMs = LOOPBACK_MS, serverLateMs = SERVER_LATE_MS }: MachineValues,
): number {
  return ms > 0 ? Math.ceil(ms) + serverLateMs + roundTripMs : roundTripMs;
}

/** What a sleep of `ms` takes. */
export function napMs(ms: number, { timerLateMs = TIMER_LATE_MS }: MachineValues): number {
  return ms + timerLateMs;
}

/** How long a piece of work is repeated before its mean is taken, and for it. */
const WARM_UP_MS = 15;
const SAMPLED_MS = 60;

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

type Waits = Required<Pick<MachineValues, 'roundTripMs' | 'serverLateMs' | 'timerLateMs'>>;

/** The way to the database and back, by the case's own driver and network, and how late sleeps end, here and there. */
export async function measuredWaits(pool: SqlPool): Promise<Waits> {
  const roundTripMs = await meanMsOf(() => pool.query('SELECT 1'));
  const probe = queryOf(pool.kind, PROBED_QUERY_MS);
  const sleptMs = await meanMsOf(() => pool.query(probe));
  return {
    roundTripMs,
    serverLateMs: Math.max(0, sleptMs - roundTripMs - PROBED_QUERY_MS),
    timerLateMs: Math.max(0, (await meanMsOf(() => nap(PROBED_TIMER_MS))) - PROBED_TIMER_MS),
  };
}
