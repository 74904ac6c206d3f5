import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { jsonReport } from '../report/json.ts';
import { shownPath } from '../report/path.ts';
import { noticeLine, textReport, timingReport } from '../report/text.ts';
import type { Evidence, Severity } from '../rules/define-rule.ts';
import type { Context, Problem } from '../scan/problem.ts';
import type { ScanResult } from '../scan/scan-files.ts';

function problemAt(
  line: number,
  severity: Severity,
  more: { evidence?: Evidence; cost?: string; context?: Context } = {},
): Problem {
  const { evidence = {}, cost, context = 'unknown' } = more;
  const path = '/project/src/queue.ts';
  const start = { line, column: 3 };
  return {
    finding: {
      ...{ ruleId: 'no-wait', messageId: 'waits', confidence: 'high', related: [] },
      ...{ range: [line * 100, line * 100 + 5], evidence, severity, suggestions: [] },
    },
    ...{ path, start, end: { line, column: 8 }, message: `Waits on line ${line}.`, cost, context },
    related: [{ path: '/elsewhere/db.ts', start: at(7, 1), end: at(7, 5), message: 'the pool' }],
    suggestions: [{ title: 'Remove it', edits: [{ range: [0, 5], text: '' }], changes: 'load' }],
    ...{ unit: [0, 1_000], switchOffAt: line * 100 - 2 },
    fingerprint: `0000000000000${line}`,
  };
}

function at(line: number, column: number) {
  return { line, column };
}

function resultOf(problems: readonly Problem[], notices: ScanResult['notices'] = []): ScanResult {
  const stats = { files: 3, parsedFiles: 1, lines: 1_234, spentMs: { parse: 2.26, read: 10 } };
  return { problems, notices, stats };
}

describe('the JSON report', () => {
  it('has for every finding what other programs need', () => {
    const notices = [{ path: '/project/a.js', reason: 'binary', message: 'is binary' }] as const;
    const result = resultOf(
      [problemAt(2, 'warning', { evidence: { costMs: 9 }, cost: '9 ms', context: 'startup' })],
      notices,
    );
    deepStrictEqual(JSON.parse(jsonReport(result, '/project')), {
      version: 1,
      findings: [
        {
          ...{ ruleId: 'no-wait', messageId: 'waits', file: 'src/queue.ts' },
          ...{ line: 2, column: 3, endLine: 2, endColumn: 8 },
          ...{ message: 'Waits on line 2.', severity: 'warning', confidence: 'high' },
          ...{ context: 'startup', cost: '9 ms', evidence: { costMs: 9 } },
          related: [{ file: '/elsewhere/db.ts', line: 7, column: 1, message: 'the pool' }],
          proof: 'npx deadtime prove src/queue.ts:2',
          fingerprint: '00000000000002',
          suggestions: [{ title: 'Remove it', edits: [{ range: [0, 5], text: '' }] }],
        },
      ],
      notices: [{ file: 'a.js', reason: 'binary', message: 'is binary' }],
      stats: { files: 3, parsedFiles: 1, lines: 1_234, spentMs: { parse: 2.26, read: 10 } },
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
    const { findings } = JSON.parse(jsonReport(resultOf(problems), '/project')) as {
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

  it('says so when there is nothing', () => {
    strictEqual(textReport(resultOf([]), options), 'No dead time found in 3 files, 1,234 lines.\n');
  });

  it('has a line for every file that was left out', () => {
    const notice = { path: '/project/a.js', reason: 'binary', message: 'is binary' } as const;
    strictEqual(noticeLine(notice, '/project'), 'deadtime: a.js: is binary\n');
  });

  it('says where the time went, the longest stage first', () => {
    strictEqual(timingReport(resultOf([]).stats), '     10.0 ms  read\n      2.3 ms  parse\n');
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
