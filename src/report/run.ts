import { createColors } from 'picocolors';
import {
  type EntryKind,
  type EntrySite,
  type Parts,
  type Recording,
  type Sequence,
  type Site,
  timesOf,
} from '../runtime/recording.ts';
import { ceilingOf } from '../runtime/forecast.ts';
import { deadMsOf } from '../runtime/parts.ts';
import { counted, withCommas } from './counts.ts';
import { resourcesText } from './run-resources.ts';
import { LONG_OPEN_MS, placeText, rateText, shareText, timeText } from './run-texts.ts';
import { visible } from './visible.ts';

export interface RunContext {
  readonly hasColors: boolean;
  /** Where the recording is. */
  readonly output: string;
}

/** Of each kind, a terminal shows these; the recording has all. */
const SHOWN_ENTRIES = 8;
const SHOWN_LINES = 6;
/** A line below this share of its entry's time is not worth a reader's. */
const LEAST_SHARE = 0.01;
/** So often in one entry, one statement is likely to be sent once for each row of an earlier one. */
const MANY = 5;
/** The share of statements that counts as each of them. */
const MOST_OF_THEM = 0.9;

/** A row of the table: the place, what happened there and what it cost, and the rules with a finding there. */
export type Row = readonly [place: string, what: string, rules: string];

/** What a program waited for, for a terminal. */
export function runText(recording: Recording, { hasColors, output }: RunContext): string {
  const { bold, dim } = createColors(hasColors);
  const { entries, durationMs, processes, program } = recording;
  const shown = entries.filter((it) => it.count + it.open > 0).slice(0, SHOWN_ENTRIES);
  const blocks = shown.map((entry) => {
    const rows = rowsOf(entry, recording);
    const rest = [...ceilingText(entry), partsText(entry)].map((it) => dim(`  ${it}`));
    return [bold(headOf(entry, recording)), ...aligned(rows, dim), ...rest];
  });
  const processCount = processes > 1 ? `, ${processes} processes` : '';
  return [
    '',
    dim(`Measured: ${visible(program)}, ${timeText(durationMs)}${processCount}`),
    '',
    ...blocks.flatMap((it) => [...it, '']),
    ...(shown.length === 0 ? ['No request, job, test or iteration of a loop ended.', ''] : []),
    ...moreText(entries.length - shown.length),
    ...resourcesText(recording),
    ...openText(recording),
    ...unmeasuredText(recording),
    ...leftAloneText(recording),
    dim(`Every line that ran: ${visible(output)}`),
    '',
  ].join('\n');
}

/** `GET /dashboard   412 requests   p50 9.1 ms   p95 12 ms   dead 4.4 ms a request (48 %)`. */
function headOf(entry: EntryKind, { durationMs }: Recording): string {
  const { kind, count, time, parts, aborted, open } = entry;
  const noun = nounOf(entry);
  const deadMs = deadMsOf(parts);
  const dead = `dead ${timeText(deadMs / Math.max(count, 1))} of ${timeText(meanOf(entry))} per ${noun} (${shareText(deadMs, time.totalMs)})`;
  const rest = [
    ...(aborted > 0 ? [`${withCommas(aborted)} aborted`] : []),
    ...(open > 0 && kind !== 'worker' ? [`${withCommas(open)} still open`] : []),
  ];
  const rate =
    kind === 'worker' || kind === 'job' ? [`${rateText(timesOf(entry), durationMs)} a second`] : [];
  return [
    titleOf(entry),
    countText(entry),
    ...rate,
    `p50 ${timeText(time.p50Ms)}`,
    `p95 ${timeText(time.p95Ms)}`,
    dead,
    ...rest,
  ].join('   ');
}

/** `49,000 requests, 4,120 of them measured`. */
export function countText(entry: EntryKind): string {
  const all = counted(timesOf(entry), nounOf(entry));
  return entry.unmeasured === undefined
    ? all
    : `${all}, ${withCommas(entry.count)} of them measured`;
}

/** One entry of each kind. */
export const NOUNS = {
  http: 'request',
  worker: 'iteration',
  job: 'job',
  schedule: 'run',
  test: 'test',
} as const satisfies Readonly<Record<EntryKind['kind'], string>>;

