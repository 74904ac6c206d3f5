import { lintLevelOf, type Rule } from '../../../rules/define-rule.ts';
import { rules } from '../../../rules/index.ts';
import { jsonStep } from './json.ts';
import { type Manifest, manifestIn } from './manifest.ts';
import type { Needs, Read, Step } from './step.ts';

/** Where ESLint finds its configuration, in its order. */
const eslintFiles = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map((it) => `eslint.config.${it}`);
/** Where it did before version 9. */
const formerFiles = ['', '.js', '.cjs', '.json', '.yml', '.yaml'].map((it) => `.eslintrc${it}`);

/** A new `eslint.config`, or what its owner has to add: an existing one is a program, which only a person can change. */
export function eslintSteps(read: Read): readonly Step[] {
  const manifest = manifestIn(read);
  const parser = parserFor(manifest, read);
  const known = eslintFiles.find((it) => read(it) !== undefined);
  if (known !== undefined) return [addition(known, read(known)!, manifest)];

  const name = manifest.isModule ? 'eslint.config.js' : 'eslint.config.mjs';
  const after = newConfiguration(manifest, parser);
  const used = ['eslint', pluginIn(manifest), ...(parser ? [parser.package] : [])];
  const needs = needsOf(used, manifest);
  const former = formerFiles.find((it) => read(it) !== undefined);
  if (former !== undefined) {
    const because = `ESLint 9 does not read ${former}, and \`npx @eslint/migrate-config ${former}\` writes this file`;
    return [{ kind: 'by-hand', path: name, because, text: after, ...needs }];
  }
  return [{ kind: 'write', path: name, before: undefined, after, ...needs }];
}

/** All rules in `.oxlintrc.json`, next to what it has. */
export function oxlintSteps(read: Read): readonly Step[] {
  const manifest = manifestIn(read);
  const configuration = oxlintConfiguration(rules, pluginIn(manifest));
  const needs = needsOf(['oxlint', pluginIn(manifest)], manifest);
  const program = ['oxlint.config.ts', 'oxlint.config.mts'].find((it) => read(it) !== undefined);
  if (program !== undefined) {
    const text = JSON.stringify(configuration, undefined, 2);
    if (read(program)!.includes('deadtime')) return [{ kind: 'present', path: program }];
    return [{ kind: 'by-hand', path: program, because: 'it is a program', text, ...needs }];
  }
  const [plugin] = configuration.jsPlugins;
  const entries = [
    { at: ['jsPlugins'], value: plugin, mark: 'deadtime' },
    ...Object.entries(configuration.rules).map(([id, value]) => ({ at: ['rules', id], value })),
  ];
  return [{ ...jsonStep('.oxlintrc.json', entries, read), ...needs }];
}

/** What enables all rules in oxlint, with the levels of the profile `recommended`. */
export function oxlintConfiguration(rules: readonly Rule[], plugin = 'deadtime') {
  const levels = rules.map((it) => [`deadtime/${it.id}`, lintLevelOf(it, 'recommended')] as const);
  return { jsPlugins: [plugin], rules: Object.fromEntries(levels) };
}

function needsOf(used: readonly string[], { packages }: Manifest): Needs {
  return { needs: used.filter((it) => !packages.has(it)) };
}

/** A project that only lints may have the smaller package alone. */
function pluginIn({ packages }: Manifest): string {
  const alone = 'eslint-plugin-deadtime';
  return packages.has(alone) && !packages.has('deadtime') ? alone : 'deadtime';
}

interface Parser {
  readonly package: string;
  readonly line: string;
  readonly expression: string;
}

/** The parser of TypeScript; undefined in a project without TypeScript. */
function parserFor({ packages }: Manifest, read: Read): Parser | undefined {
  if (packages.has('typescript-eslint')) {
    return {
      package: 'typescript-eslint',
      line: "import tseslint from 'typescript-eslint';",
      expression: 'parser: tseslint.parser',
    };
  }
  const name = '@typescript-eslint/parser';
  const isUsed = packages.has(name) || packages.has('typescript');
  if (!isUsed && read('tsconfig.json') === undefined) return undefined;
  return { package: name, line: `import parser from '${name}';`, expression: 'parser' };
}

function newConfiguration(manifest: Manifest, parser: Parser | undefined): string {
  return [
    ...(parser ? [parser.line] : []),
    `import deadtime from '${pluginIn(manifest)}';`,
    '',
    'export default [',
    ...(parser
      ? [`  { files: ['**/*.{ts,mts,cts,tsx}'], languageOptions: { ${parser.expression} } },`]
      : []),
    ...elements,
    '];',
    '',
  ].join('\n');
}

const elements = ['  deadtime.configs.recommended,', "  deadtime.configs['tests-off'],"];

function addition(path: string, text: string, manifest: Manifest): Step {
  if (text.includes('deadtime')) return { kind: 'present', path };
  const name = pluginIn(manifest);
  const isCommonJs = /\bmodule\.exports\b|\brequire\(/.test(text) && !/^import\b/m.test(text);
  const load = isCommonJs
    ? `const deadtime = require('${name}');`
    : `import deadtime from '${name}';`;
  const because = 'it is a program';
  const lines = [load, '', '// At the end of the exported list:', ...elements];
  return { kind: 'by-hand', path, because, text: lines.join('\n') };
}
