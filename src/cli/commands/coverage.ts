import { coverageJson, coverageText } from '../../report/coverage.ts';
import {
  outcomesJson,
  outcomesText,
  questionsJson,
  questionsText,
} from '../../report/questions.ts';
import { noticeLines } from '../../report/text.ts';
import { createClock } from '../../scan/clock.ts';
import { type CoverageGrouping, type CoveredFile, summaryOf } from '../../scan/coverage-summary.ts';
import { isLeftOut } from '../../scan/left-out.ts';
import { projectModules } from '../../scan/project.ts';
import { questionsOf } from '../../scan/questions.ts';
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
import { parsedAnswer, recordAnswers } from './record-answers.ts';

export interface CoverageOptions extends TypesOption, TrustOption {
  readonly by: CoverageGrouping;
  readonly json?: boolean;
  /** Questions instead of the shares: what a declaration would settle. */
  readonly agent?: boolean;
  /** Answers to such questions, which are recorded. */
  readonly answer?: readonly string[];
  readonly ignorePattern?: readonly string[];
  readonly hasColors: boolean;
}

/**
 * Prints how much of what the code waits for is understood, and what hides the rest; or the questions whose answers would settle
 * that; or records answers. Returns the exit code.
 */
export async function coverage(
  paths: readonly string[],
  options: CoverageOptions,
): Promise<number> {
  const { by, json = false, agent = false, answer = [], hasColors } = options;
  const { ignorePattern: ignorePatterns = [] } = options;
  const answers = answer.map(parsedAnswer);
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
  if (answers.length > 0) {
    const outcomes = recordAnswers(answers, questionsOf([...covered.values()], root), root);
    process.stdout.write(json ? outcomesJson(outcomes) : outcomesText(outcomes));
    return outcomes.every(({ kind }) => kind !== 'refused') ? exitCodes.clean : exitCodes.usage;
  }
  if (agent) {
    const questions = questionsOf([...covered.values()], root);
    process.stdout.write(json ? questionsJson(questions, cwd) : questionsText(questions, cwd));
    return exitCodes.clean;
  }
  const summary = summaryOf([...covered.values()]);
  process.stdout.write(
    json ? coverageJson(summary, cwd) : coverageText(summary, { cwd, hasColors, by }),
  );
  return exitCodes.clean;
}