/** `GET /dashboard`, or the kind, its name and its place. */
export function titleOf({ kind, name, at }: Pick<EntryKind, 'kind' | 'name' | 'at'>): string {
  return kind === 'http' ? visible(name) : `${kind} ${visible(name)} (${placeText(at)})`;
}

/** What one entry of the kind is for a reader. */
export function nounOf({ kind }: Pick<EntryKind, 'kind'>): string {
  return NOUNS[kind];
}

/** `most`: of the lines that are not part of a sequence. */
export function rowsOf(entry: EntryKind, { sites }: Recording, most = SHOWN_LINES): readonly Row[] {
  const ofSequences = new Set<number>();
  const sequences = entry.sites.flatMap(({ sequence, count }): Row[] => {
    if (!sequence || sequence.count === 0) return [];
    for (const it of sequence.sites) ofSequences.add(it);
    return [sequenceRow(sequence, count, sites)];
  });
  const lines = entry.sites
    .filter((it) => !ofSequences.has(it.site) && it.exclusiveMs >= LEAST_SHARE * entry.time.totalMs)
    .slice(0, most)
    .flatMap((it): Row[] => {
      const site = sites[it.site];
      return site ? [siteRow(it, site, entry)] : [];
    });
  return [...sequences, ...lines];
}

/** `src/a.js:12-14   3 reads in sequence: 6.6 ms; together at best 2.9 ms (estimated)`. */
function sequenceRow(sequence: Sequence, passes: number, sites: readonly Site[]): Row {
  const places = sequence.sites.flatMap((it) => sites[it] ?? []);
  const lines = places.map((it) => it.at.line);
  const [first] = places;
  const { count, totalMs, togetherMs } = sequence;
  const times = `${timeText(totalMs / count)}, together at best ${timeText(togetherMs / count)} (estimated)`;
  if (first && places.length === 1) {
    const each = Math.round((10 * passes) / count) / 10;
    const what = `awaited ${visible(first.code)} ${each} times in a loop: ${times}${commitText(first)}${statementText(first)}`;
    return [placeText(first.at), what, rulesText(places)];
  }
  const place = `${first ? visible(first.at.file) : ''}:${Math.min(...lines)}-${Math.max(...lines)}`;
  return [place, `${places.length} independent reads in sequence: ${times}`, rulesText(places)];
}

function siteRow(it: EntrySite, site: Site, entry: EntryKind): Row {
  return [
    placeText(site.at),
    `${whatText(it, site, entry)}${it.most > 1 ? commitText(site) : ''}${statementText(site)}`,
    rulesText([site]),
  ];
}

function whatText(
  { count, most, entries, exclusiveMs }: EntrySite,
  site: Site,
  entry: EntryKind,
): string {
  const noun = nounOf(entry);
  const share = shareText(exclusiveMs, entry.time.totalMs);
  const each = `${timeText(exclusiveMs / Math.max(entry.count, 1))} per ${noun} (${share})`;
  const times = most > 1 ? `, ${perEntry(count, entry)}, at most ${withCommas(most)} in one` : '';
  if (site.kind === 'sleep') {
    const where = `${withCommas(entries)} of ${counted(entry.count, noun)}`;
    return `slept ${timeText(site.time.p50Ms)} in ${where}: ${each}${times}`;
  }
  const rejected = site.rejected > 0 ? `, ${withCommas(site.rejected)} rejected` : '';
  return `${VERBS[site.kind]} ${visible(site.code)}: ${each}${times}${rejected}`;
}

const VERBS = {
  sleep: 'slept',
  yield: 'yielded with',
  db: 'awaited',
  network: 'awaited',
  'thread-pool': 'awaited',
  calls: 'awaited',
  blocking: 'blocked in',
  unresolved: 'awaited',
} as const satisfies Readonly<Record<Site['kind'], string>>;

/** `3.2 times per request`. */
function perEntry(count: number, entry: EntryKind): string {
  const times = Math.round((10 * count) / Math.max(entry.count, 1)) / 10;
  return `${times} times per ${nounOf(entry)}`;
}

/** Each commit waits until the database has written it to its disk. */
function commitText({ driver }: Site): string {
  const { commits = 0, wire } = driver ?? {};
  const isEach = wire !== undefined && commits >= MOST_OF_THEM * wire.count;
  return isEach ? ', each with a commit of its own' : '';
}

