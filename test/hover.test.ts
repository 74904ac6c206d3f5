import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { rules } from '../rules/index.ts';
import { estimateOf } from '../src/proof/estimate.ts';
import { type HoverContent, hoverText } from '../src/report/hover.ts';
import type { Measured, MeasuredCost } from '../src/scan/measured-costs.ts';
import type { Problem } from '../src/scan/problem.ts';
import { proofCommand } from '../src/scan/proof-command.ts';
import { createScanner } from '../src/scan/scan.ts';

/** What fits the hover of an editor of usual size without scrolling. */
const hoverSize = { lines: 12, columns: 90 };

const scanner = createScanner({ rules, profile: 'audit' });

function problemsOf(path: string): readonly Problem[] {
  return scanner.scan(readFileSync(path, 'utf8'), path, { isNamed: false }).problems;
}

function contentOf(problem: Problem): HoverContent {
  const { ruleId, evidence } = problem.finding;
  return {
    problem,
    isMessageShown: false,
    proof: proofCommand('src/jobs/worker.ts', problem),
    estimate: estimateOf(ruleId, evidence),
    measured: undefined,
    page: readFileSync(`rules/${ruleId}/README.md`, 'utf8'),
    link: 'page',
  };
}

function labelsOf(text: string): readonly string[] {
  return text.split('\n\n').map((it) => /^\*\*(.+?):\*\*/.exec(it)?.[1] ?? 'message');
}

/** As it is drawn: without marks and addresses. */
function linesOf(text: string): number {
  const drawn = text.replaceAll('**', '').replaceAll('](page)', ']');
  const rows = drawn.split('\n\n').map((it) => Math.ceil(it.length / hoverSize.columns));
  return rows.reduce((sum, it) => sum + it, 0);
}

const cost: Measured = {
  ...{ state: 'measured', count: 412, totalMs: 1_812, togetherMs: 700 },
  run: { startedAt: 0, durationMs: 60_000, entries: 3_120 },
  entries: [
    {
      ...{ kind: 'http', name: 'GET /api/customers/:id/orders/:order', count: 412, ran: 400 },
      ...{ totalMs: 1_812, togetherMs: 700 },
    },
  ],
};

const { run } = cost;
const didNotRun: Measured = { state: 'did-not-run', run };
const stale: Measured = { state: 'stale', run };

describe('the hover of a finding', () => {
  for (const { id } of rules) {
    it(`of ${id} has its parts in order, in at most ${hoverSize.lines} lines`, () => {
      // A tenth of them: rules.test.ts holds the messages of all.
      const paths = globSync(`fixtures/${id}/reports/*.ts`)
        .toSorted()
        .filter((_, i) => i % 10 === 0);
      const problems = paths.flatMap(problemsOf).filter(({ finding }) => finding.ruleId === id);
      ok(problems.length > 0);
      for (const problem of problems) {
        const text = hoverText(contentOf(problem));
        const labels = ['message', 'Cost', 'Fix', 'When it is fine', 'Prove'];
        deepStrictEqual(
          labelsOf(text),
          labels.filter((it) => it !== 'Cost' || text.includes('**Cost:**')),
        );
        ok(linesOf(text) <= hoverSize.lines, text);
        for (const measured of [cost, didNotRun, stale]) {
          const inProgram = hoverText(contentOf({ ...problem, measured }));
          ok(linesOf(inProgram) <= hoverSize.lines, inProgram);
        }
      }
    });
  }

  it('leaves the message out where the editor shows it', () => {
    const [problem] = problemsOf('fixtures/editor/shop/src/worker.ts');
    const text = hoverText({ ...contentOf(problem!), isMessageShown: true });
    deepStrictEqual(labelsOf(text), ['Cost', 'Fix', 'When it is fine', 'Prove']);
  });

  it('shows the cost in the program instead of an estimate, or that it is stale', () => {
    const [problem] = problemsOf('fixtures/editor/shop/src/worker.ts');
    const costOf = (measured: Measured) =>
      hoverText(contentOf({ ...problem!, measured })).split('\n\n')[1]!;
    match(
      costOf(cost),
      /Measured in your program: 4\.4 ms per request in GET \/api\/customers\/:id\/orders\/:order \(ran in 400 of 412 requests\), together at best 1\.7 ms \(estimated\)\./,
    );
    strictEqual(costOf(cost).includes('Estimated'), false);
    match(costOf(stale), /Measured cost is stale: the code has changed/);
    match(
      costOf({ state: 'stale', run, before: cost as MeasuredCost }),
      /Stale, the code has changed since it was measured in your program: 4\.4 ms per request/,
    );
  });

  it('shows a measurement instead of an estimate, and no estimate without a difference', () => {
    const [problem] = problemsOf('fixtures/editor/shop/src/worker.ts');
    const content = contentOf(problem!);
    const prediction = { ...content.estimate!.prediction!, flagged: 2, mended: 2 };
    const costOf = (more: Partial<HoverContent>) =>
      hoverText({ ...content, ...more }).split('\n\n')[1];
    strictEqual(
      costOf({ measured: '11x slower (2026-11-21, Node.js v24, A processor)' }),
      '**Cost:** 100 ms each time, at most 10 per second. Runs for every job. Measured: 11x slower (2026-11-21, Node.js v24, A processor).',
    );
    strictEqual(
      costOf({ estimate: { ...content.estimate!, prediction } }),
      '**Cost:** 100 ms each time, at most 10 per second. Runs for every job.',
    );
  });
});
