import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { encode } from 'gpt-tokenizer';
import { agentReport } from '../../src/report/agent.ts';
import { compactReport } from '../../src/report/compact.ts';
import { jsonReport } from '../../src/report/json.ts';
import { jsonLinesReport } from '../../src/report/json-lines.ts';
import { textReport } from '../../src/report/text.ts';
import { rules } from '../../rules/index.ts';
import type { Problem } from '../../src/scan/problem.ts';
import { context, hostile, problemAt, projectResult, resultOf } from '../fakes/results.ts';

const hostileName = 'src/\\u{1b}[2J\\u{202e}%,:|`"<b>@all\\u{a}](x).ts';

describe('the text report', () => {
  it('shows characters that no one sees', () => {
    const [head, message] = textReport(resultOf([hostile]), context).split('\n');
    strictEqual(head, `${hostileName}:2:3  warning  no-wait`);
    match(message!, /^ {2}Waits for `\\u\{7\}\\u\{d\}\\u\{a\}"/);
  });
});

describe('the compact report', () => {
  it('is a line for every finding, worst first', () => {
    strictEqual(
      compactReport(resultOf([problemAt(2, 'warning'), problemAt(3, 'error')]), context),
      [
        'src/queue.ts:3:3: error no-wait: Waits on line 3.',
        'src/queue.ts:2:3: warning no-wait: Waits on line 2.',
        '',
      ].join('\n'),
    );
    strictEqual(compactReport(resultOf([hostile, hostile]), context).match(/\n/g)?.length, 2);
    strictEqual(compactReport(resultOf([]), context), '');
  });
});

describe('JSON lines', () => {
  it('are the findings of the JSON report', () => {
    const result = resultOf([problemAt(2, 'warning'), problemAt(3, 'error'), hostile]);
    const { findings } = JSON.parse(jsonReport(result, context)) as { findings: unknown[] };
    const lines = jsonLinesReport(result, context).trimEnd().split('\n');
    deepStrictEqual(
      lines.map((it) => JSON.parse(it) as unknown),
      findings,
    );
  });
});

describe('the agent report', () => {
  it('prints each advice once, with its places', () => {
    const elsewhere = { ...problemAt(5, 'warning'), path: '/project/src/my worker.ts' };
    const byHand = {
      ...problemAt(6, 'warning'),
      suggestions: [],
      fix: { steps: ['Ask first.', 'Then wait.'], changes: 'nothing' as const },
    };
    strictEqual(
      agentReport(
        resultOf([problemAt(2, 'warning'), problemAt(13, 'error'), elsewhere, byHand]),
        context,
      ),
      [
        'deadtime: 4 findings',
        'src/queue.ts:13,2 "src/my worker.ts":5 no-wait (changes load): Take the wait out.',
        'src/queue.ts:6 no-wait: Ask first. Then wait.',
        'Details: npx deadtime explain FILE:LINE',
        '',
      ].join('\n'),
    );
    strictEqual(agentReport(resultOf([]), context), 'deadtime: no findings\n');
  });

  const folder = `${process.cwd()}/fixtures/projects/parcel-tracker`;
  const tokensOf = (problems: readonly Problem[]) => {
    const text = agentReport({ problems }, { cwd: folder });
    return { text, tokens: encode(text).length };
  };
  const rulesOf = (problems: readonly Problem[]) =>
    new Set(problems.map((it) => it.finding.ruleId));

  it('takes 150 tokens at most for ten findings of three rules, with all their steps', async () => {
    const { problems } = await projectResult(folder);
    const ids = ['no-leaked-connection', 'no-hot-path-sleep', 'no-sequential-independent-awaits'];
    const some = problems.filter((it) => ids.includes(it.finding.ruleId));
    const ten = Array.from({ length: 10 }, (_, i) => some[i % some.length]!);
    deepStrictEqual(rulesOf(ten), new Set(ids));
    const { text, tokens } = tokensOf(ten);
    ok(tokens <= 150, `${tokens} tokens:\n${text}`);
    ok(text.includes(some[0]!.fix.steps.join(' ')));
  });

  it('takes 150 tokens at most for ten findings of six rules in five files, with their first steps', async () => {
    const { problems } = await projectResult(folder);
    const byRule = new Map(problems.map((it) => [it.finding.ruleId, it]));
    const six = [...byRule.values()].slice(0, 6);
    const further = six.map((it) => ({ ...it, start: { ...it.start, line: it.start.line + 31 } }));
    const ten = [...six, ...further].slice(0, 10);
    strictEqual(rulesOf(ten).size, 6);
    ok(new Set(ten.map((it) => it.path)).size >= 5);
    const { text, tokens } = tokensOf(ten);
    ok(tokens <= 150, `${tokens} tokens:\n${text}`);
    match(text, /^deadtime: 10 findings in src\/\n/);
    for (const { fix } of ten) ok(text.includes(fix.steps[0]!.slice(0, -1)), fix.steps[0]);
  });

  it('takes 150 tokens at most for ten findings of two rules with many steps, in seven files far below', async () => {
    const { problems } = await projectResult(folder);
    const ids = ['no-autocommit-in-loop', 'no-sequential-independent-awaits'];
    const some = problems.filter((it) => ids.includes(it.finding.ruleId));
    const ten = Array.from({ length: 10 }, (_, i) => ({
      ...some[i % some.length]!,
      path: `${folder}/packages/backend/src/tasks/lightning/sync-tasks/${i % 7}-importer.ts`,
    }));
    deepStrictEqual(rulesOf(ten), new Set(ids));
    const { text, tokens } = tokensOf(ten);
    ok(tokens <= 150, `${tokens} tokens:\n${text}`);
    for (const { fix } of ten) ok(text.includes(fix.steps[0]!.slice(0, -1)), fix.steps[0]);
  });

  it('needs first steps of few words from every rule', () => {
    const first = rules.flatMap(({ id, messages }) =>
      Object.entries(messages).map(([name, { fix }]) => ({ name: `${id} ${name}`, ...fix })),
    );
    const long = first.filter(({ steps }) => encode(steps[0] ?? '').length > 12);
    deepStrictEqual(
      long.map(({ name, steps }) => `${name}: ${steps[0]}`),
      [],
    );
  });
});
