import { deepStrictEqual, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as babelParser from '@babel/eslint-parser';
import * as typescriptParser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import * as eslint9 from 'eslint9';
import * as svelteParser from 'svelte-eslint-parser';
import * as vueParser from 'vue-eslint-parser';
import { headlineOf } from '../src/eslint/headline.ts';
import plugin from '../src/eslint/plugin.ts';
import type { Finding } from '../rules/define-rule.ts';
import { rules } from '../rules/index.ts';
import { withoutMark } from '../src/project/files.ts';
import { createClock } from '../src/scan/clock.ts';
import { isLeftOut } from '../src/scan/left-out.ts';
import { projectModules } from '../src/scan/project.ts';
import { positionsOf } from '../src/scan/positions.ts';
import { createScanner } from '../src/scan/scan.ts';
import { applied, fixturesOf } from './fixtures.ts';
import { hostedTexts } from './hosted-texts.ts';
import { builtPlugin, type TemporaryProject, temporaryProject } from './projects.ts';
import { itInFull, sampled } from './lanes.ts';

/** `file:line:column rule message`: what every host has to agree on, with the short message that linters have room for. */
type Line = string;

/** The same interface; the two copies of its declarations only differ in their addresses. */
const Linter9 = eslint9.Linter as unknown as typeof Linter;

describe('hosts', function () {
  this.timeout(600_000);
  const files = hostedFiles();
  let project: TemporaryProject;
  let ours: ReadonlyMap<string, Found>;
  before(() => {
    project = temporaryProject(new Map([...files, ...manifests()]));
    ours = oursIn(project, files);
  });
  after(() => project.remove());
  const oursOf = (read: ReadonlyMap<string, string>) =>
    [...read.keys()].flatMap((it) => ours.get(it)!.lines).sort();

  it('find something to compare', () => ok(oursOf(files).length >= rules.length));

  for (const [name, host] of Object.entries({ 'ESLint 9': Linter9, 'ESLint 10': Linter })) {
    const itHere = host === Linter ? it : itInFull;
    itHere(`${name} with @typescript-eslint/parser finds and suggests what we do`, () => {
      const found = lintedIn(project, files, host, typescriptParser as Linter.Parser);
      deepStrictEqual([...found.unparsed], []);
      for (const [file, texts] of found.suggested) {
        deepStrictEqual(texts, ours.get(file)!.suggested, file);
      }
      deepStrictEqual(found.lines, oursOf(found.files));
    });

    itInFull(`${name} with espree finds what we find, in what espree can read`, () => {
      const found = lintedIn(project, files, host, undefined);
      ok(found.files.size > 0);
      deepStrictEqual(found.lines, oursOf(found.files));
    });
  }

  // For ESLint 10 there is version 8 of it, which Node.js 20 cannot run.
  itInFull(
    'ESLint 9 with @babel/eslint-parser finds what we find, in what Babel reads without presets',
    () => {
      const found = lintedIn(project, files, Linter9, babelParser as Linter.Parser, {
        requireConfigFile: false,
      });
      ok(found.files.size > 100);
      deepStrictEqual(found.lines, oursOf(found.files));
    },
  );

  for (const [extension, parser] of [
    ['.vue', vueParser],
    ['.svelte', svelteParser],
  ] as const) {
    itInFull(`ESLint finds what we find in the scripts of ${extension} files`, () => {
      const components = componentsFrom(files, extension);
      const found = lintedIn(project, components, Linter, parser as Linter.Parser, {
        parser: typescriptParser,
      });
      ok(found.files.size > 100);
      const own = oursIn(project, found.files);
      deepStrictEqual(found.lines, [...own.values()].flatMap((it) => it.lines).sort());
    });
  }

  describe('read and leave out the same texts', () => {
    const texts = hostedTexts();
    let written: TemporaryProject;
    let lines: readonly Line[];
    before(() => {
      written = temporaryProject(texts);
      lines = readIn(written, texts);
    });
    after(() => written.remove());

    it('as the command line reads them', () => {
      const found = new Set(lines.map((it) => it.split(':', 1)[0]!.split(' ', 1)[0]!));
      deepStrictEqual(
        [...texts.keys()].filter((it) => !found.has(it)),
        [],
      );
      deepStrictEqual(
        lines.filter((it) => / is | nested /.test(it) && !it.includes('deadtime/')),
        [
          'texts/a-bundle.js is a bundle of other modules',
          'texts/an-expression-that-seems-to-be-nested.js nested too deeply to parse',
          'texts/minified-code-behind-a-licence.js is minified',
          'texts/minified-code.js is minified',
        ],
      );
    });

    for (const [name, parser] of [
      ['@typescript-eslint/parser', typescriptParser as Linter.Parser],
      ['espree', undefined],
    ] as const) {
      it(`ESLint with ${name}`, () => {
        const found = lintedIn(written, texts, Linter, parser);
        deepStrictEqual([...found.unparsed], []);
        deepStrictEqual(found.lines.map(asNotice).sort(), lines);
      });
    }

    it('oxlint', async () => {
      const found = await oxlintedBy(written, texts);
      deepStrictEqual(found.map(asNotice).sort(), lines);
    });
  });

  it('oxlint finds what we find', async () => {
    deepStrictEqual(await oxlintedBy(project, files), oursOf(files));
  });
});

async function oxlintedBy(project: TemporaryProject, files: ReadonlyMap<string, string>) {
  const built = await builtPlugin();
  try {
    const configured = rules.map(({ id }) => [`deadtime/${id}`, ['error', { profile: 'audit' }]]);
    const config = {
      categories: { correctness: 'off' },
      plugins: [],
      jsPlugins: [built.path],
      rules: Object.fromEntries(configured),
    };
    writeFileSync(project.pathOf('.oxlintrc.json'), JSON.stringify(config));
    return oxlintedIn(project, files);
  } finally {
    built.remove();
  }
}

/** What the command line says of files that it finds in a folder: findings, and what it leaves out. */
function readIn(project: TemporaryProject, files: ReadonlyMap<string, string>): readonly Line[] {
  const scanner = scannerFor(project);
  return Array.from(files, ([file, text]) => {
    const path = project.pathOf(file);
    const { problems, notices } = scanner.scan(withoutMark(text), path, { isNamed: false });
    return [
      ...problems.map(({ finding, start }) => lineOf(file, finding, start)),
      ...notices.filter(isLeftOut).map(({ message }) => `${file} ${message}`),
    ];
  })
    .flat()
    .sort();
}

/** A linter has no room for a notice but a message. */
function asNotice(line: Line): Line {
  return line.replace(/:1:1 \S+ Deadtime ignores this file: (.+?)\. .*$/, ' $1');
}

/** Every fixture without its marks, and what is only about hosts. */
function hostedFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const { id } of rules) {
    for (const fixture of sampled(fixturesOf(id))) {
      const isFolder = fixture.files[0]?.path !== fixture.path;
      for (const { path, source } of fixture.files) {
        const inside = relative('fixtures', path);
        // A file alone must not find its neighbours by `./`.
        files.set(isFolder ? inside : inside.replace(/([^/\\]+)\.(\w+)$/, '$1/$1.$2'), source);
      }
    }
  }
  for (const name of readdirSync('fixtures/hosts')) {
    const text = readFileSync(join('fixtures/hosts', name), 'utf8');
    files.set(join('hosts', name), text);
    files.set(join('hosts', `crlf-${name}`), text.replaceAll('\n', '\r\n'));
  }
  return files;
}

