import { deepStrictEqual, match, ok } from 'node:assert/strict';
import { rules } from '../rules/index.ts';
import { eslintSteps, oxlintSteps } from '../src/cli/init/linters.ts';
import { fakeCli } from './fakes/cli.ts';
import { folderWith } from './fakes/folder.ts';
import { type Files, outcome } from './fakes/init-outcome.ts';

describe('configurations of linters', () => {
  const written = (files: Files) => outcome(eslintSteps, files).written;
  const typescript = { 'package.json': '{ "devDependencies": { "typescript": "6" } }' };

  it('are ES modules, also where the project is CommonJS', () => {
    const [config] = Object.values(written({}));
    match(config!, /^import deadtime from 'deadtime';\n\nexport default \[\n {2}deadtime\.configs/);
    deepStrictEqual(written({}), { 'eslint.config.mjs': config });
    deepStrictEqual(written({ 'package.json': '{ "type": "module" }' }), {
      'eslint.config.js': config,
    });
  });

  it('read TypeScript with the parser of the project', () => {
    const imported = /^import parser from '@typescript-eslint\/parser';\n/;
    match(written(typescript)['eslint.config.mjs']!, imported);
    match(written({ 'tsconfig.json': '{}' })['eslint.config.mjs']!, /\{ parser \} \},\n/);
    const own = { 'package.json': '{ "devDependencies": { "typescript-eslint": "8" } }' };
    match(written(own)['eslint.config.mjs']!, /languageOptions: \{ parser: tseslint\.parser \}/);
  });

  it('name the packages that the project lacks', () => {
    const needsIn = (files: Files) => eslintSteps((path) => files[path])[0]!.needs;
    deepStrictEqual(needsIn(typescript), ['eslint', 'deadtime', '@typescript-eslint/parser']);
    const alone = '{ "devDependencies": { "eslint": "10", "eslint-plugin-deadtime": "1" } }';
    deepStrictEqual(needsIn({ 'package.json': alone }), []);
    match(written({ 'package.json': alone })['eslint.config.mjs']!, /'eslint-plugin-deadtime'/);
  });

  it('show what to add where there is one', () => {
    for (const [text, added] of [
      ["import js from '@eslint/js';\nexport default [];\n", /^import deadtime from 'deadtime';\n/],
      ['module.exports = [];\n', /^const deadtime = require\('deadtime'\);\n/],
    ] as const) {
      const [step] = eslintSteps((path) => (path === 'eslint.config.js' ? text : undefined));
      ok(step?.kind === 'by-hand');
      match(step.text, added);
      match(step.text, /deadtime\.configs\.recommended/);
    }
    const former = outcome(eslintSteps, { '.eslintrc.json': '{}' });
    match(former.byHand[0]!, /^eslint\.config\.mjs: ESLint 9 does not read \.eslintrc\.json/);
    deepStrictEqual(outcome(eslintSteps, written({})), { written: {}, byHand: [] });
  });

  it('enable all rules in oxlint, and keep what it has', () => {
    const path = '.oxlintrc.json';
    const fresh = outcome(oxlintSteps, {}).written;
    const { jsPlugins, rules: levels } = JSON.parse(fresh[path]!) as {
      jsPlugins: string[];
      rules: Record<string, string>;
    };
    deepStrictEqual(jsPlugins, ['deadtime']);
    deepStrictEqual(
      Object.keys(levels),
      rules.map(({ id }) => `deadtime/${id}`),
    );
    deepStrictEqual(outcome(oxlintSteps, fresh), { written: {}, byHand: [] });
    const own =
      '{\n  // ours\n  "rules": { "deadtime/no-blocking-sleep": "off", "eqeqeq": "error" }\n}\n';
    const merged = outcome(oxlintSteps, { [path]: own }).written[path]!;
    match(merged, /\/\/ ours\n[^]*"deadtime\/no-blocking-sleep": "off"[^]*"eqeqeq": "error"/);
    match(merged, /"deadtime\/no-hot-path-sleep": "warn"/);
    const program = outcome(oxlintSteps, { 'oxlint.config.ts': 'export default {};' });
    deepStrictEqual(program.byHand, ['oxlint.config.ts: it is a program']);
  });

  it('print the command that installs what they need', async () => {
    const cli = await fakeCli();
    try {
      const { path } = folderWith({ '.git/HEAD': '', 'package.json': '{}', 'pnpm-lock.yaml': '' });
      const { stdout } = await cli.run(['init', '--eslint', '--oxlint', '--yes'], { cwd: path });
      match(
        stdout,
        /Wrote eslint\.config\.mjs\.\nWrote \.oxlintrc\.json\.\nThen run: pnpm add --save-dev eslint deadtime oxlint\n$/,
      );
    } finally {
      cli.remove();
    }
  });
});
