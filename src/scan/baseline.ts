import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { regularText } from '../system/regular-file.ts';
import { groupedBy } from '../analysis/syntax/grouped.ts';
import { field, jsonOf, stringField } from '../project/json.ts';
import type { Problem } from './problem.ts';

/** In the repository's top folder. */
export const baselineName = 'deadtime.baseline.json';

/** A finding that its readers have decided to leave. */
export interface BaselineEntry {
  readonly fingerprint: string;
  readonly rule: string;
  /** Where it was, relative to the baseline, with forward slashes: a function that has moved is the same finding. */
  readonly file: string;
  readonly reason: string;
  /** "2026-11-21" */
  readonly date: string;
}

/** The file cannot be read, or is no baseline; the message states what to do. */
export class BaselineError extends Error {}

/** The entries of the baseline in `root`; none where there is no such file. */
export function baselineIn(root: string): readonly BaselineEntry[] {
  const path = join(root, baselineName);
  if (!existsSync(path)) return [];
  const findings = field(jsonOf(textOf(path)), 'findings');
  if (!Array.isArray(findings)) {
    throw new BaselineError(
      `${path} is no baseline. Fix it, or remove it and run deadtime baseline.`,
    );
  }
  return findings.map((it) => {
    const text = (name: string) => stringField(it, name) ?? '';
    return {
      ...{ fingerprint: text('fingerprint'), rule: text('rule'), file: text('file') },
      ...{ reason: text('reason'), date: text('date') },
    };
  });
}

function textOf(path: string): string {
  try {
    return regularText(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BaselineError(
      `The baseline cannot be read: ${reason}. Make it readable, or remove it and run deadtime baseline.`,
    );
  }
}

/** One entry a line, in the order of the files: two branches that add entries rarely meet in a line. */
export function baselineText(entries: readonly BaselineEntry[]): string {
  const keyed = entries.map((it) => ({ it, key: [it.file, it.rule, it.fingerprint].join('\0') }));
  const sorted = keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  const lines = sorted.map(({ it }) => `    ${JSON.stringify(it)}`);
  return `{\n  "version": 1,\n  "findings": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

export interface Compared {
  readonly problems: readonly Problem[];
  /** Those of `problems` that no entry stands for. */
  readonly fresh: readonly Problem[];
  readonly kept: readonly BaselineEntry[];
  /** Entries whose finding is in none of the scanned files, nor can be in others. */
  readonly gone: readonly BaselineEntry[];
}

/** Each entry stands for one finding: in its own file, or in another where its file was scanned without it or is gone. */
export function comparedWith(
  entries: readonly BaselineEntry[],
  problems: readonly Problem[],
  where: Scanned,
): Compared {
  const { fresh, left, isFree } = matched(entries, problems, where);
  const gone = new Set(left.filter(isFree));
  return { problems, fresh, gone: [...gone], kept: entries.filter((it) => !gone.has(it)) };
}

interface Scanned {
  readonly root: string;
  readonly scanned: ReadonlySet<string>;
}

/** The problems without an entry: `comparedWith` without a check of the other entries of the baseline. */
export function freshAmong(
  entries: readonly BaselineEntry[],
  problems: readonly Problem[],
  where: Scanned,
): readonly Problem[] {
  const isNone = entries.length === 0 || problems.length === 0;
  return isNone ? problems : matched(entries, problems, where).fresh;
}

interface Matched extends Pick<Compared, 'fresh'> {
  readonly left: readonly BaselineEntry[];
  readonly isFree: (entry: BaselineEntry) => boolean;
}

/** Reads each entry at most twice: a baseline may have as many entries as a project has findings. */
function matched(
  entries: readonly BaselineEntry[],
  problems: readonly Problem[],
  where: Scanned,
): Matched {
  const found = new Set(problems.map((it) => it.fingerprint));
  const candidates = entries.filter((it) => found.has(it.fingerprint)).reverse();
  // The first is taken from the end.
  const inFiles = groupedBy(candidates, keyOf);
  const everywhere = groupedBy(candidates, (it) => it.fingerprint);
  const left = new Set(entries);
  const isFree = freedom(where);
  /** A problem that has matched no entry cannot match a later one, so it leaves the group. */
  const take = (group: BaselineEntry[] = [], isFit = (_: BaselineEntry) => true) => {
    for (let it = group.pop(); it; it = group.pop()) {
      if (left.has(it) && isFit(it)) return left.delete(it);
    }
    return false;
  };
  const elsewhere = problems.filter(({ fingerprint, path }) => {
    return !take(inFiles.get(keyOf({ fingerprint, file: pathBelow(where.root, path) })));
  });
  const fresh = elsewhere.filter(({ fingerprint }) => !take(everywhere.get(fingerprint), isFree));
  return { fresh, left: [...left], isFree };
}

function keyOf({ fingerprint, file }: Pick<BaselineEntry, 'fingerprint' | 'file'>): string {
  return `${fingerprint} ${file}`;
}

/** Whether an entry's file was scanned, or is gone; the disk is asked once for each file. */
function freedom({ root, scanned }: Scanned): (entry: BaselineEntry) => boolean {
  const known = new Map<string, boolean>();
  return ({ file }) => {
    let isFree = known.get(file);
    if (isFree === undefined) {
      const path = join(root, file);
      known.set(file, (isFree = scanned.has(path) || !existsSync(path)));
    }
    return isFree;
  };
}

export function entryFor(
  { fingerprint, finding, path }: Problem,
  { root, reason, date }: { readonly root: string } & Pick<BaselineEntry, 'reason' | 'date'>,
): BaselineEntry {
  return { fingerprint, rule: finding.ruleId, file: pathBelow(root, path), reason, date };
}

/** Absolute for what lies outside. */
function pathBelow(root: string, path: string): string {
  const inside = relative(root, path);
  const name = inside.startsWith('..') || isAbsolute(inside) ? path : inside;
  return sep === '/' ? name : name.replaceAll(sep, '/');
}
