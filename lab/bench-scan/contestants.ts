import { appendFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ESLint } from 'eslint';
import { rules } from '../../rules/index.ts';
import { installedApart } from '../../tools/install-apart.ts';
import { versionOf } from './versions.ts';

export interface Contestant {
  /** For `--only`. */
  readonly id: string;
  readonly name: string;
  readonly command: readonly string[];
  /** What is done before each measurement and not measured. */
  prepare?(measurement: number): void;
  /** It is run once more before each measurement: what it keeps from one run to the next is what is measured. */
  readonly keeps?: true;
  /** How many measurements there are in each run, if not one. */
  readonly perRun?: number;
}

export const EDITS_PER_RUN = 10;
export const COLD_PER_RUN = 3;

const node = process.execPath;
const repository = resolve(import.meta.dirname, '../..');
const modules = join(repository, 'node_modules');
const BIOME = '2.6.8';
/** The contestant that is its own program. */
const TYPESCRIPT = '7.0.2';

/**
 * `code` are all files that count, as paths from the folder in which the commands run; `edited` those to each of which in turn
 * the contestant with one changed file adds a statement.
 */
export function contestants(
  scratch: string,
  code: readonly string[],
  edited: readonly string[],
): readonly Contestant[] {
  return [...ours(scratch, edited), ...linters(scratch), ...floors(scratch, code)];
}

function ours(scratch: string, edited: readonly string[]): readonly Contestant[] {
  const deadtime = [node, join(repository, 'dist/cli.js'), 'check', '--format', 'json'];
  const cache = ['--cache-location', join(scratch, 'cache')];
  // Created now: contestants would also scan a folder next to the code.
  mkdirSync(cache[1]!, { recursive: true });
  return [
    {
      id: 'cold',
      name: 'Deadtime, all rules, no cache',
      command: [...deadtime, '--no-cache', '.'],
      // It ends in a tenth of the time that ESLint takes, which evens out by itself what the machine does meanwhile.
      perRun: COLD_PER_RUN,
    },
    {
      id: 'types',
      name: `The same, asking TypeScript ${TYPESCRIPT}`,
      get command() {
        bringTypeScript(scratch);
        return [...deadtime, '--no-cache', '--types', '.'];
      },
    },
    {
      ...{ id: 'warm', name: 'Deadtime, nothing changed', keeps: true },
      command: [...deadtime, ...cache, '.'],
    },
    {
      ...{ id: 'edited', name: 'Deadtime, one file changed', keeps: true },
      command: [...deadtime, ...cache, '.'],
      perRun: EDITS_PER_RUN,
      prepare: (it) => appendFileSync(edited[it % edited.length]!, `\nvoid ${it};\n`),
    },
  ];
}

function linters(scratch: string): readonly Contestant[] {
  const eslint = (config: string, ...more: readonly string[]) => [
    ...[node, '--max-old-space-size=8192', join(modules, 'eslint/bin/eslint.js')],
    ...['--config', config, '--no-inline-config', '--format', 'json', '--no-warn-ignored'],
    ...[...more, '.'],
  ];
  const oxlint = (config: string) => [
    ...[node, join(modules, 'oxlint/bin/oxlint'), '--config', config],
    ...['--disable-nested-config', '--format', 'json', '.'],
  ];
  const plain = eslintConfig(scratch, 'plain', "'no-await-in-loop': 'warn'");
  return [
    {
      id: 'oxlint-plugin',
      name: `oxlint ${versionOf('oxlint')}, Deadtime’s rules`,
      command: oxlint(oxlintConfig(scratch, 'plugin')),
    },
    {
      id: 'oxlint',
      name: `oxlint ${versionOf('oxlint')}, \`no-await-in-loop\` alone`,
      command: oxlint(oxlintConfig(scratch, 'own')),
    },
    {
      id: 'biome',
      name: `Biome ${BIOME}, \`noAwaitInLoops\` alone`,
      get command() {
        return biome(scratch);
      },
    },
    {
      id: 'eslint',
      name: `ESLint ${ESLint.version}, \`no-await-in-loop\` alone`,
      command: eslint(plain),
    },
    {
      id: 'eslint-2',
      name: `ESLint ${ESLint.version}, the same, \`--concurrency=2\``,
      command: eslint(plain, '--concurrency=2'),
    },
    {
      ...{ id: 'eslint-types', name: `ESLint ${ESLint.version}, \`no-floating-promises\`, types` },
      get command() {
        return eslint(typedConfig(scratch));
      },
    },
  ];
}

