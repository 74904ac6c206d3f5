import { deepStrictEqual, match, ok, strictEqual, throws } from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as typescriptParser from '@typescript-eslint/parser';
import { Linter, RuleTester } from 'eslint';
import * as eslint9 from 'eslint9';
import { headlineOf } from '../src/eslint/headline.ts';
import plugin, { findingsOf } from '../src/eslint/plugin.ts';
import { type Finding, isShown, type Profile, type Rule } from '../rules/define-rule.ts';
import { rules } from '../rules/index.ts';
import { positionsOf } from '../src/scan/positions.ts';
import {
  applied,
  findingsOf as expectedOf,
  type FixtureFile,
  fixturesOf,
  projectOf,
} from './fixtures.ts';
import { temporaryProject } from './projects.ts';
import { isFull, sampled } from './lanes.ts';

const hosts = {
  ...(isFull && { 'ESLint 9': eslint9.RuleTester as unknown as typeof RuleTester }),
  'ESLint 10': RuleTester,
};
const parsers = {
  '@typescript-eslint/parser': typescriptParser as Linter.Parser,
  espree: undefined,
};

const cases = new Map(rules.map((rule) => [rule, filesFor(rule).map((it) => caseOf(rule, it))]));

for (const [hostName, Host] of Object.entries(hosts)) {
  for (const [parserName, parser] of Object.entries(parsers)) {
    describe(`${hostName}, ${parserName}`, () => {
      const tester = new Host({
        languageOptions: {
          ...(parser ? { parser } : {}),
          parserOptions: { ecmaFeatures: { jsx: true } },
        },
      });
      for (const [rule, all] of cases) {
        const read = all.filter((it) => parser !== undefined || it.isPlain);
        const [valid, invalid] = [true, false].map((isSilent) =>
          read.filter((it) => (it.test.errors.length === 0) === isSilent).map((it) => it.test),
        );
        const suite = {
          valid: valid!.map(({ errors: _, ...rest }) => rest),
          invalid: invalid!,
          assertionOptions: { requireMessage: true, requireLocation: true },
        };
        tester.run(rule.id, plugin.rules[rule.id]!, suite);
      }
    });
  }
}

describe('plugin', () => {
  it('has name, version and namespace', () => {
    const { name, version, namespace } = plugin.meta;
    deepStrictEqual({ name, namespace }, { name: 'deadtime', namespace: 'deadtime' });
    match(version, /^\d+\.\d+\.\d+/);
  });

  it('has named flat configs', () => {
    deepStrictEqual(
      Object.entries(plugin.configs).map(([key, { name }]) => [key, name]),
      ['recommended', 'strict', 'all', 'tests-off'].map((it) => [it, `deadtime/${it}`]),
    );
  });

  for (const [name, profile] of [
    ['recommended', 'recommended'],
    ['strict', 'strict'],
    ['all', 'audit'],
  ] as const) {
    it(`makes an error in ${name} only of rules that report nothing else`, () => {
      const levels = Object.entries(plugin.configs[name].rules!).map(([id, level]) => [
        id,
        Array.isArray(level) ? (level as unknown[])[0] : level,
      ]);
      const expected = rules.map((rule) => {
        const all = severitiesIn(rule, profile);
        const least = all.every((it) => it === 'error') ? 'error' : 'warn';
        return [`deadtime/${rule.id}`, all.length === 0 ? 'off' : least];
      });
      deepStrictEqual(levels, expected);
    });
  }

  it('warns of a pool without a time-out, which is information', () => {
    const linter = new Linter({ configType: 'flat' });
    const code = poolModule.replace('()', '({ max: 5 })');
    const messages = linter.verify(code, [plugin.configs.recommended], 'src/db.mjs');
    deepStrictEqual(
      messages.map((it) => [it.ruleId, it.messageId, it.severity]),
      [['deadtime/require-pool-limits', 'waitsForEver', 1]],
    );
  });

  it('writes what happens and what to do in 97 characters, of which the default output makes 160', () => {
    for (const [rule, all] of cases) {
      for (const { headlines } of all) {
        for (const it of headlines) ok(it.length <= 97 && !it.includes('{{'), `${rule.id}: ${it}`);
      }
    }
    const rule = rules.find(({ id }) => id === 'no-false-parallelism')!;
    const headline = (connection: string) =>
      headlineOf(rule, {
        ...{ ruleId: rule.id, messageId: 'queued', range: [0, 1], severity: 'information' },
        ...{ confidence: 'high', related: [], suggestions: [] },
        evidence: { calls: 'These 2 calls', driver: 'knex', handle: connection },
      });
    ok(headline('x'.repeat(200)).length <= 97);
  });

  it('turns every rule off in tests', () => {
    const config = [plugin.configs.all, plugin.configs['tests-off']];
    const linter = new Linter({ configType: 'flat' });
    const { code, filename } = reportedExample();
    ok(linter.verify(code, config, filename).length > 0);
    deepStrictEqual(linter.verify(code, config, filename.replace(/(\.\w+)$/, '.test$1')), []);
  });

  for (const rule of rules) {
    const meta = plugin.rules[rule.id]!.meta!;

    it(`${rule.id} is described as ESLint wants it`, () => {
      strictEqual(meta.type, 'problem');
      strictEqual(meta.docs!.description, rule.description);
      ok(existsSync(fileURLToPath(meta.docs!.url!)), meta.docs!.url);
      strictEqual(meta.hasSuggestions, Object.keys(rule.suggestions).length > 0);
      deepStrictEqual(meta.defaultOptions, [{ profile: 'recommended', ...defaultsOf(rule) }]);
    });

    it(`${rule.id} refuses options that it does not have`, () => {
      const linter = new Linter({ configType: 'flat' });
      const lint = (options: object) =>
        linter.verify('', {
          plugins: { deadtime: plugin },
          rules: { [`deadtime/${rule.id}`]: ['warn', options] },
        });
      deepStrictEqual(lint({ profile: 'strict' }), []);
      throws(() => lint({ profile: 'everything' }));
      throws(() => lint({ colour: 'red' }));
    });
  }

  it('keeps the findings behind its messages', () => {
    const { code, filename } = reportedExample();
    const linter = new Linter({ configType: 'flat' });
    const messages = linter.verify(code, [plugin.configs.all], filename);
    const findings = findingsOf(linter.getSourceCode().ast as never);
    deepStrictEqual(
      findings.map(({ ruleId, messageId }) => [`deadtime/${ruleId}`, messageId]),
      messages.map(({ ruleId, messageId }) => [ruleId, messageId]),
    );
  });

  it('sees the change of a file that the linted one imports', () => {
    const reader = reportedExample().code.replace(/import pg.*|const pool.*/g, '');
    const project = temporaryProject(new Map([['db.mjs', poolModule]]));
    const path = project.pathOf('overview.mjs');
    const code = `import { pool } from './db.mjs';\n${reader.replace(/^#!.*/, '')}`;
    const linter = new Linter({ configType: 'flat', cwd: project.root });
    const lint = () => linter.verify(code, [plugin.configs.recommended], path).length;
    try {
      strictEqual(
        eventually(lint, (count) => count > 0),
        1,
      );
      writeFileSync(project.pathOf('db.mjs'), 'export const pool = new Map();\n');
      strictEqual(
        eventually(lint, (count) => count === 0),
        0,
      );
    } finally {
      project.remove();
    }
  });
});

