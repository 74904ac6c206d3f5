// Measures the second pass of the language server, which sends no message to the client when it ends without a new finding.
import { createAnalyst } from '../server/analysis/analyst.ts';
import { installedTypes } from '../src/project/typescript/provider.ts';
import type { Typing } from './commit-edits.ts';
import { applied } from '../tools/random-edits.ts';

/**
 * Milliseconds for each keystroke: asking the TypeScript of the project for all open types, and analysing again after a new
 * answer; without the pause before, which waits for further keystrokes. Texts that do not parse have no questions, and do not
 * count; nor does the first text with questions, for which the compiler starts.
 */
export async function secondPassTimes(
  path: string,
  root: string,
  { text, edits }: Typing,
): Promise<{ readonly times: readonly number[]; readonly questions: number }> {
  const analyst = createAnalyst();
  const failures: string[] = [];
  const types = installedTypes({ onFailure: (reason) => failures.push(reason) });
  const settings = {
    isEnabled: true,
    overrides: {},
    exclude: [],
    hasTypes: true,
    trustsConfiguration: false,
  };
  analyst.configure([{ path: root, ...settings }]);
  let questions = 0;
  const pass = async (now: string) => {
    analyst.setTexts([[path, now]]);
    let analysis = analyst.analyse(path, () => false);
    if (analysis.questions.length === 0) return;
    const start = performance.now();
    for (let round = 0; round < 3 && analysis.questions.length > 0; round++) {
      questions = analysis.questions.reduce((sum, it) => sum + it.ranges.length, 0);
      const asked = analysis.questions;
      const answers = await types.answersTo(asked, round === 0 ? [[path, now]] : []);
      const order = { kind: 'refine', path, questions: asked, answers } as const;
      const refined = analyst.refine(order, () => false);
      if (!refined) break;
      analysis = refined;
    }
    times.push(performance.now() - start);
  };
  const times: number[] = [];
  let now = text;
  await pass(now);
  for (const edit of edits) await pass((now = applied(now, edit)));
  types.end();
  if (failures.length > 0) throw new Error(failures.join(' '));
  return { times: times.slice(1), questions };
}
