import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as typescriptParser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import eslintPlugin from 'eslint-plugin-eslint-plugin';
import plugin from '../src/eslint/plugin.ts';
import { rules } from '../rules/index.ts';
import { builtPlugin, type TemporaryProject, temporaryProject } from './projects.ts';

const leaking = readFileSync('fixtures/hosts/command.mjs', 'utf8');
const eslint = join(process.cwd(), 'node_modules/eslint/bin/eslint.js');

/** What docs/guides/eslint.md says about ESLint in a build. */
describe('ESLint in a monorepo', function () {
  this.timeout(60_000);
  let built: Awaited<ReturnType<typeof builtPlugin>>;
  let monorepo: TemporaryProject;

  before(async () => {
    built = await builtPlugin();
    const config = `import deadtime from ${JSON.stringify(pathToFileURL(built.path).href)};
export default [
  deadtime.configs.recommended,
  { files: ['packages/api/**'], rules: { 'deadtime/no-leaked-connection': 'error' } },
  deadtime.configs['tests-off'],
];
`;
    monorepo = temporaryProject(
      new Map([
        ['eslint.config.mjs', config],
        ['packages/api/src/command.mjs', leaking],
        ['packages/api/src/command.test.mjs', leaking],
        ['packages/worker/src/command.mjs', leaking],
      ]),
    );
  });
  after(() => {
    built.remove();
    monorepo.remove();
  });

  function run(...options: readonly string[]) {
    const { stdout, status } = spawnSync(
      process.execPath,
      [eslint, '-f', 'json', ...options, '.'],
      {
        cwd: monorepo.root,
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1' },
      },
    );
    const files = JSON.parse(stdout) as { filePath: string; messages: { severity: number }[] }[];
    const counts = files.map(({ filePath, messages }) => [
      filePath.slice(join(monorepo.root, 'packages/').length),
      messages.map((it) => it.severity).join(''),
    ]);
    const found = Object.fromEntries(counts.filter(([, severities]) => severities)) as object;
    return { status, found };
  }

  const all = { 'api/src/command.mjs': '2', 'worker/src/command.mjs': '1' };

  it('finds the same with a cache, from the cache, and in threads', () => {
    const expected = { status: 1, found: all };
    deepStrictEqual(run('--cache'), expected);
    ok(existsSync(join(monorepo.root, '.eslintcache')));
    deepStrictEqual(run('--cache'), expected);
    deepStrictEqual(run('--concurrency', '2'), expected);
  });

  it('prints lines of at most 160 characters, and one line at the end about proofs', () => {
    const { stdout, stderr } = spawnSync(process.execPath, [eslint, '.'], {
      ...{ cwd: monorepo.root, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
    });
    match(stdout, /no path releases this pg connection.* deadtime\/no-leaked-connection\n/);
    const longest = Math.max(...stdout.split('\n').map((it) => it.length));
    ok(longest <= 160, stdout);
    match(
      stderr,
      /^Prove a finding by a benchmark, .*: npx deadtime prove packages\/\w+\/src\/command\.mjs:\d+\n$/,
    );
  });

  it('fails for what is new after a bulk suppression', () => {
    strictEqual(run('--suppress-all').status, 0);
    const added = monorepo.pathOf('packages/api/src/added.mjs');
    writeFileSync(added, leaking);
    deepStrictEqual(run(), {
      status: 1,
      found: { ...without('api/src/command.mjs'), 'api/src/added.mjs': '2' },
    });
  });

  /** Only errors are suppressed. */
  function without(name: keyof typeof all) {
    const { [name]: _, ...rest } = all;
    return rest;
  }
});

/** It reads the source of a rule with its `meta`; ours are made by one function, from values. */
describe('eslint-plugin-eslint-plugin', () => {
  const create = /^ {4}create\(context\) \{.*?^ {4}\},$/ms.exec(
    readFileSync('src/eslint/plugin.ts', 'utf8'),
  )![0];
  const complaintsAbout = (meta: unknown) => {
    const text = `export default { meta: ${JSON.stringify(meta)}, ${create} };`;
    const parsing = { languageOptions: { parser: typescriptParser } };
    const messages = new Linter().verify(text, [eslintPlugin.configs.all, parsing, capitals]);
    return messages.map((it) => `${it.ruleId ?? it.message}`);
  };

  for (const { id, suggestions } of rules) {
    it(`reports nothing about ${id}`, () => {
      // One function reports for all of them, also for those that suggest nothing.
      const expected =
        Object.keys(suggestions).length > 0 ? [] : ['eslint-plugin/require-meta-has-suggestions'];
      deepStrictEqual(complaintsAbout(plugin.rules[id]!.meta), expected);
    });
  }

  it('sees how the rules report, and their meta', () => {
    const { hasSuggestions: _, ...meta } = plugin.rules['no-hot-path-sleep']!.meta!;
    deepStrictEqual(complaintsAbout(meta), ['eslint-plugin/require-meta-has-suggestions']);
    const { schema: _schema, ...rest } = plugin.rules['no-hot-path-sleep']!.meta!;
    deepStrictEqual(complaintsAbout(rest), ['eslint-plugin/require-meta-schema']);
  });
});

const capitals: Linter.Config = {
  rules: {
    'eslint-plugin/require-meta-docs-description': ['error', { pattern: '^(?:Disallow|Require) ' }],
  },
};
