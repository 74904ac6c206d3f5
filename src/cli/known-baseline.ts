import {
  BaselineError,
  type BaselineEntry,
  baselineIn,
  baselineName,
  comparedWith,
} from '../scan/baseline.ts';
import { isLeftOut } from '../scan/left-out.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import { UsageError } from './failure.ts';

/** Throws a `UsageError` where the file in `root` cannot be read, or is no baseline. */
export function knownBaseline(root: string): readonly BaselineEntry[] {
  try {
    return baselineIn(root);
  } catch (error) {
    throw error instanceof BaselineError ? new UsageError(error.message) : error;
  }
}

/** The files that were scanned completely: in unreadable and unparsable files, the findings of the baseline may still exist. */
export function readWhole(
  files: Iterable<string>,
  { notices }: Pick<ScanResult, 'notices'>,
): ReadonlySet<string> {
  const read = new Set(files);
  for (const it of notices) if (isLeftOut(it)) read.delete(it.path);
  return read;
}

/** The result without the findings in the baseline of `root`; prints their number on stderr. */
export function withoutKnown(
  result: ScanResult,
  { root, files, isQuiet }: { root: string; files: Iterable<string>; isQuiet: boolean },
): ScanResult {
  const { problems } = result;
  const scanned = readWhole(files, result);
  const { fresh } = comparedWith(knownBaseline(root), problems, { root, scanned });
  const count = problems.length - fresh.length;
  if (count > 0 && !isQuiet) {
    process.stderr.write(
      `deadtime: ${count} more in ${baselineName}; --no-baseline also shows them\n`,
    );
  }
  return { ...result, problems: fresh };
}
