import type { RecordedEntry } from './line-comparison.ts';
import { type EntryKind, timesOf } from './recording.ts';

/**
 * What an entry gains, in milliseconds on average, when the reads that are proved independent run together and the pauses with a finding are
 * left out. Estimated from measured times: as if the pool had a connection for each read, and the database answered as fast as before.
 */
export function gainMsOf({ entry, recording }: RecordedEntry): number {
  const gains = entry.sites.map(({ site: i, exclusiveMs, sequence }) => {
    if (sequence) return sequence.totalMs - sequence.togetherMs;
    const site = recording.sites[i];
    return site?.kind === 'sleep' && site.rules.length > 0 ? exclusiveMs : 0;
  });
  return gains.reduce((sum, ms) => sum + ms, 0) / Math.max(entry.count, 1);
}

/** How many iterations a second a loop has at most, which runs one at a time or as many as it ran here. */
export interface Ceiling {
  /** With as many pauses as here. */
  readonly perSecond: number;
  /** Without them; estimated. */
  readonly withoutPauses: number;
}

/** Pauses of less than this share of the time change little. */
const LEAST_PAUSES = 0.05;

/** Undefined where no loop of a worker sleeps. */
export function ceilingOf(entry: EntryKind): Ceiling | undefined {
  const { kind, time, parts, busyMs, count } = entry;
  if (kind !== 'worker' || count === 0) return undefined;
  if (parts.asleepMs < LEAST_PAUSES * time.totalMs) return undefined;
  const [eachMs, awakeMs] = [time.totalMs, time.totalMs - parts.asleepMs].map((it) => it / count);
  // Several may run at the same time.
  const concurrent = Math.max(1, (eachMs! * timesOf(entry)) / Math.max(busyMs, 1));
  return {
    perSecond: (1_000 * concurrent) / eachMs!,
    withoutPauses: (1_000 * concurrent) / Math.max(awakeMs!, SHORTEST_MS),
  };
}

/** What the clock can distinguish from nothing. */
const SHORTEST_MS = 0.001;
