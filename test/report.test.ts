import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { estimateOf } from '../src/proof/estimate.ts';
import { estimateLines } from '../src/report/hover.ts';
import { jsonReport } from '../src/report/json.ts';
import { shownPath } from '../src/report/path.ts';
import type { Notice } from '../src/scan/problem.ts';
import { noticeLine, noticeLines, textReport, timingReport } from '../src/report/text.ts';
import { problemAt, resultOf } from './fakes/results.ts';

describe('the JSON report', () => {
  it('has for every finding what other programs need', () => {
    const notices = [{ path: '/project/a.js', reason: 'binary', message: 'is binary' }] as const;
    const result = resultOf(
      [problemAt(2, 'warning', { evidence: { costMs: 9 }, cost: '9 ms', context: 'startup' })],
      notices,
    );
    deepStrictEqual(JSON.parse(jsonReport(result, { cwd: '/project' })), {
      version: 2,
      findings: [
        {
          ...{
            id: 'src/queue.ts:2:3',
            ruleId: 'no-wait',
            messageId: 'waits',
            file: 'src/queue.ts',
          },
          ...{ line: 2, column: 3, endLine: 2, endColumn: 8 },
          ...{ message: 'Waits on line 2.', severity: 'warning', confidence: 'high' },
          ...{ context: 'startup', cost: '9 ms', evidence: { costMs: 9 } },
          related: [{ file: '/elsewhere/db.ts', line: 7, column: 1, message: 'the pool' }],
          proof: 'npx deadtime prove src/queue.ts:2',
          fingerprint: '00000000000002',
          fix: {
            ...{ kind: 'edit', safety: 'load', edits: [{ range: [0, 5], text: '' }] },
            ...{ steps: ['Take the wait out.'] },
            verify: 'npx deadtime check src/queue.ts --rule no-wait --fail-on any',
          },
          suggestions: [{ title: 'Remove it', edits: [{ range: [0, 5], text: '' }] }],
        },
      ],
      notices: [{ file: 'a.js', reason: 'binary', message: 'is binary' }],
      stats: { files: 3, parsedFiles: 1, lines: 1_234, baselined: 0 },
    });
  });

  it('sorts by severity, by how often the place runs, by cost, then by place', () => {
    const problems = [
      problemAt(1, 'hint', { context: 'per-item' }),
      problemAt(2, 'warning'),
      problemAt(3, 'warning', { evidence: { costMs: 5 } }),
      problemAt(4, 'warning', { evidence: { sleepMs: 50 } }),
      problemAt(5, 'warning', { context: 'startup', evidence: { costMs: 900 } }),
      problemAt(6, 'warning', { context: 'per-request', evidence: { costMs: 1 } }),
      problemAt(7, 'warning', { context: 'per-item' }),
      problemAt(9, 'error'),
      problemAt(8, 'error'),
    ];
    const { findings } = JSON.parse(jsonReport(resultOf(problems), { cwd: '/project' })) as {
      findings: { line: number }[];
    };
    deepStrictEqual(
      findings.map((it) => it.line),
      [8, 9, 7, 6, 5, 4, 3, 2, 1],
    );
  });
});

describe('the text report', () => {
  const options = { cwd: '/project', hasColors: false };

  it('is a block for every finding and a count', () => {
    const problems = [
      problemAt(2, 'warning', { cost: '9 ms each time', context: 'per-item' }),
      problemAt(3, 'warning'),
    ];
    strictEqual(
      textReport(resultOf(problems), options),
      [
        'src/queue.ts:2:3  warning  no-wait',
        '  Waits on line 2.',
        '  Cost: 9 ms each time. Runs for every item',
        '    /elsewhere/db.ts:7  the pool',
        '  Prove it: npx deadtime prove src/queue.ts:2',
        '',
        'src/queue.ts:3:3  warning  no-wait',
        '  Waits on line 3.',
        '    /elsewhere/db.ts:7  the pool',
        '  Prove it: npx deadtime prove src/queue.ts:3',
        '',
        '2 findings (2 warnings) in 3 files, 1,234 lines.',
        '',
      ].join('\n'),
    );
  });

  it('has a message without findings', () => {
    strictEqual(
      textReport(resultOf([]), options),
      'No dead time found in 3 files, 1,234 lines. `deadtime coverage` shows what Deadtime understands of it.\n',
    );
  });

  it('has a line for every file that was left out', () => {
    const notice = { path: '/project/a.js', reason: 'binary', message: 'is binary' } as const;
    strictEqual(noticeLine(notice, '/project'), 'deadtime: a.js: is binary\n');
  });

  it('names ten of the files that one reason leaves out, and all that a comment gets wrong', () => {
    const of = (reason: Notice['reason'], count: number) =>
      Array.from({ length: count }, (_, i) => ({
        path: `/project/${i}.js`,
        reason,
        message: reason,
      }));
    const lines = noticeLines(
      [...of('minified', 12), ...of('syntax', 10), ...of('bundle', 11), ...of('suppression', 12)],
      '/project',
    );
    strictEqual(lines.length, 10 + 10 + 10 + 12 + 2);
    deepStrictEqual(
      [lines[9], lines[10], ...lines.slice(-2)],
      [
        'deadtime: 9.js: minified\n',
        'deadtime: 0.js: syntax\n',
        'deadtime: 2 more files ignored (minified); deadtime check --format json lists all.\n',
        'deadtime: 1 more file ignored (bundle); deadtime check --format json lists all.\n',
      ],
    );
  });

  it('prints where the time went, the longest stage first', () => {
    const spentMs = { parse: 2.26, 'no-wait': 4, read: 10, 'no-queue': 1 };
    strictEqual(
      timingReport({ spentMs }, ['no-wait', 'no-queue', 'no-nap']),
      `     10.0 ms  read
      4.0 ms  no-wait
      2.3 ms  parse
      1.0 ms  no-queue
      5.0 ms  all rules
     17.3 ms  all of this
`,
    );
  });
});

describe('shown paths', () => {
  it('are relative inside the working directory and absolute outside', () => {
    const shown = ['/project/a.js', '/project/..a/b.js', '/other/a.js'].map((it) =>
      shownPath(it, '/project'),
    );
    deepStrictEqual(shown, ['a.js', '..a/b.js', '/other/a.js']);
  });
});

describe('an estimate', () => {
  it('names what it counts', () => {
    const [sides] = estimateLines(estimateOf('no-nested-checkout', { max: 5 })!);
    strictEqual(sides, '5 vs 0 jobs that deadlock: `max vs 0`');
  });
});
