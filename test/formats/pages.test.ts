import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from 'node:assert/strict';
import { htmlReport } from '../../src/report/html.ts';
import { markdownReport } from '../../src/report/markdown.ts';
import { context, hostile, problemAt, resultOf } from '../fakes/results.ts';

describe('the Markdown report', () => {
  it('is a table, the costliest first, and how to fix each finding', () => {
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

  it('stays below the size of a comment, and counts the omitted findings', () => {
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
    match(
      text,
      /<h1>Dead time in project<\/h1>\n<p>1 finding \(1 warning\) in 3 files, 1,234 lines · 2026-11-21 · Deadtime 1\.2\.3<\/p>/,
    );
    match(text, /<dd><code>\/elsewhere\/db\.ts:7<\/code> the pool<\/dd>/);
    match(text, /<dd><code>npx deadtime prove src\/queue\.ts:2<\/code><\/dd>/);
    doesNotMatch(text, /<script|https?:|src=/);
  });

  it('counts by level, rule and folder, and hides what is not chosen by style', () => {
    const other = { ...problemAt(3, 'error'), path: '/project/lib/db/pool.ts' };
    const text = htmlReport(
      resultOf([problemAt(2, 'warning'), problemAt(3, 'warning'), other]),
      context,
    );
    const rows = [...text.matchAll(/id="(\w+-\w+)"[^>]*><span class="name">([^<]+)<.*?<b>(\d+)</g)];
    deepStrictEqual(
      rows.map(([, ...row]) => row.join(' ')),
      [
        ...['level-all All 3', 'level-0 error 1', 'level-1 warning 2'],
        ...['rule-all All 3', 'rule-0 no-wait 3'],
        ...['folder-all All 3', 'folder-0 src 2', 'folder-1 lib/db 1'],
      ],
    );
    match(text, /<details class="finding level-0 rule-0 folder-1" id="finding-0">/);
    ok(text.includes('body:has(#level-1:checked) .finding:not(.level-1) { display: none; }'));
  });

  it('counts folders around folders where there are many', () => {
    const problems = Array.from({ length: 30 }, (_, i) => ({
      ...problemAt(2, 'warning'),
      path: `/project/src/${i % 3}/${i}/a.ts`,
    }));
    const names = htmlReport(resultOf(problems), context).matchAll(
      /id="folder-\d+"><span class="name">([^<]+)</g,
    );
    deepStrictEqual(
      [...names].map(([, name]) => name),
      ['src/0', 'src/1', 'src/2'],
    );
  });

  it('quotes the line and its surroundings, the reported part marked', () => {
    const text = htmlReport(resultOf([problemAt(2, 'warning')]), context);
    match(text, /<code class="line"><mark>await<\/mark> wait\(\);<\/code>/);
    match(
      text,
      /<pre><span class="near"><i>1<\/i> export async function drain\(\) \{<\/span>\n<span class="at"><i>2<\/i> {3}<mark>await<\/mark> wait\(\);<\/span>/,
    );
  });

  it('quotes nothing where the file has changed or gone', () => {
    const gone = { ...problemAt(2, 'warning'), path: '/project/src/gone.ts' };
    doesNotMatch(htmlReport(resultOf([gone, problemAt(99, 'warning')]), context), /<pre|"line"/);
  });

  it('links each finding to what its rule is about', () => {
    const text = htmlReport(resultOf([problemAt(2, 'warning')]), {
      ...context,
      pageOf: () =>
        '# no-wait\n\n## Why\n\nIt `waits`.\n\n## When to disable it\n\nIn tests.\n\n## Reference\n',
    });
    match(text, /<a href="#rule-no-wait">no-wait<\/a>/);
    match(
      text,
      /<div id="rule-no-wait"><p>It <code>waits<\/code>\.<\/p><p>When it is fine: In tests\.<\/p><\/div>/,
    );
  });

  it('shows text between backticks as code, and the cost with how often it is paid', () => {
    const message = 'The path by `return` loses `a<b>`. Release `a`.';
    const costly = problemAt(2, 'warning', { cost: '9 ms', context: 'per-item' });
    const text = htmlReport(resultOf([{ ...costly, message }]), context);
    match(
      text,
      /<span class="what">The path by <code>return<\/code> loses <code>a&lt;b&gt;<\/code>\.<\/span>/,
    );
    match(text, /<p>Release <code>a<\/code>\.<\/p>/);
    match(text, /<span class="cost">9 ms\. Runs for every item<\/span>/);
  });

  it('shows names and code as text', () => {
    const text = htmlReport(resultOf([hostile]), context);
    doesNotMatch(text, /<b>(?!\d)|[\x00-\x09\x0b-\x1f\u202e]/);
  });

  it('has a message without findings', () => {
    match(htmlReport(resultOf([]), context), /Deadtime found no dead time\./);
  });
});
