import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type FileFacts } from '../src/analysis/file/file.ts';
import { factsOf } from '../src/analysis/facts.ts';
import type { Modules, Source } from '../src/analysis/file/source.ts';
import { audiencesOf } from '../src/project/audience.ts';
import { deploymentsOf } from '../src/project/deployment.ts';
import { textIndexOf } from '../src/project/text-index.ts';
import { treeOf } from '../src/project/tree.ts';
import { versionOf } from '../src/project/versions.ts';
import {
  type Finding,
  type Profile,
  type Rule,
  type Suggestion,
  isShown,
} from '../rules/define-rule.ts';
import { isFailure, sourceOf } from '../src/scan/parse.ts';
import { positionsOf } from '../src/scan/positions.ts';
import { filesOf } from './fakes/files.ts';

/** `//   ^^^^ messageId key=value` under a finding, `//   ~~~~ 1 message` under a related place. */
const markLine = /^\s*\/\/\s*(?:\^+|~+) \S.*$/;
const settingLine = /^\/\/ (profile|options|related|suggestion): (.+)$/;
const code = /\.[cm]?[jt]sx?$/;

/** One file, or a folder of files that import each other; every one of them is checked. */
export interface Fixture {
  /** Relative to the repository; what a test is called. */
  readonly path: string;
  readonly kind: Kind;
  readonly files: readonly FixtureFile[];
  /** What stands beside the code: package.json, Dockerfile. By path from the project's root. */
  readonly manifests: Readonly<Record<string, string>>;
}

export type Kind = (typeof kinds)[number];
const kinds = ['reports', 'ignores'] as const;

export interface FixtureFile {
  /** Relative to the repository. */
  readonly path: string;
  /** Where the analysis believes the file to be: fixtures/ itself is a folder that it leaves out. */
  readonly virtualPath: string;
  /** As on disk, with the marks. */
  readonly expected: string;
  /** Without the marks: what is analysed. */
  readonly source: string;
  readonly settings: Settings;
}

/** A file of a project that is not on disk under its path. */
export type FileText = Pick<FixtureFile, 'path' | 'virtualPath' | 'source'>;

/** From `// name: value` lines at the top of the file. */
export interface Settings {
  readonly profile: Profile;
  readonly options: Readonly<Record<string, string | number | boolean>>;
  /** `related: shown` draws the related places, too. */
  readonly showsRelated: boolean;
  /** Which suggestion `suggested/` takes, by its messageId; the first where absent. */
  readonly suggestion: string | undefined;
}

export function fixturesOf(ruleId: string): readonly Fixture[] {
  return kinds.flatMap((kind) => {
    const folder = join('fixtures', ruleId, kind);
    return entriesOf(folder).flatMap((entry): Fixture[] => {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) return code.test(path) ? [fixtureOf(kind, path, [path])] : [];
      const files = readdirSync(path, { recursive: true, encoding: 'utf8', withFileTypes: true })
        .filter((it) => it.isFile())
        .map((it) => relative(path, join(it.parentPath, it.name)));
      const paths = files.filter((file) => code.test(file)).map((file) => join(path, file));
      const others = files.filter((file) => !code.test(file));
      const manifests = others.map((it) => [it, readFileSync(join(path, it), 'utf8')] as const);
      return [{ ...fixtureOf(kind, path, paths.sort()), manifests: Object.fromEntries(manifests) }];
    });
  });
}

function entriesOf(folder: string) {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // A rule that is being written has no such folder yet.
    return [];
  }
}

function fixtureOf(kind: Kind, path: string, paths: readonly string[]): Fixture {
  const root = paths[0] === path ? dirname(path) : path;
  return { path, kind, files: paths.map((it) => fileOf(it, relative(root, it))), manifests: {} };
}

function fileOf(path: string, inProject: string): FixtureFile {
  const expected = readFileSync(path, 'utf8');
  return {
    path,
    virtualPath: resolve('/project', inProject),
    expected,
    source: withoutMarks(expected),
    settings: settingsOf(expected),
  };
}

export function withoutMarks(text: string): string {
  return text
    .split('\n')
    .filter((line) => !markLine.test(line))
    .join('\n');
}

function settingsOf(text: string): Settings {
  const named = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = settingLine.exec(line);
    if (!match) break;
    named.set(match[1]!, match[2]!.trim());
  }
  return {
    profile: (named.get('profile') ?? 'audit') as Profile,
    options: JSON.parse(named.get('options') ?? '{}') as Settings['options'],
    showsRelated: named.get('related') === 'shown',
    suggestion: named.get('suggestion'),
  };
}

/** The facts of every file of a fixture, by virtual path; relative imports lead from one to the other. */
export function projectOf(
  files: readonly Pick<FixtureFile, 'virtualPath' | 'source'>[],
  manifests: Fixture['manifests'] = {},
) {
  const texts = files.map((it) => [relative('/project', it.virtualPath), it.source] as const);
  const beside = filesOf('/project', { ...manifests, ...Object.fromEntries(texts) });
  const tree = treeOf(beside, '/project');
  const deployments = deploymentsOf(beside, tree);
  const index = textIndexOf(beside, tree);
  const sources = new Map<string, Source>();
  const targetOf = (specifier: string, from: string) =>
    specifier.startsWith('.') ? pathsFor(specifier, from).find((it) => sources.has(it)) : undefined;
  const modules: Modules = {
    resolve(specifier, from) {
      const source = sources.get(targetOf(specifier, from) ?? '');
      return source && factsOf(source);
    },
    leadsTo: (specifier, from, path) => targetOf(specifier, from) === path,
    filesNaming: (kind, name, from) =>
      index.filesNaming(kind, name, from)?.map((path) => factsOf(sources.get(path)!)),
    versionOf: (name, from) => versionOf(tree, name, from),
    placeOf: (path) => path.slice('/project'.length),
    runsInBrowsers: audiencesOf(tree).isBrowsers,
    deploymentOf: deployments.of,
  };
  for (const { virtualPath, source } of files) {
    const parsed = sourceOf(source, virtualPath, { modules: () => modules });
    if (isFailure(parsed)) throw new SyntaxError(`${virtualPath}: ${parsed.message}`);
    sources.set(virtualPath, parsed);
  }
  return (path: string): FileFacts => factsOf(sources.get(path)!);
}

