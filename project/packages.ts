import { join, relative, resolve, sep } from 'node:path';
import type { Files } from './files.ts';
import { globTest } from './glob.ts';
import { entriesOf, field, jsonOf, type Json, stringField, stringsOf } from './json.ts';
import type { Tree } from './tree.ts';

/** The packages that live in the same repository, by the names under which they import each other. */
export interface Packages {
  /** The directory of the package `name`, as seen from `from`. */
  directoryOf(name: string, from: string): string | undefined;
  forget(): void;
}

export function packagesOf(files: Files, tree: Tree): Packages {
  const byRoot = new Map<string, ReadonlyMap<string, string>>();
  return {
    directoryOf(name, from) {
      const root = tree.rootOf(from);
      let names = byRoot.get(root);
      if (!names) byRoot.set(root, (names = workspacesOf(files, tree, root)));
      return names.get(name) ?? linkedPackage(tree, name, from);
    },
    forget: () => byRoot.clear(),
  };
}

/** `"shared": "file:../shared"`: a package outside any workspace that is installed by its path. */
function linkedPackage(tree: Tree, name: string, from: string): string | undefined {
  const owner = tree.packageOf(from);
  if (owner === undefined) return undefined;
  const manifest = tree.json(join(owner, 'package.json'));
  if (stringField(manifest, 'name') === name) return owner;
  for (const group of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    const version = stringField(field(manifest, group), name);
    const path = version && /^(?:file|link|portal):(.+)/.exec(version)?.[1];
    if (path) return resolve(owner, path);
  }
  return undefined;
}

function workspacesOf(files: Files, tree: Tree, root: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const directory of workspaceDirectories(files, tree, root)) {
    const name = stringField(tree.json(join(directory, 'package.json')), 'name');
    if (name !== undefined && !names.has(name)) names.set(name, directory);
  }
  return names;
}

function workspaceDirectories(files: Files, tree: Tree, root: string): string[] {
  const found = new Set<string>();
  // A repository may hold several workspaces beside each other (server/, client/): their roots are one level down.
  for (const owner of [root, ...subdirectories(tree, root)]) {
    const globs = workspaceGlobs(files, tree, owner);
    const excluded = globs
      .filter((it) => it.startsWith('!'))
      .map((it) => globTest(clean(it.slice(1))));
    for (const glob of globs) {
      if (glob.startsWith('!')) continue;
      for (const it of expanded(tree, owner, clean(glob).split('/'))) {
        const path = relative(owner, it).split(sep).join('/');
        if (!excluded.some((isExcluded) => isExcluded(path))) found.add(it);
      }
    }
  }
  return [...found].filter((it) => tree.kindOf(join(it, 'package.json')) === 'file');
}

function workspaceGlobs(files: Files, tree: Tree, directory: string): string[] {
  const entries = tree.list(directory);
  if (!entries) return [];
  const globs: string[] = [];
  if (entries.get('pnpm-workspace.yaml') === 'file') {
    globs.push(...yamlPackages(files.read(join(directory, 'pnpm-workspace.yaml')) ?? ''));
  }
  if (entries.get('package.json') === 'file') {
    const workspaces = field(tree.json(join(directory, 'package.json')), 'workspaces');
    globs.push(
      ...stringsOf(Array.isArray(workspaces) ? workspaces : field(workspaces, 'packages')),
    );
  }
  if (entries.get('lerna.json') === 'file') {
    globs.push(...stringsOf(field(tree.json(join(directory, 'lerna.json')), 'packages')));
  }
  if (entries.get('rush.json') === 'file') {
    const projects = field(jsonOf(files.read(join(directory, 'rush.json'))), 'projects');
    for (const project of Array.isArray(projects) ? projects : []) {
      globs.push(...stringsOf(field(project, 'projectFolder')));
    }
  }
  return globs;
}

