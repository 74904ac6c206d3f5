import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { countTokens } from 'gpt-tokenizer';
import { fixOf, waysOf } from '../src/report/fix.ts';
import { fixPrompt } from '../src/report/fix-prompt.ts';
import type { Problem } from '../src/scan/problem.ts';
import { proofCommand } from '../src/scan/proof-command.ts';
import { problemAt, projectResult } from './fakes/results.ts';

/** Somebody pastes it into a conversation. What was measured comes on top. */
const MOST_TOKENS = 200;

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
      'Take the wait out (the order of effects changes).',
    ]);
  });

  it('are none where no fix exists', () => {
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

  it('leave no placeholder open, and are the text of the prompt for an agent', async () => {
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

  it(`make a prompt of at most ${MOST_TOKENS} tokens, with the main exception of the rule`, async () => {
    const root = resolve('fixtures/projects');
    const problems: Problem[] = [];
    for (const it of readdirSync(root))
      problems.push(...(await projectResult(join(root, it))).problems);
    ok(new Set(problems.map((it) => it.finding.ruleId)).size >= 8);
    for (const problem of problems) {
      const file = relative(root, problem.path).split(sep).slice(1).join('/');
      const { ruleId } = problem.finding;
      const page = readFileSync(`rules/${ruleId}/README.md`, 'utf8');
      const proof = proofCommand(file, problem);
      const prompt = fixPrompt({ problem, file, proof, measured: undefined, page });
      const tokens = countTokens(prompt);
      ok(tokens <= MOST_TOKENS, `${ruleId}: ${tokens} tokens\n${prompt}`);
      match(prompt, /^Exception: \S.+\.$/m);
      doesNotMatch(prompt, /\\u\{/);
    }
  });

  it('point to places in other files by their names, and not to the line itself', () => {
    const { related } = found;
    const [here, own] = [4, found.start.line].map((line) => {
      return { ...related[0]!, path: found.path, start: { line, column: 1 } };
    });
    const problem = { ...found, related: [...related, here!, own!] };
    const none = { proof: undefined, measured: undefined, page: undefined };
    const prompt = fixPrompt({ problem, file, ...none });
    deepStrictEqual(prompt.match(/^See .+$/gm), ['See db.ts:7: the pool', 'See line 4: the pool']);
  });
});
