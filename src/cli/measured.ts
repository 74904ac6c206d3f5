import { disk } from '../project/files.ts';
import { withMeasured } from '../scan/measured-costs.ts';
import type { ScanResult } from '../scan/scan-files.ts';

/** The findings with what `deadtime run` has measured of them in the folder; what is wrong with its file goes to stderr. */
export function withRecording<Result extends Pick<ScanResult, 'problems'>>(
  result: Result,
  cwd: string,
  {
    quiet = false,
    textOf = disk.read,
  }: { readonly quiet?: boolean | undefined; readonly textOf?: typeof disk.read },
): Result {
  const { problems, mistake } = withMeasured(result.problems, cwd, textOf);
  if (mistake !== undefined && !quiet) process.stderr.write(`deadtime: ${mistake}\n`);
  return { ...result, problems };
}