/** The list under `packages:`, which is all that pnpm-workspace.yaml holds for us. */
function yamlPackages(text: string): string[] {
  const block = /^packages:[ \t]*(?:#.*)?\r?\n((?:[ \t]*(?:-.*|#.*)?(?:\r?\n|$))*)/m.exec(
    text,
  )?.[1];
  const flow = /^packages:[ \t]*\[([^\]]*)\]/m.exec(text)?.[1]?.split(',');
  const lines = flow ?? block?.split('\n').filter((it) => /^\s*-/.test(it)) ?? [];
  return lines
    .map((it) => it.replace(/^\s*-\s*/, '').trim())
    .map((it) => /^(?:'([^']*)'|"([^"]*)"|([^\s#]+))/.exec(it))
    .flatMap((it) => (it ? [it[1] ?? it[2] ?? it[3]!] : []));
}

function clean(glob: string): string {
  return glob
    .replace(/^\.\//, '')
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/package\.json$/, '');
}

/** Deeper than this no `**` is followed: it bounds the work on a repository that globs everything. */
const MAXIMUM_DEPTH = 5;

function expanded(tree: Tree, directory: string, segments: readonly string[]): string[] {
  const [segment, ...rest] = segments;
  if (segment === undefined) return [directory];
  if (segment === '' || segment === '.') return expanded(tree, directory, rest);
  if (segment === '..') return [];
  if (segment === '**')
    return descendants(tree, directory, 0).flatMap((it) => expanded(tree, it, rest));
  if (!/[*?{]/.test(segment)) {
    const path = join(directory, segment);
    return tree.kindOf(path) === 'directory' ? expanded(tree, path, rest) : [];
  }
  const isNamed = globTest(segment);
  return subdirectories(tree, directory)
    .filter((it) => isNamed(it.slice(it.lastIndexOf(sep) + 1)))
    .flatMap((it) => expanded(tree, it, rest));
}

function descendants(tree: Tree, directory: string, depth: number): string[] {
  if (depth > MAXIMUM_DEPTH) return [directory];
  return [
    directory,
    ...subdirectories(tree, directory).flatMap((it) => descendants(tree, it, depth + 1)),
  ];
}

function subdirectories(tree: Tree, directory: string): string[] {
  return [...(tree.list(directory) ?? [])]
    .filter(
      ([name, kind]) => kind === 'directory' && name !== 'node_modules' && !name.startsWith('.'),
    )
    .map(([name]) => join(directory, name));
}

/** What a package's manifest names for a subpath (`.`, `./db`) or for an import of its own (`#db`), best first. */
export function manifestTargets(table: Json | undefined, key: string): string[] {
  const entries = entriesOf(table);
  const isTable = entries.some(([name]) => name.startsWith('.') || name.startsWith('#'));
  if (!isTable) return key === '.' ? leaves(table) : [];
  const exact = field(table, key);
  if (exact !== undefined) return leaves(exact);
  let best: { readonly length: number; readonly targets: string[] } | undefined;
  for (const [pattern, target] of entries) {
    const star = starOf(pattern, key);
    if (star === undefined || (best && pattern.length <= best.length)) continue;
    const targets = leaves(target).map((it) =>
      pattern.endsWith('/') ? it + star : it.replaceAll('*', () => star),
    );
    best = { length: pattern.length, targets };
  }
  return best?.targets ?? [];
}

function starOf(pattern: string, key: string): string | undefined {
  if (pattern.endsWith('/')) return key.startsWith(pattern) ? key.slice(pattern.length) : undefined;
  const star = pattern.indexOf('*');
  if (star === -1) return undefined;
  const tail = pattern.slice(star + 1);
  return key.startsWith(pattern.slice(0, star)) &&
    key.endsWith(tail) &&
    key.length >= pattern.length
    ? key.slice(star, key.length - tail.length)
    : undefined;
}

/** Conditions that lead to what people wrote come first; those of other platforms come last. */
const FIRST = ['source', 'development', 'node', 'import', 'require', 'default', 'types'];
const LAST = ['browser', 'react-native', 'worker', 'workerd', 'edge-light', 'deno'];

function leaves(target: Json | undefined): string[] {
  if (typeof target === 'string') return [target];
  if (Array.isArray(target)) return target.flatMap(leaves);
  const rank = (name: string): number => {
    if (name.endsWith('source') || name.startsWith('@')) return -1;
    if (LAST.includes(name)) return FIRST.length + 1;
    return FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;
  };
  return entriesOf(target)
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .flatMap(([, value]) => leaves(value));
}