/** The disk is asked every 100 ms, or less often when asking takes long. */
function eventually<T>(ask: () => T, isRight: (answer: T) => boolean): T {
  const deadline = performance.now() + 10_000;
  let answer = ask();
  while (!isRight(answer) && performance.now() < deadline) answer = ask();
  return answer;
}

const poolModule = "import pg from 'pg';\nexport const pool = new pg.Pool();\n";

function severitiesIn({ messages }: Rule, profile: Profile): readonly string[] {
  return Object.values(messages)
    .filter(({ severity, confidence = 'high' }) => isShown({ severity, confidence }, profile))
    .map(({ severity }) => severity);
}

function defaultsOf({ options }: Rule) {
  return Object.fromEntries(Object.entries(options).map(([name, it]) => [name, it.default]));
}

/** Files alone: RuleTester has no neighbours on disk. */
function filesFor(rule: Rule): readonly FixtureFile[] {
  const files = fixturesOf(rule.id).flatMap(({ files }) => (files.length === 1 ? files : []));
  const sources = new Set<string>();
  return sampled(files.filter(({ source }) => sources.size < sources.add(source).size));
}

function isPlain({ path, source }: FixtureFile): boolean {
  if (!/\.[cm]?jsx?$/.test(path)) return false;
  const linter = new Linter({ configType: 'flat' });
  return !linter.verify(source, { files: ['**/*'] }, path).some((it) => it.fatal);
}

function caseOf(rule: Rule, file: FixtureFile) {
  const { source, settings, virtualPath } = file;
  const facts = projectOf([file])(virtualPath);
  const findings = expectedOf(rule, facts, settings);
  const test = {
    name: file.path,
    code: source,
    filename: virtualPath,
    options: [{ ...settings.options, profile: settings.profile }],
    errors: findings.map((finding) => errorOf(finding, source)),
  };
  const headlines = findings.map((it) => headlineOf(rule, it));
  return { test, headlines, isPlain: isPlain(file) };
}

function errorOf(finding: Finding, source: string) {
  const positions = positionsOf(source);
  const start = positions.at(finding.range[0]);
  const end = positions.at(finding.range[1]);
  const suggestions = finding.suggestions.map((it) => ({
    messageId: it.messageId,
    output: applied(source, [it]),
  }));
  return {
    messageId: finding.messageId,
    ...start,
    endLine: end.line,
    endColumn: end.column,
    ...(suggestions.length > 0 ? { suggestions } : {}),
  };
}

function reportedExample(): { readonly code: string; readonly filename: string } {
  const code = readFileSync('fixtures/hosts/command.mjs', 'utf8');
  return { code, filename: 'src/command.mjs' };
}
