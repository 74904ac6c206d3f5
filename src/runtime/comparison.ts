import { groupedBy } from '../analysis/syntax/grouped.ts';
import { gainMsOf } from './forecast.ts';
import { deadMsOf } from './parts.ts';
import { type LineComparison, linesOf, type Pair, type RecordedEntry } from './line-comparison.ts';
import { type EntryKind, type Recording, type Slice, timesOf } from './recording.ts';

/** What differs between two recordings of a program; all numbers are measured, unless a field states otherwise. */
export interface Comparison {
  readonly before: ComparedRun;
  readonly after: ComparedRun;
  /** Of each kind that both recordings have, in the order of the later one. */
  readonly entries: readonly EntryComparison[];
  /** The kinds that ended in one of the recordings only. */
  readonly onlyBefore: readonly EntryName[];
  readonly onlyAfter: readonly EntryName[];
}

export type ComparedRun = Pick<
  Recording,
  'program' | 'node' | 'startedAt' | 'durationMs' | 'processes'
>;

export type EntryName = Pick<EntryKind, 'kind' | 'name' | 'at'>;

export interface EntryComparison extends EntryName {
  readonly count: Pair;
  /** Entries that ended in a second, from the start of the first to the end of the last. */
  readonly perSecond: Pair;
  /** How many ran concurrently, on average over the time in which any did. */
  readonly concurrent: Pair;
  readonly p50Ms: Pair;
  readonly p95Ms: Pair;
  /** The time of an entry. */
  readonly time: Change;
  /** Its dead time. */
  readonly dead: Change;
  /** Estimated from the earlier recording: what an entry gains by what it no longer has, reads in sequence and pauses with a finding. */
  readonly estimatedGainMs?: number;
  /** Those that changed most come first. */
  readonly lines: readonly LineComparison[];
}

/** The means per entry, and the 95 % interval of their difference, after minus before. In milliseconds. */
export interface Change extends Pair {
  readonly lowMs: number;
  readonly highMs: number;
  readonly verdict: Verdict;
}

/**
 * `less` and `more` where the interval does not contain zero. `load differed`: rate and concurrency both did, so the difference is
 * not one of the code. `too few`: the interval would not hold.
 */
export type Verdict = 'less' | 'more' | 'no change seen' | 'load differed' | 'too few';

export function comparisonOf(before: Recording, after: Recording): Comparison {
  const [earlier, later] = [keyedEntries(before), keyedEntries(after)];
  const only = (its: typeof earlier, others: typeof earlier) =>
    [...its].filter(([key]) => !others.has(key)).map(([, it]) => nameOf(it));
  return {
    ...{ before: runOf(before), after: runOf(after) },
    entries: Array.from(later, ([key, it]) => {
      const old = earlier.get(key);
      return old
        ? [entryComparison({ entry: old, recording: before }, { entry: it, recording: after })]
        : [];
    }).flat(),
    onlyBefore: only(earlier, later),
    onlyAfter: only(later, earlier),
  };
}

function runOf({ program, node, startedAt, durationMs, processes }: Recording): ComparedRun {
  return { program, node, startedAt, durationMs, processes };
}

function nameOf({ kind, name, at }: EntryName): EntryName {
  return { kind, name, ...(at && { at }) };
}

/** Loops of one name in one file are paired by their order: edits move their lines. */
function keyedEntries({ entries }: Recording): ReadonlyMap<string, EntryKind> {
  const ended = entries.filter((it) => it.count > 0);
  const groups = groupedBy(ended, ({ kind, name, at }) => [kind, name, at?.file].join('\0'));
  return new Map(
    Array.from(groups, ([key, its]) =>
      its
        .toSorted((a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0))
        .map((it, i) => [`${key}\0${i}`, it] as const),
    ).flat(),
  );
}