/** The code in which something is found, between markup. */
function componentsFrom(
  files: ReadonlyMap<string, string>,
  extension: string,
): ReadonlyMap<string, string> {
  const modules = [...files].filter(
    ([file, text]) =>
      /reports.*\.(?:[cm]?ts|mjs)$/.test(file) && !/^#!|<\/script|\/\* eslint-/.test(text),
  );
  return new Map(
    modules.map(([file, text]) => [
      `${file}${extension}`,
      `<script lang="ts">\n${text}</script>\n\n<p>Pause</p>\n`,
    ]),
  );
}

/** What stands beside the code of a fixture. */
function manifests(): ReadonlyMap<string, string> {
  return new Map(
    rules.flatMap(({ id }) =>
      fixturesOf(id).flatMap((fixture) =>
        Object.entries(fixture.manifests).map(
          ([path, text]) => [join(relative('fixtures', fixture.path), path), text] as const,
        ),
      ),
    ),
  );
}

function scannerFor({ root }: TemporaryProject) {
  const clock = createClock();
  return createScanner({
    rules,
    profile: 'audit',
    clock,
    modules: projectModules(root, clock),
  });
}

/** What is found in one file: a line for each, and for each the title of every suggestion with the text after it. */
interface Found {
  readonly lines: readonly Line[];
  readonly suggested: readonly (readonly string[])[];
}

