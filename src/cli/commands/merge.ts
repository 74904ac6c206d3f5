import { readFileSync } from 'node:fs';
import { mergedReport } from '../../report/merge.ts';
import { UsageError } from '../failure.ts';
import { tellLeftOut } from '../outputs.ts';
import { exitCodeFor, type Thresholds } from '../thresholds.ts';
import { writeFiles } from '../write-files.ts';

export interface MergeOptions extends Thresholds {
  readonly output?: string;
}

/** Puts the reports of a run's parts together, and returns the exit code that the whole run has. */
export function merge(paths: readonly string[], { output, ...thresholds }: MergeOptions): number {
  const report = mergedReport(paths.map((name) => ({ name, text: textOf(name) })));
  if ('mistake' in report) throw new UsageError(`Cannot merge: ${report.mistake}.`);
  if (report.leftOut > 0) tellLeftOut('sarif', report.leftOut);
  if (output === undefined) process.stdout.write(report.text);
  else writeFiles([{ path: output, text: report.text }]);
  return exitCodeFor(report.ranks, { ...thresholds, hasFailure: report.hasFailure });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${(error as Error).message}`);
  }
}
