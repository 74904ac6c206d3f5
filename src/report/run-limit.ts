import { deadMsOf } from '../runtime/parts.ts';
import type { EntryKind, EntrySite, Recording, Site } from '../runtime/recording.ts';
import { nounOf, titleOf } from './run.ts';
import { placeText, timeText } from './run-texts.ts';
import { visible } from './visible.ts';

/** One line for each kind of entry whose dead time is more than `limitMs` on average, with the line that has most of it. */
export function overLimit(recording: Recording, limitMs: number): readonly string[] {
  return recording.entries.flatMap((entry) => {
    const eachMs = deadMsOf(entry.parts) / Math.max(entry.count, 1);
    if (eachMs <= limitMs) return [];
    return [
      `${titleOf(entry)} has ${timeText(eachMs)} of dead time per ${nounOf(entry)}, more than ${timeText(limitMs)}${mostText(entry, recording)}`,
    ];
  });
}

function mostText(entry: EntryKind, { sites }: Recording): string {
  const [most] = entry.sites
    .flatMap((it) => {
      const site = sites[it.site];
      return site ? [{ site, ms: deadMsAt(it, site) }] : [];
    })
    .filter(({ ms }) => ms > 0)
    .sort((a, b) => b.ms - a.ms);
  if (!most) return '';
  const { at, code, rules } = most.site;
  const rule = rules.length > 0 ? `, ${rules.join(', ')}` : '';
  return `; most of it at ${placeText(at)} (${visible(code)}${rule})`;
}

/** Within the entries of one kind; the waits for a connection are those of all kinds, in proportion. */
function deadMsAt({ count, exclusiveMs, sequence }: EntrySite, site: Site): number {
  const isPause = site.kind === 'sleep' || site.kind === 'yield';
  const inSequenceMs = sequence ? sequence.totalMs - sequence.togetherMs : 0;
  const poolMs = ((site.driver?.pool?.totalMs ?? 0) * count) / Math.max(site.count, 1);
  return (isPause ? exclusiveMs : 0) + inSequenceMs + poolMs;
}
