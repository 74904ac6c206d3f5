import type { Clock } from './clock.ts';
import type { FoundFiles } from './files.ts';
import type { FileResult } from './scan.ts';
import type { ScanResult } from './scan-files.ts';

/** What came of a file on disk. */
export interface ScannedFile extends FileResult {
  /** 0 for what cannot be read. */
  readonly lines: number;
}

/** All files that were found are in `scanned`; `remembered` counts those that an earlier run has said all of. */
export function resultOf(
  found: FoundFiles,
  scanned: ReadonlyMap<string, ScannedFile>,
  { clock, remembered }: { readonly clock: Clock; readonly remembered: number },
): ScanResult {
  const all = found.files.flatMap((it) => scanned.get(it) ?? []);
  return {
    problems: all.flatMap((it) => it.problems),
    notices: [...found.notices, ...all.flatMap((it) => it.notices)],
    stats: {
      files: found.files.length,
      parsedFiles: all.filter((it) => it.isParsed).length,
      rememberedFiles: remembered,
      lines: all.reduce((sum, it) => sum + it.lines, 0),
      spentMs: clock.spentMs,
    },
  };
}