function entryComparison(before: RecordedEntry, after: RecordedEntry): EntryComparison {
  const pair = (of: (it: RecordedEntry) => number): Pair => ({
    before: of(before),
    after: of(after),
  });
  const perSecond = pair(({ entry }) => (1_000 * timesOf(entry)) / entry.spanMs);
  const concurrent = pair(({ entry }) => entry.time.totalMs / entry.busyMs);
  const isLoadSame = isSimilar(perSecond) || isSimilar(concurrent);
  const change = (meanOf: (it: EntryKind) => number, of: keyof Omit<Slice, 'count'>) =>
    changeOf(
      { mean: meanOf(before.entry), of, entry: before.entry },
      { mean: meanOf(after.entry), of, entry: after.entry },
      isLoadSame,
    );
  const [most, left] = [gainMsOf(before), gainMsOf(after)];
  return {
    ...{ ...nameOf(after.entry), count: pair(({ entry }) => entry.count), perSecond, concurrent },
    p50Ms: pair(({ entry }) => entry.time.p50Ms),
    p95Ms: pair(({ entry }) => entry.time.p95Ms),
    time: change(meanMsOf, 'totalMs'),
    dead: change((it) => deadMsOf(it.parts) / it.count, 'deadMs'),
    ...(most - left > most / 2 && { estimatedGainMs: most - left }),
    lines: linesOf(before, after),
  };
}

/**
 * Clients that wait for an answer before they send more have the same concurrency after a change, and a rate that follows from it; those
 * that send at a fixed rate have the same rate. So the load is the same where one of both is. The concurrency leaves out pauses of
 * the load, such as the start of a load generator.
 */
function isSimilar({ before, after }: Pair): boolean {
  return Math.max(before, after) <= MOST_TIMES * Math.min(before, after);
}

/** A third more. */
const MOST_TIMES = 4 / 3;
/** Fewer entries make too few slices of too few entries. */
const FEWEST = 30;
/** The standard deviation between means of runs of the same program under the same load, as a share of the entry's time: assumed. */
const RUN_SPREAD = 0.02;

interface Mean {
  readonly mean: number;
  readonly of: keyof Omit<Slice, 'count'>;
  readonly entry: EntryKind;
}

/**
 * By the method of batch means: entries that follow each other have much in common, so the variance is that between slices of a run.
 * What is slower than a run, no run shows: that part is assumed.
 */
function changeOf(before: Mean, after: Mean, isLoadSame: boolean): Change {
  const difference = after.mean - before.mean;
  const variances = [before, after].map(varianceOf);
  const half = halfOf(variances, [before, after]);
  const interval = { lowMs: difference - half, highMs: difference + half };
  const isFew = Math.min(before.entry.count, after.entry.count) < FEWEST;
  return {
    ...{ before: before.mean, after: after.mean, ...interval },
    verdict: isFew ? 'too few' : isLoadSame ? verdictOf(interval) : 'load differed',
  };
}

/** Of the mean, in square milliseconds: of a ratio, since slices may have different numbers of entries. */
function varianceOf({ mean, of, entry: { slices, count } }: Mean): number {
  if (slices.length < 2) return 0;
  const squares = slices.map((it) => (it[of] - mean * it.count) ** 2);
  return ((slices.length / (slices.length - 1)) * sum(squares)) / count ** 2;
}

/** Half of the interval, with the degrees of freedom of Welch and Satterthwaite. */
function halfOf(variances: readonly number[], means: readonly Mean[]): number {
  const seen = sum(variances);
  const assumed = sum(means.map(({ entry }) => (RUN_SPREAD * meanMsOf(entry)) ** 2));
  const freedoms = variances.map((it, i) => it ** 2 / (means[i]!.entry.slices.length - 1 || 1));
  const freedom = seen > 0 ? (seen + assumed) ** 2 / sum(freedoms) : Infinity;
  return quantileOf(freedom) * Math.sqrt(seen + assumed);
}

/** Of a normal distribution, 95 % are within so many standard deviations. */
const NORMAL = 1.96;

/** The same of Student's t: two terms of its expansion, which are within 0.5 % from 5 degrees of freedom on. */
function quantileOf(freedom: number): number {
  const first = (NORMAL ** 3 + NORMAL) / 4;
  const second = (5 * NORMAL ** 5 + 16 * NORMAL ** 3 + 3 * NORMAL) / 96;
  return NORMAL + first / freedom + second / freedom ** 2;
}

function verdictOf({ lowMs, highMs }: Pick<Change, 'lowMs' | 'highMs'>): Verdict {
  if (highMs < 0) return 'less';
  return lowMs > 0 ? 'more' : 'no change seen';
}

function meanMsOf({ time, count }: EntryKind): number {
  return time.totalMs / Math.max(count, 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, it) => all + it, 0);
}
