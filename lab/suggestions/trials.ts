import { readFileSync, writeFileSync } from 'node:fs';
import type { Edit, Finding } from '../../rules/define-rule.ts';
import { rules } from '../../rules/index.ts';
import { createClock } from '../../src/scan/clock.ts';
import { configurationsOf } from '../../src/scan/configuration.ts';
import { filesOf } from '../../src/scan/files.ts';
import type { Problem, TitledSuggestion } from '../../src/scan/problem.ts';
import { projectModules } from '../../src/scan/project.ts';
import { scanFiles } from '../../src/scan/scan-files.ts';
import { syntaxErrorsOf } from '../../test/syntax.ts';
import { edited } from '../seeds/edited.ts';
import { createTypeCheck, newAmong, type TypeCheck } from './type-check.ts';

/** What became of one suggestion. */
export interface Trial {
  readonly problem: Problem;
  readonly suggestion: TitledSuggestion;
  /** What is wrong with the file after it, if anything is. */
  readonly syntax: readonly string[];
  readonly types: readonly string[];
  /** The rule reports the same at the same place again. */
  readonly isReportedAgain: boolean;
}

/** Takes every suggestion of a folder that is an edit, one at a time, and puts back what was there. */
export async function* trialsIn(folder: string): AsyncGenerator<Trial> {
  const check = createTypeCheck();
  for (const problem of await problemsIn(folder, ['.'])) {
    for (const suggestion of problem.suggestions) {
      if (!suggestion.isNote) yield await trialOf(folder, check, { problem, suggestion });
    }
  }
}

async function trialOf(
  folder: string,
  check: TypeCheck,
  { problem, suggestion }: Pick<Trial, 'problem' | 'suggestion'>,
): Promise<Trial> {
  const { path } = problem;
  const before = readFileSync(path, 'utf8');
  const known = check.diagnosticsOf(path);
  // Offsets leave the byte-order mark out.
  const mark = before.startsWith('\uFEFF') ? '\uFEFF' : '';
  const after = edited(before.slice(mark.length), suggestion.edits);
  writeFileSync(path, mark + after);
  try {
    const again = await problemsIn(folder, [path]);
    return {
      ...{ problem, suggestion },
      syntax: syntaxErrorsOf(path, after),
      types: newAmong(check.diagnosticsOf(path), known),
      isReportedAgain: again.some((it) => isSame(it.finding, problem.finding, suggestion.edits)),
    };
  } finally {
    writeFileSync(path, before);
  }
}

/** Each file depends on the other files on disk, so the project is read again. */
async function problemsIn(folder: string, paths: readonly string[]): Promise<readonly Problem[]> {
  const { problems } = await scanFiles(filesOf(paths, { cwd: folder }), {
    ...{ rules, modules: projectModules(folder, createClock()) },
    configurations: configurationsOf(rules, { profile: 'audit' }),
  });
  return problems;
}

/** Whether what is found now is what was found before the edits, at the same place. */
export function isSame(now: Finding, before: Finding, edits: readonly Edit[]): boolean {
  if (now.ruleId !== before.ruleId || now.messageId !== before.messageId) return false;
  const [start, end] = before.range.map((it) => moved(it, edits)) as [number, number];
  return now.range[0] <= end && start <= now.range[1];
}

/** Where an offset is after the edits; one inside of replaced text, where that text starts. */
function moved(offset: number, edits: readonly Edit[]): number {
  return edits.reduce((at, { range, text }) => {
    if (range[1] <= offset) return at + text.length - (range[1] - range[0]);
    return range[0] < offset ? at - (offset - range[0]) : at;
  }, offset);
}
