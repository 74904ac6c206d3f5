import { join, relative, sep } from 'node:path';
import type { Files } from './files.ts';
import { globTest, isTooLong, weightOf } from './glob.ts';
import { field, jsonOf, stringField, stringsOf } from './json.ts';
import type { Tree } from './tree.ts';

/** The directories of the packages in the repository at `root`, by their names. */
export function workspacesOf(files: Files, tree: Tree, root: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const directory of workspaceDirectories(files, tree, root)) {
    const name = stringField(tree.json(join(directory, 'package.json')), 'name');
    if (name !== undefined && !names.has(name)) names.set(name, directory);
  }
  return names;
}

function workspaceDirectories(files: Files, tree: Tree, root: string): string[] {
  const found = new Set<string>();
  const walk: Walk = { tree, left: MOST_STEPS };
  // A repository may hold several workspaces next to each other (server/, client/): their roots are one level down.
  for (const owner of [root, ...subdirectories(walk, root)]) {
    const globs = [...new Set(workspaceGlobs(files, tree, owner))].filter((it) => {
      if (isTooLong(it)) tree.leaveOut(owner, TOO_LONG);
      return !isTooLong(it);
    });
    const excluded = globs.filter((it) => it.startsWith('!')).map((it) => clean(it.slice(1)));
    const exclusions = excluded.map(globTest);
    const weight = excluded.reduce((sum, it) => sum + weightOf(it), 0);
    for (const glob of globs) {
      if (glob.startsWith('!')) continue;
      for (const it of expanded(walk, owner, clean(glob).split('/'))) {
        if ((walk.left -= weight) < 0) break;
        const path = relative(owner, it).split(sep).join('/');
        if (!exclusions.some((isExcluded) => isExcluded(path))) found.add(it);
      }
    }
  }
  if (walk.left < 0) tree.leaveOut(root, TOO_MANY);
  return [...found].filter((it) => tree.kindOf(join(it, 'package.json')) === 'file');
}

const TOO_LONG = 'has a workspace of over 1,000 characters or 100 alternatives: it is ignored';
const TOO_MANY = 'has more workspaces than Deadtime compares with all folders: the rest is ignored';

/** Entries of folders that are gone through, and characters of globs that their names are compared with: some seconds. */
const MOST_STEPS = 20_000_000;

interface Walk {
  readonly tree: Tree;
  /** Of the steps; less than none once they are used up. */
  left: number;
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
  const flow = /^packages:[ \t]*\[([^\]]*)/m.exec(text)?.[1]?.split(',');
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
const MAXIMUM_DEPTH = 6;

/** The folders that a glob leads to, each once at every part of it: several `**` would meet the same ones over and over. */
function expanded(walk: Walk, owner: string, segments: readonly string[]): Iterable<string> {
  let reached = new Set([owner]);
  for (const segment of segments) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') return [];
    if (segment === '**') reached = withDescendants(walk, reached);
    else if (/[*?{[\\]/.test(segment)) reached = named(walk, reached, segment);
    else reached = new Set([...reached].flatMap((it) => folderIn(walk, it, segment) ?? []));
  }
  return reached;
}

function folderIn(walk: Walk, directory: string, name: string): string | undefined {
  walk.left--;
  const path = join(directory, name);
  return walk.left >= 0 && walk.tree.kindOf(path) === 'directory' ? path : undefined;
}

function named(walk: Walk, directories: ReadonlySet<string>, glob: string): Set<string> {
  const isNamed = globTest(glob);
  const weight = weightOf(glob);
  const found = new Set<string>();
  for (const directory of directories) {
    for (const it of subdirectories(walk, directory)) {
      if ((walk.left -= weight) < 0) return found;
      if (isNamed(it.slice(it.lastIndexOf(sep) + 1))) found.add(it);
    }
  }
  return found;
}

function withDescendants(walk: Walk, directories: ReadonlySet<string>): Set<string> {
  const found = new Set(directories);
  let level: readonly string[] = [...directories];
  for (let depth = 0; depth < MAXIMUM_DEPTH; depth++) {
    level = level.flatMap((it) => subdirectories(walk, it)).filter((it) => !found.has(it));
    for (const it of level) found.add(it);
  }
  return found;
}

function subdirectories(walk: Walk, directory: string): string[] {
  if (walk.left < 0) return [];
  const entries = [...(walk.tree.list(directory) ?? [])];
  walk.left -= entries.length;
  return entries
    .filter(
      ([name, kind]) => kind === 'directory' && name !== 'node_modules' && !name.startsWith('.'),
    )
    .map(([name]) => join(directory, name));
}
