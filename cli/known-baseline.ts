import {
  BaselineError,
  type BaselineEntry,
  baselineIn,
  baselineName,
  comparedWith,
} from '../scan/baseline.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import { UsageError } from './failure.ts';

/** Throws a `UsageError` where the file in `root` is no baseline. */
export function knownBaseline(root: string): readonly BaselineEntry[] {
  try {
    return baselineIn(root);
  } catch (error) {
    throw error instanceof BaselineError ? new UsageError(error.message) : error;
  }
}

/** The result without what is in the baseline of `root`; says on stderr how much that is. */
export function withoutKnown(
  result: ScanResult,
  { root, scanned, isQuiet }: { root: string; scanned: ReadonlySet<string>; isQuiet: boolean },
): ScanResult {
  const { problems } = result;
  const { fresh } = comparedWith(knownBaseline(root), problems, { root, scanned });
  const count = problems.length - fresh.length;
  if (count > 0 && !isQuiet) {
    process.stderr.write(
      `deadtime: ${count} more in ${baselineName}; --no-baseline shows them, too\n`,
    );
  }
  return { ...result, problems: fresh };
}
