import { poolAdviceOf } from '../runtime/pool-advice.ts';
import { type Database, type Pool, type Recording, timesOf } from '../runtime/recording.ts';
import { counted, withCommas } from './counts.ts';
import { LONG_OPEN_MS, placeText, rateText, shareText, timeText } from './run-texts.ts';

/** What all entries of a program share, a line each: its pools, its databases, the event loop and the thread pool. */
export function resourcesText(recording: Recording): readonly string[] {
  const { pools, databases, eventLoop, threadPool, durationMs } = recording;
  const { lagP99Ms, lagMaxMs, utilisation } = eventLoop;
  return [
    ...pools.map((it) => poolText(it, recording)),
    ...databases.map((it) => databaseText(it, durationMs)),
    `event loop   busy ${Math.round(100 * utilisation)} % of the time   lag p99 ${timeText(lagP99Ms)}, at most ${timeText(lagMaxMs)}`,
    `thread pool   queue p50 ${timeText(threadPool.p50Ms)}, p95 ${timeText(threadPool.p95Ms)}, at most ${timeText(threadPool.maxMs)}`,
  ];
}

function poolText(pool: Pool, recording: Recording): string {
  const { driver, at, size, mostHeld, mostWaiting, wait, hold, idleHoldMs, open } = pool;
  const checkouts = timesOf({ ...pool, count: wait.count });
  const name = `${driver} pool${size === undefined ? '' : ` of ${size}`}${at ? ` (${placeText(at)})` : ''}`;
  const leaked =
    open > 0 && pool.oldestOpenMs !== undefined && pool.oldestOpenMs > LONG_OPEN_MS
      ? `; ${counted(open, 'connection')} not released, the oldest for ${timeText(pool.oldestOpenMs)}`
      : '';
  const held = `held ${timeText(hold.totalMs / Math.max(hold.count, 1))} each, ${shareText(idleHoldMs, hold.totalMs)} of it without a statement`;
  return [
    name,
    `${withCommas(checkouts)} checkouts`,
    `wait p50 ${timeText(wait.p50Ms)}, p95 ${timeText(wait.p95Ms)}`,
    `at most ${mostHeld} held, ${mostWaiting} waiting`,
    `${held}${leaked}`,
    ...[adviceText(pool, recording)].filter((it) => it !== ''),
  ].join('   ');
}

/** Where calls waited, the size with which hardly any would have; empty where there is none. */
export function adviceText(pool: Pool, recording: Recording): string {
  const advice = poolAdviceOf(pool, recording);
  if (!advice) return '';
  const { size, clients, betweenMs } = advice;
  const whose = `${counted(Math.round(clients), 'client')} with ${timeText(betweenMs)} between checkouts`;
  return `a pool of ${withCommas(size)} would be enough for ${whose}, if the database stays as fast (estimated)`;
}

function databaseText({ driver, ...database }: Database, durationMs: number): string {
  const { statements, time, rejected } = database;
  return [
    driver,
    `${counted(statements, 'statement')} (${rateText(statements, durationMs)} a second)`,
    `p50 ${timeText(time.p50Ms)}, p95 ${timeText(time.p95Ms)}`,
    ...commitsText(database, durationMs),
    ...(rejected > 0 ? [`${withCommas(rejected)} rejected`] : []),
  ].join('   ');
}

function commitsText(
  { commits }: Pick<Database, 'commits'>,
  durationMs: number,
): readonly string[] {
  return commits === undefined
    ? []
    : [`${counted(commits, 'commit')} (${rateText(commits, durationMs)} a second)`];
}
