import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { githubReport } from '../../src/report/github.ts';
import { gitlabReport } from '../../src/report/gitlab.ts';
import { junitReport } from '../../src/report/junit.ts';
import { context, hostile, problemAt, resultOf } from '../fakes/results.ts';

describe('the GitHub report', () => {
  it('has an annotation for every finding, by paths from the top of the repository', () => {
    strictEqual(
      githubReport(
        resultOf([problemAt(2, 'warning'), problemAt(3, 'error'), problemAt(4, 'hint')]),
        {
          root: '/project',
          cwd: '/project/src',
        },
      ),
      [
        '::error file=src/queue.ts,line=3,endLine=3,col=3,endColumn=8,title=deadtime/no-wait::Waits on line 3.%0AProve it: npx deadtime prove queue.ts:3',
        '::warning file=src/queue.ts,line=2,endLine=2,col=3,endColumn=8,title=deadtime/no-wait::Waits on line 2.%0AProve it: npx deadtime prove queue.ts:2',
        '::notice file=src/queue.ts,line=4,endLine=4,col=3,endColumn=8,title=deadtime/no-wait::Waits on line 4.%0AProve it: npx deadtime prove queue.ts:4',
        'deadtime: 3 findings (1 error, 1 warning, 1 hint)',
        '',
      ].join('\n'),
    );
  });

  it('keeps to ten of each kind, the costliest, and counts the others', () => {
    const warnings = Array.from({ length: 12 }, (_, i) =>
      problemAt(i + 1, 'warning', { evidence: { costMs: i } }),
    );
    const notes = Array.from({ length: 11 }, (_, i) =>
      problemAt(i + 1, i % 2 ? 'hint' : 'information'),
    );
    const lines = githubReport(resultOf([...notes, ...warnings]), context).split('\n');
    const annotated = lines.flatMap(
      (it) => /^::(\w+) .*?,line=(\d+)/.exec(it)?.slice(1, 3).join(' ') ?? [],
    );
    deepStrictEqual(annotated, [
      ...[12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((it) => `warning ${it}`),
      ...[1, 3, 5, 7, 9, 11, 2, 4, 6, 8].map((it) => `notice ${it}`),
    ]);
    match(lines.at(-2)!, /, 3 more in the step summary$/);
  });

  it('is one command per finding, for any file name', () => {
    const lines = githubReport(resultOf([hostile]), context).split('\n');
    strictEqual(lines.length, 3);
    const [, file, title, message] = /^::warning file=([^,]*),.*,title=([^,:]*)::(.*)$/.exec(
      lines[0]!,
    )!;
    strictEqual(file, 'src/\x1b[2J\u202e%25%2C%3A|`"<b>@all%0A](x).ts');
    strictEqual(title, 'deadtime/no-wait');
    ok(message!.includes('%250A::error::'));
  });
});

describe('the GitLab report', () => {
  it('has what Code Quality asks for', () => {
    const problems = [
      problemAt(2, 'warning'),
      problemAt(3, 'error'),
      problemAt(4, 'hint'),
      hostile,
    ];
    const issues = JSON.parse(gitlabReport(resultOf(problems), context)) as Record<
      string,
      unknown
    >[];
    deepStrictEqual(issues[0], {
      description: 'Waits on line 3.',
      check_name: 'deadtime/no-wait',
      fingerprint: '00000000000003',
      severity: 'critical',
      location: { path: 'src/queue.ts', lines: { begin: 3 } },
    });
    deepStrictEqual(
      issues.map((it) => [it['severity'], it['fingerprint']]),
      [
        ['critical', '00000000000003'],
        ['major', '00000000000002'],
        ['major', '00000000000002-2'],
        ['info', '00000000000004'],
      ],
    );
    strictEqual(gitlabReport(resultOf([]), context), '[]\n');
  });
});

describe('the JUnit report', () => {
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' });

  it('is a test case for every finding', () => {
    strictEqual(
      junitReport(resultOf([problemAt(2, 'warning')]), context),
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites name="deadtime" tests="1" failures="1">',
        '  <testsuite name="src/queue.ts" tests="1" failures="1">',
        '    <testcase classname="src/queue.ts" name="no-wait 2:3" file="src/queue.ts" line="2">',
        '      <failure type="warning" message="Waits on line 2.">src/queue.ts:2:3',
        'Prove it: npx deadtime prove src/queue.ts:2</failure>',
        '    </testcase>',
        '  </testsuite>',
        '</testsuites>',
        '',
      ].join('\n'),
    );
  });

  it('has one that passes when there is none', () => {
    const { testsuites } = parser.parse(junitReport(resultOf([]), context)) as {
      testsuites: { tests: string; failures: string };
    };
    deepStrictEqual([testsuites.tests, testsuites.failures], ['1', '0']);
  });

  it('is XML, for any file name and code', () => {
    const text = junitReport(resultOf([hostile, { ...hostile, message: '\ud800 \0' }]), context);
    strictEqual(XMLValidator.validate(text), true);
    ok(!/[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]/.test(text));
  });
});
