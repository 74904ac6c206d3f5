import { exportedValue, exportsOf } from '../analysis/provenance/exports.ts';
import type { FileFacts } from '../analysis/file/file.ts';
import { describe } from '../analysis/provenance/describe.ts';

/** What a file offers to others, as plain data: small enough to print, to compare and to keep on disk. */
export interface FileSummary {
  readonly path: string;
  /** Of the text that this was drawn from (`FileState.hash`). */
  readonly hash: string;
  /** What each export is, where resolved: `pg.Pool`, `() => Promise<pg.PoolClient>`, `class Db`. */
  readonly exports: Readonly<Record<string, string>>;
  /** Sources of `export * from`, whose names are not repeated here. */
  readonly everythingFrom: readonly string[];
}

export function summaryFrom(file: FileFacts, hash: string): FileSummary {
  const known = exportsOf(file)
    .names.map((name): [string, string] => [name, describe(exportedValue(file, name))])
    .filter(([, value]) => value !== 'unknown');
  return {
    path: file.path,
    hash,
    exports: Object.fromEntries(known),
    everythingFrom: exportsOf(file).everythingFrom,
  };
}
