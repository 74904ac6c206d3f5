import type { RecordedEntry } from './line-comparison.ts';

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
