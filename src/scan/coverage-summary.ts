import type { FileCoverage, RootCause, RootPlace } from './coverage.ts';
import type { Position } from './positions.ts';

/** The coverage of a file, with its absolute path. */
export interface CoveredFile extends FileCoverage {
  readonly path: string;
}

/** How much of what some code waits for is understood. */
export interface Share {
  readonly awaits: number;
  readonly understood: number;
}

/** What hides awaits, and which. */
export interface HidingRoot extends RootPlace {
  /** In the order of the files. */
  readonly hidden: readonly { readonly path: string; readonly at: Position }[];
}

export interface CoverageSummary extends Share {
  /** The files that wait for something, in the order in which they were found. */
  readonly files: readonly (Share & { readonly path: string })[];
  /** Those that hide most come first; of as many, those that were found first. */
  readonly roots: readonly HidingRoot[];
}

/** What a report lists besides the whole share. */
export const coverageGroupings = ['root', 'folder', 'file'] as const;
export type CoverageGrouping = (typeof coverageGroupings)[number];

/** A package is one root wherever it is used, and so is a name that no file declares. */
const ANYWHERE: ReadonlySet<RootCause> = new Set(['package', 'global']);

export function summaryOf(files: readonly CoveredFile[]): CoverageSummary {
  const roots = new Map<string, RootPlace & { hidden: { path: string; at: Position }[] }>();
  for (const { path, hidden } of files) {
    for (const { at, root } of hidden) {
      const place = ANYWHERE.has(root.cause)
        ? ''
        : `${root.path}:${root.at.line}:${root.at.column}`;
      const key = [root.cause, root.name, place].join('\0');
      const known = roots.get(key) ?? { ...root, hidden: [] };
      known.hidden.push({ path, at });
      roots.set(key, known);
    }
  }
  const shares = files
    .filter(({ awaits }) => awaits > 0)
    .map(({ path, ...file }) => ({ path, ...shareOf([file]) }));
  return {
    ...shareOf(files),
    files: shares,
    roots: [...roots.values()].sort((a, b) => b.hidden.length - a.hidden.length),
  };
}

function shareOf(files: readonly FileCoverage[]): Share {
  const awaits = sum(files.map((it) => it.awaits));
  return { awaits, understood: awaits - sum(files.map((it) => it.hidden.length)) };
}

/** The shares of the files, added up by what `groupOf` calls their folder. */
export function sharesBy(
  files: CoverageSummary['files'],
  groupOf: (path: string) => string,
): ReadonlyMap<string, Share> {
  const shares = new Map<string, Share>();
  for (const { path, awaits, understood } of files) {
    const group = groupOf(path);
    const known = shares.get(group) ?? { awaits: 0, understood: 0 };
    shares.set(group, {
      awaits: known.awaits + awaits,
      understood: known.understood + understood,
    });
  }
  return shares;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