/** One statement, sent many times in one entry. */
function statementText({ driver }: Site): string {
  const repeated = driver?.statements.find((it) => it.most >= MANY);
  return repeated
    ? `; the same statement up to ${withCommas(repeated.most)} times: ${visible(repeated.statement).slice(0, 60)}`
    : '';
}

function rulesText(sites: readonly Site[]): string {
  return [...new Set(sites.flatMap((it) => it.rules))].join(', ');
}

export const PART_NAMES: readonly (readonly [keyof Parts, string])[] = [
  ['asleepMs', 'asleep'],
  ['poolMs', 'waiting for a connection'],
  ['inSequenceMs', 'in sequence'],
  ['wireMs', 'on the wire'],
  ['heldMs', 'holding a connection'],
  ['lagMs', 'late timers'],
  ['threadPoolMs', 'thread pool'],
  ['computingMs', 'computing'],
  ['unexplainedMs', 'unexplained'],
];

/** The remainder is always shown. */
function partsText({ parts, time }: EntryKind): string {
  return PART_NAMES.filter(
    ([name]) => name === 'unexplainedMs' || parts[name] >= LEAST_SHARE * time.totalMs,
  )
    .map(([name, text]) => `${text} ${shareText(parts[name], time.totalMs)}`)
    .join(' · ');
}

/** What a loop that runs one iteration at a time can do at most. */
export function ceilingText(entry: EntryKind): readonly string[] {
  const ceiling = ceilingOf(entry);
  if (!ceiling) return [];
  const [most, without] = [ceiling.perSecond, ceiling.withoutPauses].map((it) =>
    rateText(it, 1_000),
  );
  return [
    `at most ${most} iterations a second with as many pauses, ${without} without (estimated)`,
  ];
}

/** And for so many times as long as others at its line. */
const TIMES_AS_LONG = 3;

export function openText({ sites }: Recording): readonly string[] {
  const stuck = sites.filter(
    ({ oldestOpenMs = 0, time, kind, isInLoop }) =>
      oldestOpenMs > LONG_OPEN_MS &&
      oldestOpenMs > TIMES_AS_LONG * time.maxMs &&
      // A pause ends by itself, and what a function waits for has a line of its own.
      kind !== 'sleep' &&
      kind !== 'calls' &&
      // The worker may have no work.
      !(isInLoop && kind !== 'db'),
  );
  return stuck.map(
    ({ at, open, oldestOpenMs = 0, code, time }) =>
      `still open   ${placeText(at)}   ${counted(open, 'await')} of ${visible(code)}, the oldest for ${timeText(oldestOpenMs)}; ${time.count > 0 ? `others took at most ${timeText(time.maxMs)}` : 'none has ended'}`,
  );
}

export function unmeasuredText({ entries }: Recording): readonly string[] {
  return entries.every((it) => it.unmeasured === undefined)
    ? []
    : ['More came than 200 a second: a share of them was measured, and the rest was only counted.'];
}

const REASONS = {
  changed: 'its text differs from the scanned one',
  generated: 'a loader has generated its text',
  failed: 'its text has names of Deadtime’s own',
  required:
    'an ES module imports it that was loaded with require(), which needs Node.js 22.15 or later',
} as const;

export function leftAloneText({ leftAlone, files }: Recording): readonly string[] {
  const [first] = leftAlone;
  if (!first) {
    return files.length > 0
      ? []
      : [
          'No file with an await ran that the scan has read, so no line is measured. Run the sources, or have the compiler write a source map of each file next to it: a bundle has none.',
        ];
  }
  const count = counted(leftAlone.length, 'file');
  return [
    `${count} ran without probes: ${visible(first.file)}${leftAlone.length > 1 ? ' and others' : ''}, because ${REASONS[first.reason]}`,
  ];
}

function moreText(count: number): readonly string[] {
  return count > 0 ? [`${count} more kinds of entries are in the recording.`, ''] : [];
}

export function aligned(rows: readonly Row[], dim: (text: string) => string): readonly string[] {
  const widths = [0, 1].map((i) => Math.max(0, ...rows.map((row) => row[i]!.length)));
  return rows.map(([place, what, rules]) =>
    `  ${place.padEnd(widths[0]!)}   ${rules ? what.padEnd(widths[1]!) : what}   ${dim(rules)}`.trimEnd(),
  );
}

export function meanOf({ time, count }: EntryKind): number {
  return time.totalMs / Math.max(count, 1);
}
