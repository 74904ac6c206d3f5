import { groupedBy } from '../analysis/syntax/grouped.ts';
import type { EntryKind, Recording, Site } from './recording.ts';

/** The awaits of one call in one function, whose lines an edit may have moved, within the entries of one kind. */
export interface LineComparison {
  readonly file: string;
  /** Absent at module level. */
  readonly function?: string;
  readonly kind: Site['kind'];
  /** The awaited call: `pool.query`. */
  readonly code: string;
  /** Empty where it did not run. */
  readonly lines: Pair<readonly number[]>;
  /** The rules with a finding there. */
  readonly rules: Pair<readonly string[]>;
  /** Their part of the time of an entry, in milliseconds. */
  readonly eachMs: Pair;
  /** How often they ran per entry. */
  readonly times: Pair;
}

export interface Pair<T = number> {
  readonly before: T;
  readonly after: T;
}

export interface RecordedEntry {
  readonly entry: EntryKind;
  readonly recording: Recording;
}

/** Those that changed most come first. */
export function linesOf(before: RecordedEntry, after: RecordedEntry): readonly LineComparison[] {
  const [earlier, later] = [linesByKey(before), linesByKey(after)];
  return [...new Set([...later.keys(), ...earlier.keys()])]
    .map((key) => lineComparison(earlier.get(key) ?? [], later.get(key) ?? [], { before, after }))
    .sort((a, b) => Math.abs(changeMsOf(b)) - Math.abs(changeMsOf(a)));
}

/** After minus before, per entry. */
export function changeMsOf({ eachMs }: LineComparison): number {
  return eachMs.after - eachMs.before;
}

interface Line {
  readonly site: Site;
  readonly count: number;
  readonly exclusiveMs: number;
}

/** By file, function and code: an edit moves lines, but seldom these. */
function linesByKey({ entry, recording }: RecordedEntry): ReadonlyMap<string, readonly Line[]> {
  const lines = entry.sites.flatMap(({ site: i, count, exclusiveMs }): readonly Line[] => {
    const site = recording.sites[i];
    return site ? [{ site, count, exclusiveMs }] : [];
  });
  return groupedBy(lines, ({ site }) => [site.at.file, site.function, site.code].join('\0'));
}

function lineComparison(
  before: readonly Line[],
  after: readonly Line[],
  entries: Pair<RecordedEntry>,
): LineComparison {
  const pair = <T>(of: (its: readonly Line[], entry: EntryKind) => T): Pair<T> => ({
    before: of(before, entries.before.entry),
    after: of(after, entries.after.entry),
  });
  const { at, function: name, kind, code } = [...after, ...before][0]!.site;
  return {
    ...{ file: at.file, ...(name !== undefined && { function: name }), kind, code },
    lines: pair((its) => its.map((it) => it.site.at.line).sort((a, b) => a - b)),
    rules: pair((its) => [...new Set(its.flatMap((it) => it.site.rules))]),
    eachMs: pair((its, { count }) => sum(its.map((it) => it.exclusiveMs)) / count),
    times: pair((its, { count }) => sum(its.map((it) => it.count)) / count),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, it) => all + it, 0);
}
