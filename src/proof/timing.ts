import { setTimeout as nap } from 'node:timers/promises';
import type { MachineValues, Trace } from './case.ts';
import { queryOf, type SqlPool } from './drivers/index.ts';

/** How much later than asked a timer fires, where it was not measured: on a quiet machine of one's own. */
const TIMER_LATE_MS = 0.2;

/** A query on loopback, where none was measured. */
const LOOPBACK_MS = 0.1;

/** A request on loopback, where none was measured: the client, the server and its timer. */
const REQUEST_MS = 1;

/** What the server's own sleep takes beyond what was asked, in whole milliseconds, where it was not measured. */
const SERVER_LATE_MS = 0.3;

/** What an estimate takes for the measured times in a formula. */
export const ASSUMED_MS: Readonly<Record<string, number>> = {
  roundTripMs: LOOPBACK_MS,
  queryMs: LOOPBACK_MS,
  requestMs: REQUEST_MS,
};

/** Long enough to be one of its kind, short enough to be asked often. */
const PROBED_PAUSE_MS = 10;
const PROBED_PAUSES = 3;
const PROBED_QUERY_MS = 1;

/** A sleep that the timeline shows as a sleep. */
export function sleepOf(trace: Trace): (ms: number) => Promise<unknown> {
  return (ms) => trace.dead('sleep', () => nap(ms));
}

type Waits = Partial<Pick<MachineValues, 'roundTripMs' | 'serverLateMs'>>;

/** The time of `queryOf(ms)` at the driver, behind a network whose round trip takes `networkMs`. */
export function queryMs(
  ms: number,
  { roundTripMs = LOOPBACK_MS, serverLateMs = SERVER_LATE_MS }: Waits,
  networkMs = 0,
): number {
  const wayMs = networkMs + roundTripMs;
  return ms > 0 ? Math.ceil(ms) + serverLateMs + wayMs : wayMs;
}

/** The time of an HTTP request to a service that works `ms` on its answer. */
export function requestMs(ms: number, { requestMs = REQUEST_MS }: MachineValues): number {
  return ms + requestMs;
}

/** The time of a sleep of `ms`, with the additional time of the next query. */
export function napMs(
  ms: number,
  { timerLateMs = TIMER_LATE_MS, resumeMs = 0 }: MachineValues,
): number {
  return ms + timerLateMs + resumeMs;
}

/** How long a piece of work is repeated before its mean is taken, and for it: short, because it is asked for often. */
const WARM_UP_MS = 3;
const SAMPLED_MS = 20;

/**
 * The mean time that `work` takes, once warm. The mean, because closed forms add such times up:
 * of skewed ones, like those of a disk, the median does not add up to what a loop over them takes.
 */
export async function meanMsOf(work: () => Promise<unknown>): Promise<number> {
  await repeated(work, WARM_UP_MS);
  return repeated(work, SAMPLED_MS);
}

/** The mean time of `size` concurrent pieces of work, until the last one is done. */
export function meanBunchMsOf(size: number, work: () => Promise<unknown>): Promise<number> {
  return meanMsOf(() => Promise.all(Array.from({ length: size }, work)));
}

/** What each of `size` concurrent pieces of work adds to the time of one, where all of them take `bunchMs`. */
export function besideMsOf(size: number, aloneMs: number, bunchMs: number): number {
  return size > 1 ? Math.max(0, bunchMs - aloneMs) / (size - 1) : 0;
}

/** The mean time of one piece of work with `size` of them under way. */
export async function meanMsAmong(size: number, work: () => Promise<unknown>): Promise<number> {
  let sumMs = 0;
  let count = 0;
  await meanBunchMsOf(size, async () => {
    const start = performance.now();
    await work();
    sumMs += performance.now() - start;
    count++;
  });
  return sumMs / count;
}

async function repeated(work: () => Promise<unknown>, forMs: number): Promise<number> {
  const start = performance.now();
  for (let runs = 1; ; runs++) {
    await work();
    const lastedMs = performance.now() - start;
    if (lastedMs >= forMs) return lastedMs / runs;
  }
}

type Measured<Name extends keyof MachineValues> = Promise<Required<Pick<MachineValues, Name>>>;

/** The way to the database and back by the case's own driver, without its network, and how late sleeps end there. */
export async function measuredWaits(
  pool: SqlPool,
  networkMs = 0,
): Measured<'roundTripMs' | 'serverLateMs'> {
  const wayMs = await meanMsOf(() => pool.query('SELECT 1'));
  const probe = queryOf(pool.kind, PROBED_QUERY_MS);
  const sleptMs = await meanMsOf(() => pool.query(probe));
  return {
    roundTripMs: beyond(networkMs, wayMs),
    serverLateMs: beyond(PROBED_QUERY_MS, sleptMs - wayMs),
  };
}

/** The part of a measured time that a parameter of the case does not set. */
export function beyond(setMs: number, measuredMs: number): number {
  return Math.max(0, measuredMs - setMs);
}

/** The same for queries that share the machine: `each` has the mean time of one query among them. */
export async function measuredWaitsAmong(
  pool: SqlPool,
  serverMs: number,
  each: (query: () => Promise<unknown>) => Promise<number>,
): Promise<Waits> {
  const roundTripMs = await each(() => pool.query('SELECT 1'));
  if (serverMs <= 0) return { roundTripMs };
  const sleptMs = await each(() => pool.query(queryOf(pool.kind, serverMs)));
  return { roundTripMs, serverLateMs: beyond(Math.ceil(serverMs), sleptMs - roundTripMs) };
}

/** The time of `text`, and the addition of a pause before it: its timer is late, and caches and cores have gone cold. */
export async function measuredPause(
  pool: SqlPool,
  text = 'SELECT 1',
): Measured<'queryMs' | 'timerLateMs' | 'resumeMs'> {
  const queryMs = await meanMsOf(() => pool.query(text));
  let napped = 0;
  let asked = 0;
  for (let i = 0; i < PROBED_PAUSES; i++) {
    const start = performance.now();
    await nap(PROBED_PAUSE_MS);
    const woken = performance.now();
    await pool.query(text);
    napped += woken - start;
    asked += performance.now() - woken;
  }
  return {
    queryMs,
    timerLateMs: napped / PROBED_PAUSES - PROBED_PAUSE_MS,
    resumeMs: asked / PROBED_PAUSES - queryMs,
  };
}
