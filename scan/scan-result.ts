import type { Clock } from './clock.ts';
import type { FoundFiles } from './files.ts';
import { isWholeFileLeftOut } from './problem.ts';
import type { FileResult } from './scan.ts';
import type { ScanResult } from './scan-files.ts';

/** What came of a file on disk. */
export interface ScannedFile extends FileResult {
  /** 0 for what cannot be read. */
  readonly lines: number;
}

/**
 * All files that were found are in `scanned`; `remembered` are those that an earlier run has said all of. What was left out is
 * in the notices, and not in the counts.
 */
export function resultOf(
  found: FoundFiles,
  scanned: ReadonlyMap<string, ScannedFile>,
  {
    clock,
    remembered,
  }: { readonly clock: Clock; readonly remembered: ReadonlyMap<string, unknown> },
): ScanResult {
  const all = found.files.flatMap((it) => scanned.get(it) ?? []);
  const isLookedAt = ({ notices }: ScannedFile) => !notices.some(isWholeFileLeftOut);
  const looked = all.filter(isLookedAt);
  return {
    problems: all.flatMap((it) => it.problems),
    notices: [...found.notices, ...all.flatMap((it) => it.notices)],
    stats: {
      files: looked.length,
      parsedFiles: looked.filter((it) => it.isParsed).length,
      rememberedFiles: found.files.filter(
        (it) => remembered.has(it) && isLookedAt(scanned.get(it)!),
      ).length,
      lines: looked.reduce((sum, it) => sum + it.lines, 0),
      spentMs: clock.spentMs,
    },
  };
}
