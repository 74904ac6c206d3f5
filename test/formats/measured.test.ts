import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import type { Log } from 'sarif';
import { explanationOfFinding, explanationText } from '../../src/report/explanation.ts';
import { htmlReport } from '../../src/report/html.ts';
import { jsonReport } from '../../src/report/json.ts';
import { markdownReport } from '../../src/report/markdown.ts';
import { mergedReport } from '../../src/report/merge.ts';
import { sarifReport } from '../../src/report/sarif.ts';
import { textReport } from '../../src/report/text.ts';
import type { Measured, MeasuredCost } from '../../src/scan/measured-costs.ts';
import type { Problem } from '../../src/scan/problem.ts';
import { context, problemAt, resultOf } from '../fakes/results.ts';

const run = { startedAt: Date.UTC(2026, 10, 21), durationMs: 60_000, entries: 3_120 };
const cost: MeasuredCost = {
  ...{ state: 'measured', run, count: 1_236, totalMs: 1_812.8, togetherMs: 700 },
  entries: [
    {
      ...{ kind: 'http', name: 'GET /<b>::', count: 412, ran: 412 },
      ...{ totalMs: 1_812.8, togetherMs: 700 },
    },
    { kind: 'worker', name: 'mailer', count: 540, ran: 3, totalMs: 1 },
  ],
};
const text =
  'measured in your program: 4.4 ms per request in GET /<b>:: (412 requests), together at best 1.7 ms (estimated), and in 1 more kind of entries';
const didNotRun = 'did not run in this run (60 s, 3,120 entries)';

const measured = (line: number, it: Measured): Problem => ({
  ...problemAt(line, 'warning'),
  measured: it,
});
const result = resultOf([
  measured(1, { state: 'did-not-run', run }),
  problemAt(2, 'warning'),
  measured(3, { state: 'stale', run }),
  measured(4, cost),
]);

describe('reports of findings with measured costs', () => {
  it('have them in text, the costliest first, those that did not run last', () => {
    const lines = textReport(result, context).split('\n');
    deepStrictEqual(
      lines.filter((it) => /^src|measured|did not run/.test(it)),
      [
        'src/queue.ts:4:3  warning  no-wait',
        `  ${text}`,
        'src/queue.ts:2:3  warning  no-wait',
        'src/queue.ts:3:3  warning  no-wait',
        '  measured cost is stale: the code has changed since the run',
        'src/queue.ts:1:3  warning  no-wait',
        `  ${didNotRun}`,
      ],
    );
  });

  it('have them in JSON, in a field of its own', () => {
    const { findings } = JSON.parse(jsonReport(result, context)) as {
      readonly findings: readonly { readonly measuredInProgram?: unknown }[];
    };
    const ofRun = { ...run, startedAt: '2026-11-21T00:00:00.000Z' };
    deepStrictEqual(
      findings.map((it) => it.measuredInProgram),
      [
        { ...cost, text, run: ofRun },
        undefined,
        {
          state: 'stale',
          text: 'measured cost is stale: the code has changed since the run',
          run: ofRun,
        },
        { state: 'did-not-run', text: didNotRun, run: ofRun },
      ],
    );
  });

  it('have in SARIF how often the line ran', () => {
    const { runs } = JSON.parse(sarifReport(result, context)) as Log;
    deepStrictEqual(
      runs[0]!.results!.map((it) => [
        it.occurrenceCount,
        (it.properties!['measuredInProgram'] as { readonly state: string } | undefined)?.state,
      ]),
      [
        [1_236, 'measured'],
        [undefined, undefined],
        [undefined, 'stale'],
        [undefined, 'did-not-run'],
      ],
    );
  });

  for (const [name, format] of [
    ['JSON', jsonReport],
    ['SARIF', sarifReport],
  ] as const) {
    it(`keep their order in a merge of ${name}`, () => {
      const whole = format(result, context);
      const merged = mergedReport([{ name: 'all', text: whole }]);
      strictEqual('text' in merged && merged.text, whole);
    });
  }

  it('have them in HTML and Markdown, as text', () => {
    const page = htmlReport(result, context);
    match(
      page,
      /Measured in your program: 4\.4 ms per request in GET \/&lt;b&gt;:: \(412 requests\)/,
    );
    strictEqual(page.includes('<b>::'), false);
    match(markdownReport(result, context), /Measured in your program: 4\.4 ms .*GET \/&lt;b&gt;::/);
  });

  it('have them in an explanation, next to the cost', () => {
    const of = (problem: Problem) =>
      explanationText(
        explanationOfFinding({ problem, estimate: undefined, page: '', cwd: '/project' }),
        { hasColors: false },
      );
    match(of(measured(4, cost)), /\nCost\n {2}measured in your program: 4\.4 ms per request/);
    strictEqual(of(problemAt(4, 'warning')).includes('measured'), false);
  });

  it('state what a pool, an open await and a line outside of entries have cost', () => {
    const textOf = (it: Partial<MeasuredCost>) =>
      textReport(resultOf([measured(4, { ...cost, entries: [], ...it })]), context).split('\n')[2];
    strictEqual(
      textOf({ count: 1_776, totalMs: 1_776, pool: { p95Ms: 11, mostWaiting: 13 } }),
      '  measured in your program: 1,776 checkouts waited 1 ms each (p95 11 ms), at most 13 at a time',
    );
    strictEqual(
      textOf({ count: 0, totalMs: 0, open: { count: 3, oldestMs: 12_000 } }),
      '  measured in your program: has not ended (3 awaits open, the oldest for 12 s)',
    );
    strictEqual(
      textOf({ count: 2, totalMs: 30 }),
      '  measured in your program: 15 ms each time (2 times, outside of all entries)',
    );
  });
});
