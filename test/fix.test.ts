import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { fixOf, waysOf } from '../report/fix.ts';
import { fixPrompt } from '../report/fix-prompt.ts';
import type { Problem } from '../scan/problem.ts';
import { problemAt, projectResult } from './fakes/results.ts';

const file = 'src/queue.ts';
const found = problemAt(2, 'warning');

describe('fix instructions', () => {
  it('are the first edit, and the promise that it gives up', () => {
    deepStrictEqual(fixOf(found, file), {
      kind: 'edit',
      safety: 'load',
      edits: [{ range: [0, 5], text: '' }],
      steps: ['Take the wait out.'],
      verify: 'npx deadtime check src/queue.ts --rule no-wait --fail-on any',
    });
  });

  it('are steps where the only edit writes a note', () => {
    const note = { ...found.suggestions[0]!, changes: 'nothing', isNote: true } as const;
    const { kind, safety, edits } = fixOf({ ...found, suggestions: [note] }, file);
    deepStrictEqual([kind, safety, edits], ['steps', 'order', []]);
    deepStrictEqual(waysOf({ ...found, suggestions: [note] }), [
      'Take the wait out. (the order of effects changes)',
    ]);
  });

  it('are none where nobody knows any', () => {
    const problem: Problem = { ...found, suggestions: [], fix: { steps: [], changes: 'nothing' } };
    const { kind, safety } = fixOf(problem, file);
    deepStrictEqual([kind, safety, waysOf(problem)], ['none', 'safe', []]);
  });

  it('verify with the profile that shows the finding', () => {
    const verify = (finding: Partial<Problem['finding']>, path = file) =>
      fixOf({ ...found, finding: { ...found.finding, ...finding } }, path).verify;
    match(verify({ severity: 'hint' }), / --rule no-wait --profile strict --fail-on any$/);
    match(verify({ confidence: 'audit' }), / --profile audit --fail-on any$/);
    match(verify({}, "it's.ts"), /check 'it'\\''s\.ts' --rule/);
  });

  it('leave no placeholder open, and are what the prompt for an agent says', async () => {
    const { problems } = await projectResult('fixtures/projects/parcel-tracker');
    ok(problems.length > 0);
    for (const problem of problems) {
      const { steps, verify } = fixOf(problem, file);
      ok(!steps.join(' ').includes('{{'), steps.join(' '));
      const none = { proof: undefined, measured: undefined, page: undefined };
      const prompt = fixPrompt({ problem, file, ...none });
      ok(prompt.includes(`Check: ${verify}\n`));
      for (const way of waysOf(problem)) ok(prompt.includes(`- ${way}\n`));
    }
    strictEqual(new Set(problems.map((it) => fixOf(it, file).kind)).has('edit'), true);
  });
});
