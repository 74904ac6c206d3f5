import type { Measured, MeasuredCost, MeasuredEntry } from '../scan/measured-costs.ts';
import { counted, withCommas } from './counts.ts';
import { NOUNS } from './run.ts';
import { timeText } from './run-texts.ts';
import { visible } from './visible.ts';

/** Of a name, so much is shown: it comes from the recording, which is a file of the project. */
const MOST_CHARACTERS = 80;

/** What a run of the program has measured of a finding, in one line without a full stop. */
export function measuredText(measured: Measured): string {
  switch (measured.state) {
    case 'measured':
      return `measured in your program: ${costText(measured)}`;
    case 'did-not-run': {
      const { durationMs, entries } = measured.run;
      const count = `${withCommas(entries)} ${entries === 1 ? 'entry' : 'entries'}`;
      return `did not run in this run (${timeText(durationMs)}, ${count})`;
    }
    case 'stale':
      return measured.before
        ? `stale, the code has changed since it was measured in your program: ${costText(measured.before)}`
        : 'measured cost is stale: the code has changed since the run';
  }
}

/** The same where a sentence starts. */
export function measuredSentence(measured: Measured): string {
  const text = measuredText(measured);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `4.4 ms per request in GET /dashboard, measured in your program`: for a lens, which has one line. */
export function measuredLabel(measured: Measured): string {
  switch (measured.state) {
    case 'measured':
      return `${shortCost(measured)}, measured in your program`;
    case 'did-not-run':
      return measuredSentence(measured);
    case 'stale': {
      const { before } = measured;
      return `Stale, the code has changed since the run${before ? `: ${shortCost(before)}` : ''}`;
    }
  }
}

function shortCost({ entries, totalMs, count, unmeasured = 0, open, pool }: MeasuredCost): string {
  const [first] = entries;
  if (pool) return `${timeText(totalMs / Math.max(count, 1))} per checkout`;
  if (first) return perEntry(first, first.totalMs);
  if (count > 0) return `${timeText(totalMs / count)} each time`;
  return open ? 'has not ended' : `ran ${counted(unmeasured, 'time')}, none of them measured`;
}

function costText(cost: MeasuredCost): string {
  const { entries, pool, count, totalMs, open } = cost;
  if (pool) {
    const each = timeText(totalMs / Math.max(count, 1));
    return `${counted(count, 'checkout')} waited ${each} each (p95 ${timeText(pool.p95Ms)}), at most ${withCommas(pool.mostWaiting)} at a time`;
  }
  const [first, ...others] = entries;
  if (!first) {
    if (count === 0 && open) {
      return `has not ended (${counted(open.count, 'await')} open, the oldest for ${timeText(open.oldestMs)})`;
    }
    if (count === 0) return shortCost(cost);
    return `${shortCost(cost)} (${counted(count, 'time')}, outside of all entries)`;
  }
  const { togetherMs } = first;
  const kinds = others.length === 1 ? 'kind' : 'kinds';
  return [
    `${perEntry(first, first.totalMs)} (${ranText(first)})`,
    ...(togetherMs === undefined
      ? []
      : [`together at best ${timeText(togetherMs / first.count)} (estimated)`]),
    ...(others.length > 0 ? [`and in ${withCommas(others.length)} more ${kinds} of entries`] : []),
  ].join(', ');
}

function perEntry({ kind, name, count }: MeasuredEntry, totalMs: number): string {
  const shown = visible(name.slice(0, MOST_CHARACTERS));
  return `${timeText(totalMs / count)} per ${NOUNS[kind]} in ${kind === 'http' ? '' : `${kind} `}${shown}`;
}

function ranText({ kind, count, ran }: MeasuredEntry): string {
  const all = counted(count, NOUNS[kind]);
  return ran < count ? `ran in ${withCommas(ran)} of ${all}` : all;
}

/** For programs: times in milliseconds, as the recording has them; `togetherMs` is estimated from these. */
export function measuredFields(measured: Measured) {
  const run = { ...measured.run, startedAt: new Date(measured.run.startedAt).toISOString() };
  const { state } = measured;
  const text = measuredText(measured);
  return state === 'measured'
    ? { ...measured, entries: measured.entries.map(shownEntry), text, run }
    : { state, text, run };
}

function shownEntry({ name, ...entry }: MeasuredEntry): MeasuredEntry {
  return { ...entry, name: visible(name.slice(0, MOST_CHARACTERS)) };
}