function pathsFor(specifier: string, from: string): readonly string[] {
  const base = resolve(dirname(from), specifier);
  const stem = base.replace(/\.[cm]?jsx?$/, '');
  const extensions = ['.ts', '.tsx', '.js', '.jsx', '.mts', '.mjs', '.cts', '.cjs', '.d.ts'];
  return [base, ...extensions.flatMap((it) => [stem + it, join(base, `index${it}`)])];
}

/** What the rule says about one file, in the profile and with the options that the file asks for. */
export function findingsOf(rule: Rule, facts: FileFacts, settings: Settings): readonly Finding[] {
  return rule
    .findings(facts, settings.options)
    .filter((finding) => isShown(finding, settings.profile))
    .sort((a, b) => a.range[0] - b.range[0]);
}

/** Writes the marks back into the source, so that a failing test reads as a diff of the fixture. */
export function annotate(file: FixtureFile, rule: Rule, findings: readonly Finding[]): string {
  const marks = findings.flatMap((finding) => {
    const own = { range: finding.range, sign: '^', text: textOf(rule, finding) };
    if (!file.settings.showsRelated) return [own];
    const related = finding.related
      .map((it, i) => ({ ...it, sign: '~', text: `${i + 1} ${it.message}` }))
      .filter((it) => it.path === file.virtualPath);
    return [own, ...related];
  });
  const positions = positionsOf(file.source);
  const drawn = marks.map((mark) => drawing(file.source, positions, mark));
  return file.source
    .split('\n')
    .flatMap((text, i) => [
      text,
      ...drawn.filter(({ line }) => line === i + 1).map(({ text }) => text),
    ])
    .join('\n');
}

/** `//` takes the first two columns: a finding that starts there says so in words. */
function drawing(
  source: string,
  positions: ReturnType<typeof positionsOf>,
  mark: { range: readonly [number, number]; sign: string; text: string },
) {
  const start = positions.at(mark.range[0]);
  const end = positions.at(mark.range[1]);
  const lineEnd = source.indexOf('\n', mark.range[0]);
  const inLine = Math.min(mark.range[1], lineEnd === -1 ? source.length : lineEnd);
  const column = Math.max(start.column, 3);
  const length = Math.max(1, start.column + inLine - mark.range[0] - column);
  const notes = [
    ...(start.column < 3 ? [`column=${start.column}`] : []),
    ...(end.line > start.line ? [`lines=${end.line - start.line + 1}`] : []),
  ];
  const carets = `//${' '.repeat(column - 3)}${mark.sign.repeat(length)}`;
  return { line: start.line, text: [carets, mark.text, ...notes].join(' ') };
}

function textOf(rule: Rule, finding: Finding): string {
  const message = rule.messages[finding.messageId];
  const words = [finding.messageId];
  if (finding.severity !== message?.severity) words.push(`severity=${finding.severity}`);
  if (finding.confidence !== (message?.confidence ?? 'high')) {
    words.push(`confidence=${finding.confidence}`);
  }
  for (const [name, value] of Object.entries(finding.evidence)) {
    // It fills a place of the message with nothing.
    if (value === '') continue;
    // Where a number comes from: test/benchmarks/provenance.test.ts.
    if (/From$/.test(name)) continue;
    words.push(`${name}=${String(value).replaceAll(/\s+/g, ' ')}`);
  }
  return words.join(' ');
}

/** The source after one suggestion of every finding was taken; undefined when there is none. */
export function suggestedSource(file: FixtureFile, findings: readonly Finding[]) {
  const { suggestion } = file.settings;
  const suggestions = findings.flatMap((it) =>
    it.suggestions
      .filter(({ messageId }) => suggestion === undefined || messageId === suggestion)
      .slice(0, 1),
  );
  return suggestions.length > 0 ? applied(file.source, suggestions) : undefined;
}

/** From the last edit to the first; a suggestion that overlaps one taken before it is left out. */
export function applied(source: string, suggestions: readonly Suggestion[]): string {
  const taken: { readonly range: readonly [number, number]; readonly text: string }[] = [];
  for (const { edits } of suggestions) {
    const overlaps = edits.some(({ range }) =>
      taken.some((it) => range[0] < it.range[1] && it.range[0] < range[1]),
    );
    if (!overlaps) taken.push(...edits);
  }
  // Stable: insertions at one place keep their order because the later one is applied first.
  return taken
    .map((edit, i) => ({ ...edit, i }))
    .sort((a, b) => b.range[0] - a.range[0] || b.i - a.i)
    .reduce((text, { range, text: added }) => {
      return text.slice(0, range[0]) + added + text.slice(range[1]);
    }, source);
}