function oursIn(
  project: TemporaryProject,
  files: ReadonlyMap<string, string>,
): ReadonlyMap<string, Found> {
  const scanner = scannerFor(project);
  const found = Array.from(files, ([file, text]) => {
    const { problems, notices } = scanner.scan(text, project.pathOf(file), { isNamed: true });
    deepStrictEqual(notices, []);
    const lines = problems.map(({ finding, start }) => lineOf(file, finding, start));
    const suggested = problems.map(({ suggestions }) =>
      suggestions.map((it) => `${it.title}\n${applied(text, [{ ...empty, edits: it.edits }])}`),
    );
    return [file, { lines, suggested }] as const;
  });
  return new Map(found);
}

const empty = { messageId: '', changes: 'nothing' } as const;

function lineOf(
  file: string,
  finding: Finding,
  { line, column }: { readonly line: number; readonly column: number },
): Line {
  const { ruleId } = finding;
  const message = headlineOf(
    rules.find(({ id }) => id === ruleId)!,
    finding,
  );
  return lineFor({ file, line, column, ruleId: `deadtime/${ruleId}`, message });
}

function lineFor(it: {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly ruleId: string | null;
  readonly message: string;
}): Line {
  return `${it.file}:${it.line}:${it.column} ${it.ruleId} ${it.message}`;
}

function configFor(parser: Linter.Parser | undefined, options: object = {}): Linter.Config {
  const configured = rules.map(({ id }) => [`deadtime/${id}`, ['error', { profile: 'audit' }]]);
  return {
    files: ['**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,vue,svelte}'],
    plugins: { deadtime: plugin },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    languageOptions: {
      ...(parser ? { parser } : {}),
      parserOptions: { ecmaFeatures: { jsx: true }, ...options },
    },
    rules: Object.fromEntries(configured) as Linter.RulesRecord,
  };
}

function lintedIn(
  project: TemporaryProject,
  files: ReadonlyMap<string, string>,
  Host: typeof Linter,
  parser: Linter.Parser | undefined,
  options: object = {},
) {
  const linter = new Host({ configType: 'flat', cwd: project.root });
  const unparsed = new Set<string>();
  const read = new Map<string, string>();
  const suggested = new Map<string, Found['suggested']>();
  const lines = [...files].flatMap(([file, text]) => {
    if (isForOxlint(file)) return [];
    const messages = linter.verify(text, [configFor(parser, options)], project.pathOf(file));
    if (messages.some((it) => it.fatal)) {
      unparsed.add(file);
      return [];
    }
    read.set(file, text);
    const texts = messages.map(({ suggestions = [] }) =>
      suggestions.map(({ desc, fix }) => `${desc}\n${applied(text, [{ ...empty, edits: [fix] }])}`),
    );
    suggested.set(file, texts);
    return messages.map((it) => lineFor({ ...it, file }));
  });
  return { lines: lines.sort(), suggested, files: read, unparsed };
}

interface OxlintReport {
  readonly diagnostics: readonly {
    readonly message: string;
    readonly code: string;
    readonly filename: string;
    readonly labels: readonly { readonly span: { readonly offset: number } }[];
  }[];
}

function oxlintedIn(
  project: TemporaryProject,
  files: ReadonlyMap<string, string>,
): readonly Line[] {
  const binary = join(process.cwd(), 'node_modules', 'oxlint', 'bin', 'oxlint');
  const { stdout, stderr } = spawnSync(process.execPath, [binary, '-f', 'json', '.'], {
    cwd: project.root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  ok(stdout.startsWith('{'), stderr + stdout);
  const { diagnostics } = JSON.parse(stdout) as OxlintReport;
  const lines = diagnostics.map(({ message, code, filename, labels }) => {
    const text = files.get(filename) ?? '';
    // oxlint's report counts in bytes of UTF-8, columns included.
    const before = Buffer.from(text).subarray(0, labels[0]!.span.offset).toString();
    return lineFor({
      file: filename,
      ...positionsOf(text).at(before.length),
      ruleId: code.replace(/\((.+)\)$/, '/$1'),
      message,
    });
  });
  return lines.sort();
}

/** ESLint does not know oxlint's own comments. */
function isForOxlint(file: string): boolean {
  return /^hosts.*oxlint/.test(file);
}