/** What no contestant can do without. */
function floors(scratch: string, code: readonly string[]): readonly Contestant[] {
  const parse = (kind: string) => [node, join(import.meta.dirname, 'parse-only.mjs'), kind];
  return [
    {
      id: 'typescript',
      name: `TypeScript ${versionOf('typescript')}, parsing alone`,
      command: parse('typescript'),
    },
    {
      id: 'oxc',
      name: `oxc-parser ${versionOf('oxc-parser')}, parsing alone`,
      command: parse('oxc'),
    },
    { id: 'read', name: 'Reading alone', command: parse('read') },
    {
      id: 'state',
      name: 'Asking for the state of each file and folder alone',
      get command() {
        const list = join(scratch, 'places.json');
        writeFileSync(list, JSON.stringify([...code, ...new Set(code.map((it) => dirname(it)))]));
        return [node, join(import.meta.dirname, 'state-only.mjs'), list];
      },
    },
    { id: 'node', name: 'Starting Node.js with nothing to do', command: [node, '-e', '0'] },
  ];
}

const ignored = `{ ignores: ['**/dist/**', '**/build/**', '**/out/**', '**/coverage/**', '**/*.d.ts', '**/*.min.js'] }`;
const files = `files: ['**/*.{js,jsx,ts,tsx,mjs,cjs,mts,cts}']`;

function urlIn(folder: string, path: string): string {
  return JSON.stringify(pathToFileURL(join(folder, path)).href);
}

function eslintConfig(scratch: string, name: string, rule: string): string {
  const path = join(scratch, `${name}.eslint.config.mjs`);
  const parser = urlIn(modules, '@typescript-eslint/parser/dist/index.js');
  writeFileSync(
    path,
    `import * as parser from ${parser};
export default [${ignored}, { ${files}, languageOptions: { parser }, rules: { ${rule} } }];
`,
  );
  return path;
}

function typedConfig(scratch: string): string {
  const folder = join(repository, 'node_modules/.cache/typescript-eslint');
  const apart = installedApart(folder, [
    'typescript-eslint',
    versionOf('@typescript-eslint/parser'),
  ]);
  const path = join(scratch, 'typed.eslint.config.mjs');
  writeFileSync(
    path,
    `import tseslint from ${urlIn(apart, 'typescript-eslint/dist/index.js')};
export default [${ignored}, {
  ${files},
  plugins: { '@typescript-eslint': tseslint.plugin },
  languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true } },
  rules: { '@typescript-eslint/no-floating-promises': 'warn' },
}];
`,
  );
  return path;
}

function oxlintConfig(scratch: string, kind: 'own' | 'plugin'): string {
  const path = join(scratch, `${kind}.oxlintrc.json`);
  const ours = Object.fromEntries(rules.map((it) => [`deadtime/${it.id}`, 'warn']));
  const text = JSON.stringify({
    categories: { correctness: 'off' },
    ...(kind === 'plugin' && { jsPlugins: [join(repository, 'dist/plugin.js')] }),
    rules: kind === 'plugin' ? ours : { 'no-await-in-loop': 'warn' },
  });
  writeFileSync(path, text);
  return path;
}

/** Into a folder above the code, where it is found as if the code had installed it; of its packages there are no types. */
function bringTypeScript(scratch: string): void {
  const folder = join(repository, 'node_modules/.cache/typescript');
  const apart = installedApart(folder, ['typescript', TYPESCRIPT]);
  const there = join(scratch, 'node_modules');
  if (!existsSync(there)) symlinkSync(apart, there, 'junction');
}

function biome(scratch: string): readonly string[] {
  const folder = join(repository, 'node_modules/.cache/biome');
  const apart = installedApart(folder, ['@biomejs/biome', BIOME]);
  mkdirSync(join(scratch, 'biome'), { recursive: true });
  writeFileSync(join(scratch, 'biome/biome.json'), '{ "root": true }');
  return [
    ...[process.execPath, join(apart, '@biomejs/biome/bin/biome'), 'lint'],
    ...['--only=performance/noAwaitInLoops', '--max-diagnostics=none', '--reporter=json'],
    ...[`--config-path=${join(scratch, 'biome')}`, '.'],
  ];
}
