import { BaselineError, type BaselineEntry, baselineIn, comparedWith } from '../scan/baseline.ts';
import { isLeftOut } from '../scan/left-out.ts';
import { baselinedCount } from '../report/counts.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import { UsageError } from './failure.ts';
import type { Output } from './outputs.ts';

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

/** On stderr, where no report on standard output counts them. */
export function tellBaselined({ stats }: ScanResult, outputs: readonly Output[]): void {
  const count = baselinedCount(stats);
  const isCounted = outputs.some(({ format, path }) => path === undefined && COUNTING.has(format));
  if (count === undefined || isCounted) return;
  process.stderr.write(`deadtime: ${count}; --no-baseline also shows them\n`);
}

const COUNTING: ReadonlySet<Output['format']> = new Set(['text', 'agent', 'markdown']);

/** The result without the findings in the baseline of `root`, which it counts. */
export function withoutKnown(
  result: ScanResult,
  { root, files }: { root: string; files: Iterable<string> },
): ScanResult {
  const { problems } = result;
  const scanned = readWhole(files, result);
  const { fresh } = comparedWith(knownBaseline(root), problems, { root, scanned });
  const stats = { ...result.stats, baselined: problems.length - fresh.length };
  return { ...result, problems: fresh, stats };
}
