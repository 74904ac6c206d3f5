import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from 'node:assert/strict';
import { htmlReport } from '../../src/report/html.ts';
import { markdownReport } from '../../src/report/markdown.ts';
import { context, hostile, problemAt, resultOf } from '../fakes/results.ts';

describe('the Markdown report', () => {
  it('is a table, the costliest first, and how to mend each finding', () => {
    const problems = [
      problemAt(2, 'warning'),
      problemAt(3, 'error', { cost: '9 ms each time', context: 'per-item' }),
    ];
    strictEqual(
      markdownReport(resultOf(problems), context),
      [
        '<!-- deadtime -->',
        '### Deadtime: 2 findings (1 error, 1 warning)',
        '',
        '| Severity | Where | What | Cost |',
        '| --- | --- | --- | --- |',
        '| error | `src/queue.ts:3` | **no-wait**: Waits on line 3. | 9 ms each time. Runs for every item |',
        '| warning | `src/queue.ts:2` | **no-wait**: Waits on line 2. |  |',
        '',
        '<details><summary>How to fix, and how to measure</summary>',
        '',
        '- `src/queue.ts:3`',
        '  - Remove it \\(more runs concurrently: keep it within the pool’s size\\)',
        '  - Prove it: `npx deadtime prove src/queue.ts:3`',
        '- `src/queue.ts:2`',
        '  - Remove it \\(more runs concurrently: keep it within the pool’s size\\)',
        '  - Prove it: `npx deadtime prove src/queue.ts:2`',
        '',
        '</details>',
        '',
      ].join('\n'),
    );
    match(markdownReport(resultOf([]), context), /found no dead time/);
  });

  it('stays below the size of a comment, and says what it leaves out', () => {
    const problems = Array.from({ length: 2_000 }, (_, i) => problemAt(i + 1, 'warning'));
    const text = markdownReport(resultOf(problems), context);
    ok(text.length < 65_536);
    const rows = text.match(/^\| warning /gm)!.length;
    ok(rows > 100);
    ok(text.includes(`\n${(2_000 - rows).toLocaleString('en')} findings more: \`npx deadtime\``));
    match(text, /<\/details>\n$/);
  });

  it('shows names and code as they are, without markup, links or mentions', () => {
    const row = markdownReport(resultOf([hostile]), context)
      .split('\n')
      .find((it) => it.startsWith('| warning'))!;
    deepStrictEqual(row.match(/(?<!\\)\|/g)?.length, 5);
    // What is not between backticks.
    const open = row.replaceAll(/(`+)(?!`).+?(?<!`)\1(?!`)/g, '');
    doesNotMatch(open, /<(?!!-- -->)|@all|(?<!\\)\]\(|:\/\//);
  });
});

describe('the HTML report', () => {
  it('is one file without scripts and network', () => {
    const text = htmlReport(resultOf([problemAt(2, 'warning', { cost: '9 ms' })]), context);
    match(text, /^<!doctype html>/);
    match(text, /default-src 'none'; style-src 'unsafe-inline'/);
    match(text, /<h1>Deadtime: 1 finding \(1 warning\)<\/h1>\n<p>In 3 files, 1,234 lines\.<\/p>/);
    match(
      text,
      /<tr><td>warning<\/td><td><a href="#finding-0"><code>src\/queue\.ts:2:3<\/code><\/a><\/td><td>no-wait<\/td><td>9 ms<\/td><\/tr>/,
    );
    match(text, /<li>\/elsewhere\/db\.ts:7 {2}the pool<\/li>/);
    match(text, /<li><code>npx deadtime prove src\/queue\.ts:2<\/code><\/li>/);
    doesNotMatch(text, /<script|https?:|src=/);
  });

  it('shows what stands between backticks as code, and names the cost as the text does', () => {
    const message = 'The path by `return` loses `a<b>`.';
    const text = htmlReport(
      resultOf([{ ...problemAt(2, 'warning', { cost: '9 ms' }), message }]),
      context,
    );
    match(text, /<p>The path by <code>return<\/code> loses <code>a&lt;b&gt;<\/code>\.<\/p>/);
    match(text, /<strong>Cost: 9 ms<\/strong>/);
  });

  it('shows names and code as text', () => {
    const text = htmlReport(resultOf([hostile]), context);
    doesNotMatch(text, /<b>|<\/b>|[\x00-\x09\x0b-\x1f\u202e]/);
  });

  it('says so when there is nothing', () => {
    match(htmlReport(resultOf([]), context), /<h1>Deadtime: 0 findings<\/h1>/);
  });
});
