import { deepStrictEqual, doesNotMatch, match, strictEqual } from 'node:assert/strict';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { agentReport } from '../../src/report/agent.ts';
import { compactReport } from '../../src/report/compact.ts';
import { explanationOfFinding, explanationText } from '../../src/report/explanation.ts';
import { fixPrompt } from '../../src/report/fix-prompt.ts';
import { formats } from '../../src/report/formats.ts';
import { githubReport } from '../../src/report/github.ts';
import { hoverText } from '../../src/report/hover.ts';
import { htmlReport } from '../../src/report/html.ts';
import { junitReport } from '../../src/report/junit.ts';
import { markdownReport } from '../../src/report/markdown.ts';
import { besideText } from '../../src/report/proof/beside.ts';
import { noticeLine, textReport } from '../../src/report/text.ts';
import { proofCommand, proofCommandAt } from '../../src/scan/proof-command.ts';
import { context, problemAt, resultOf } from '../fakes/results.ts';

/** What files may be called, and what code may hold that a message quotes. */
const attacks = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  ']]><!--',
  '`|`` | [a](javascript:alert(1)) ![](http://x.example/p.png) @all #1',
  'a\n\n::error file=x::y\r\n::stop-commands::z',
  '::add-mask::a',
  '##vso[task.setvariable variable=PATH]x ##[error]y ##teamcity[a]',
  '%0A::warning::',
  '\x1b[2J\x1b]8;;http://x.example\x07link\x1b]8;;\x07\x9b31m\x7f',
  'a\u202egnp.\u2066b\u200bc\u00ad\u2028d\u{e0041}\ufeff',
  '\ud800',
  '$(touch x) `touch x` ; & \' " \\',
  '__proto__',
];

const hostile = attacks.flatMap((it) => {
  const given = problemAt(2, 'warning', { cost: it, context: 'per-item' });
  const related = [{ ...given.related[0]!, path: `/project/${it}.ts`, message: it }];
  const suggestions = [{ ...given.suggestions[0]!, title: `Remove ${it}` }];
  const fix = { ...given.fix, steps: [`Take ${it} out.`] };
  const quoting = { ...given, message: `Waits for \`${it}\`.`, related, suggestions, fix };
  return ['', 'src/'].map((folder) => ({ ...quoting, path: `/project/${folder}${it}.ts` }));
});

/** Beside the end of a line. */
const unseen = /[^\P{C}\n]|[\p{Zl}\p{Zp}]/u;
const commandsOfLogs = /^\s*::|##(?:\[|vso\[|teamcity\[)/m;

describe('hostile names and code', () => {
  for (const problem of hostile) {
    const { finding, path } = problem;
    const name = JSON.stringify(path.slice('/project/'.length));
    const result = resultOf([problem], [{ path, reason: 'binary', message: problem.message }]);

    it(`do nothing in a terminal, in a log and before an agent: ${name}`, () => {
      const content = { problem, estimate: undefined, page: '', cwd: '/project' };
      const texts = [
        textReport(result, context),
        compactReport(result, context),
        agentReport(result, context),
        explanationText(explanationOfFinding(content), { hasColors: false }),
        fixPrompt({
          problem,
          file: path,
          proof: proofCommandAt(path, 2),
          measured: undefined,
          page: undefined,
        }),
        besideText(problem, path, { estimated: '1 ms', measured: '1 ms' }),
        noticeLine(result.notices[0]!, '/project'),
      ];
      for (const it of texts) {
        doesNotMatch(it, unseen);
        doesNotMatch(it, commandsOfLogs);
      }
    });

    it(`are text in HTML: ${name}`, () => {
      const text = htmlReport(result, context);
      doesNotMatch(text, /<(?:script|img)|href="(?!#rule-)/);
      doesNotMatch(text, unseen);
      strictEqual(text.match(/<details class="finding /g)?.length, 1);
    });

    it(`are text in Markdown: ${name}`, () => {
      for (const text of [markdownReport(result, context), hoverOf(problem)]) {
        // What is not between backticks.
        const open = text.replaceAll(/(`+)(?!`).+?(?<!`)\1(?!`)/g, '');
        doesNotMatch(open, /<(?:script|img)|@all|(?<!\\)\]\(|(?<!\\)!\[/);
        doesNotMatch(text, unseen);
      }
      const row = markdownReport(result, context)
        .split('\n')
        .find((it) => it.startsWith('| warn'));
      strictEqual(row!.match(/(?<!\\)\|/g)?.length, 5);
    });

    it(`are one annotation on GitHub: ${name}`, () => {
      const [annotation, ...rest] = githubReport(result, context).split('\n');
      match(
        annotation!,
        /^::warning file=[^:,]*,line=2,endLine=2,col=3,endColumn=8,title=deadtime\/no-wait::/,
      );
      deepStrictEqual(rest, ['deadtime: 1 finding (1 warning)', '']);
    });

    it(`are one test case in XML: ${name}`, () => {
      const text = junitReport(result, context);
      strictEqual(XMLValidator.validate(text), true);
      const parser = new XMLParser({ ignoreAttributes: false, isArray: () => true });
      const parsed = parser.parse(text) as {
        testsuites: { testsuite: { testcase: unknown[] }[] }[];
      };
      deepStrictEqual(
        parsed.testsuites.map((it) => it.testsuite.map((suite) => suite.testcase.length)),
        [[1]],
      );
    });

    it(`are strings in JSON: ${name}`, () => {
      for (const format of ['json', 'sarif', 'gitlab'] as const) {
        JSON.parse(formats[format](result, context));
      }
      strictEqual(formats.jsonl(result, context).split('\n').length, 2);
      strictEqual(finding.ruleId, 'no-wait');
    });
  }

  it('are no options of the commands that we show', () => {
    strictEqual(proofCommandAt('--html=x.js', 2), 'npx deadtime prove ./--html=x.js:2');
    strictEqual(proofCommandAt("a'$(b)", 2), `npx deadtime prove 'a'\\''$(b):2'`);
  });
});

/** Without the link at its end, which lies below a folder that may be called anything. */
function hoverOf(problem: (typeof hostile)[number]): string {
  const proof = proofCommand(problem.path, problem);
  const link = 'file:///a)[b](command:c)/README.md';
  const rest = {
    isMessageShown: false,
    estimate: undefined,
    measured: undefined,
    page: undefined,
    link,
  };
  const end = '[no-wait](file:///a%29[b]%28command:c%29/README.md)';
  const text = hoverText({ problem, proof, ...rest });
  strictEqual(text.slice(-end.length), end);
  return text.slice(0, -end.length);
}
