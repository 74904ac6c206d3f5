import { coverageJson, coverageText } from '../../report/coverage.ts';
import { noticeLines } from '../../report/text.ts';
import { createClock } from '../../scan/clock.ts';
import { type CoverageGrouping, type CoveredFile, summaryOf } from '../../scan/coverage-summary.ts';
import { isLeftOut } from '../../scan/left-out.ts';
import { projectModules } from '../../scan/project.ts';
import { rootAround } from '../../scan/repository.ts';
import { scanFiles } from '../../scan/scan-files.ts';
import { exitCodes } from '../failure.ts';
import { namedFiles } from '../named-files.ts';
import { nothingScanned } from '../nothing-scanned.ts';
import { progressLine } from '../progress.ts';
import { timeLimit } from '../time-limit.ts';
import { diskFor, type TrustOption } from '../trust.ts';
import { askedTypes, type TypesOption } from '../types.ts';
import { understood } from '../understood.ts';
import { setFlags } from '../v8-flags.ts';

export interface CoverageOptions extends TypesOption, TrustOption {
  readonly by: CoverageGrouping;
  readonly json?: boolean;
  readonly ignorePattern?: readonly string[];
  readonly hasColors: boolean;
}

/** Prints how much of what the code waits for is understood, and what hides the rest. Returns the exit code. */
export async function coverage(
  paths: readonly string[],
  { by, json = false, ignorePattern: ignorePatterns = [], hasColors, ...options }: CoverageOptions,
): Promise<number> {
  const cwd = process.cwd();
  const root = rootAround(cwd);
  const found = namedFiles(paths, { cwd, ignorePatterns });
  const files = await diskFor(options);
  const configurations = understood(found.files, undefined, files, root);
  const clock = createClock();
  const progress = progressLine();
  const { end, ...asked } = askedTypes(options);
  const modules = projectModules(root, clock, { ...asked, files, isForOneScan: true });
  // A file is scanned again where types have answered.
  const covered = new Map<string, CoveredFile>();
  setFlags('whileScanning');
  const { notices, stats } = await scanFiles(
    found,
    {
      ...asked,
      ...{ rules: [], measuresCoverage: true, configurations, clock, modules },
      watch: timeLimit(cwd),
      onScanned: (path, file) => {
        if (file.coverage) covered.set(path, { path, ...file.coverage });
      },
    },
    (done) => progress.show(`${done} of ${found.files.length} files`),
  ).finally(() => {
    end();
    setFlags('own');
    progress.clear();
  });
  for (const it of noticeLines(notices.filter(isLeftOut), cwd)) process.stderr.write(it);
  if (stats.files === 0) {
    process.stderr.write(`deadtime: ${nothingScanned(paths, { cwd, ignorePatterns })}\n`);
    return exitCodes.usage;
  }
  const summary = summaryOf([...covered.values()]);
  process.stdout.write(
    json ? coverageJson(summary, cwd) : coverageText(summary, { cwd, hasColors, by }),
  );
  return exitCodes.clean;
}
