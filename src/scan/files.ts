import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import {
  disk,
  type Listed,
  listedIn,
  orUndefined,
  spelledAsOnDisk,
  within,
} from '../project/files.ts';
import { foldersFrom } from '../project/folders-above.ts';
import { isExcludedName, isTestName } from '../project/excluded-names.ts';
import { type IgnoreRules, ignoreRulesOf } from '../project/ignore-rules.ts';
import { isCode } from './language.ts';
import type { Notice } from './problem.ts';

export interface FilesOptions {
  /** The folder for relative paths and `ignorePatterns`: an absolute path. */
  readonly cwd: string;
  /** Further patterns in gitignore syntax. */
  readonly ignorePatterns?: readonly string[];
  /** Tests are found as well: for a program that may run them. */
  readonly withTests?: boolean;
  /** A replacement for the disk, or for a part of it. */
  readonly disk?: Partial<SearchedDisk>;
  /** Called with each entry of a folder that the search skips. */
  readonly onSkipped?: OnSkipped;
}

/** The reads of a search. */
export interface SearchedDisk {
  /** Throws where the folder cannot be read. */
  list(folder: string): readonly Listed[];
  /** Undefined where the file cannot be read. */
  read(path: string): string | undefined;
  exists(path: string): boolean;
  /** The path without links. */
  real(path: string): string;
}

const plainDisk: SearchedDisk = {
  list: listedIn,
  read: disk.read,
  exists: existsSync,
  real: disk.real,
};

export interface FoundFiles {
  /** Absolute, each once, in the order of the arguments and by name within a folder. */
  readonly files: readonly string[];
  /** The entries of `files` that were named, not found in a folder. */
  readonly named: ReadonlySet<string>;
  /** Arguments that are neither a file nor a folder. */
  readonly missing: readonly string[];
  readonly notices: readonly Notice[];
}

/** One folder's word on what below it is ignored. */
interface Layer {
  readonly folder: string;
  readonly rules: IgnoreRules;
}

/** Other people's code, also where .gitignore includes it. */
const foreignFolders = new Set([
  ...['node_modules', 'bower_components', 'jspm_packages', 'web_modules'],
  ...['vendor', 'vendors', 'third_party', 'third-party'],
]);
/** Folders that tools write; below `src` the same names are source code. */
const writtenFolders = new Set(['dist', 'build', 'out', 'coverage']);

/**
 * The source files behind the arguments of a command. A named file is always one of them; a folder is searched for code,
 * without dependencies, build output, dot files, excluded contexts and what .gitignore and .deadtimeignore name. Symbolic
 * links in a folder are not followed: their targets are found where they are, and cycles cannot trap the search.
 */
export function filesOf(paths: readonly string[], options: FilesOptions): FoundFiles {
  const files = new Set<string>();
  const named = new Set<string>();
  const disk = { ...plainDisk, ...options.disk };
  const missing: string[] = [];
  const notices: Notice[] = [];
  for (const path of paths) {
    const absolute = spelledAsOnDisk(resolve(options.cwd, path), disk.real);
    // Excludes what is behind a file, a circle of links, or an unreadable folder.
    const stat = orUndefined(() => statSync(absolute));
    if (!stat) missing.push(path);
    else if (!stat.isFile() && !stat.isDirectory()) {
      // A pipe without a writer, or a device without an end.
      notices.push({ path: absolute, reason: 'unreadable', message: 'is no regular file' });
    } else if (stat.isFile()) {
      files.add(absolute);
      named.add(absolute);
    } else {
      const patterns = patternLayer(absolute, options);
      const { onSkipped } = options;
      if (isIgnoredFolder(absolute, patterns)) {
        onSkipped?.(absolute, 'ignored');
        continue;
      }
      const outer = layersAbove(absolute, options.cwd, { disk, notices });
      const { withTests = false } = options;
      const root = absolute;
      search(absolute, outer, { root, patterns, files, notices, disk, onSkipped, withTests });
    }
  }
  return { files: [...files], named, missing, notices };
}

/**
 * Whether a search of `root` finds the file, both absolute: for hosts that get files one by one. A file outside of `root` is
 * searched from its own folder.
 */
export function isFoundBelow(
  root: string,
  path: string,
  ignorePatterns: readonly string[],
): boolean {
  const isInside = path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
  const top = isInside ? root : dirname(path);
  const patterns = patternLayer(top, { cwd: top, ignorePatterns });
  const reader: Reader = { disk: plainDisk, notices: [] };
  let layers = layersAbove(top, top, reader);
  const segments = relative(top, path).split(sep);
  for (const [i, name] of segments.entries()) {
    const folder = join(top, ...segments.slice(0, i));
    const isFolder = i < segments.length - 1;
    const has = (it: string) => existsSync(join(folder, it));
    const parent = { root: top, folder, has, withTests: false };
    if (skipReason(name, isFolder, parent) !== undefined) return false;
    layers = withOwn(layers, folder, existing(folder, ignoreFiles, plainDisk), reader);
    const entry = join(folder, name);
    if (isIgnored(entry, layers, isFolder) || isIgnored(entry, patterns, isFolder)) return false;
  }
  return true;
}

/** Reads ignore files, and notes what of them is left out. */
interface Reader {
  readonly disk: SearchedDisk;
  readonly notices: Notice[];
}

interface Search extends Reader {
  readonly root: string;
  /** Ignored, even where the ignore files include it again. */
  readonly patterns: readonly Layer[];
  readonly files: Set<string>;
  readonly onSkipped?: OnSkipped | undefined;
  readonly withTests: boolean;
}

function search(folder: string, outer: readonly Layer[], it: Search): void {
  let entries: readonly Listed[];
  try {
    entries = it.disk.list(folder).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const message = `cannot be read (${error instanceof Error ? error.message : String(error)})`;
    it.notices.push({ path: folder, reason: 'unreadable', message });
    return;
  }
  const names = entries.map((entry) => entry.name);
  const layers = withOwn(outer, folder, names, it);
  let beside: ReadonlySet<string> | undefined;
  const has = (other: string) => (beside ??= new Set(names)).has(other);
  const parent: Parent = { root: it.root, folder, has, withTests: it.withTests };
  for (const { name, kind, isLink } of entries) {
    if (isLink || !kind) continue;
    const isFolder = kind === 'directory';
    const file = within(folder, name);
    const isLeftOut = () =>
      isIgnored(file, layers, isFolder) || isIgnored(file, it.patterns, isFolder);
    const reason = skipReason(name, isFolder, parent) ?? (isLeftOut() ? 'ignored' : undefined);
    if (reason !== undefined) it.onSkipped?.(file, reason);
    else if (isFolder) search(file, layers, it);
    else it.files.add(file);
  }
}

interface Parent {
  readonly root: string;
  readonly folder: string;
  /** Whether the folder has an entry of this name. */
  has(name: string): boolean;
  readonly withTests: boolean;
}

/** Why a search skips an entry of a folder; `other` is no code. */
export type SkipReason =
  'ignored' | 'hidden' | 'excluded' | 'foreign' | 'written' | 'configuration' | 'other';

export type OnSkipped = (path: string, reason: SkipReason) => void;

function skipReason(name: string, isFolder: boolean, parent: Parent): SkipReason | undefined {
  if (!isFolder && !isCode(name)) return 'other';
  if (name.startsWith('.')) return 'hidden';
  if (isExcludedName(name) && !(parent.withTests && isTestName(name))) return 'excluded';
  return isFolder ? folderReason(name, parent) : fileReason(name, parent);
}

function folderReason(name: string, { root, folder }: Parent): SkipReason | undefined {
  if (foreignFolders.has(name)) return 'foreign';
  const isWritten = writtenFolders.has(name) && !relative(root, folder).split(sep).includes('src');
  return isWritten ? 'written' : undefined;
}

function fileReason(name: string, parent: Parent): SkipReason | undefined {
  if (isWrittenName(name) || isCompiled(name, parent)) return 'written';
  // Tools read their configuration next to package.json; `config/db.config.js` belongs to the application.
  const isOfTool = /\.config\.[cm]?[jt]s$/.test(name) && parent.has('package.json');
  return isOfTool ? 'configuration' : undefined;
}

/** `jobs.js` next to its source `jobs.ts`: the next build overwrites any fix in it. */
function isCompiled(name: string, { has }: Parent): boolean {
  const [, stem, kind = ''] = /^(.+)\.([cm]?)jsx?$/.exec(name) ?? [];
  return stem !== undefined && (has(`${stem}.${kind}ts`) || (!kind && has(`${stem}.tsx`)));
}

function isWrittenName(name: string): boolean {
  return /[.-](?:min|bundle)\.[cm]?js$/i.test(name);
}

/** The innermost folder with a rule about `path` decides, as in git. */
function isIgnored(path: string, layers: readonly Layer[], isFolder: boolean): boolean {
  for (let i = layers.length - 1; i >= 0; i--) {
    const { folder, rules } = layers[i]!;
    const inside = path.slice(folder.endsWith(sep) ? folder.length : folder.length + 1);
    const verdict = rules.says(posix(inside), isFolder);
    if (verdict !== undefined) return verdict;
  }
  return false;
}

/** Whether a folder that is named is left out, or lies in one that is. */
function isIgnoredFolder(folder: string, layers: readonly Layer[]): boolean {
  const [outermost] = layers;
  if (!outermost) return false;
  for (let it = folder; it.length > outermost.folder.length; it = dirname(it)) {
    // The result of a folder holds for its content.
    const above = layers.filter((layer) => layer.folder.length < it.length);
    if (isIgnored(it, above, true)) return true;
  }
  return false;
}

/** Patterns are relative to the working directory, except in a folder outside it. */
function patternLayer(
  folder: string,
  { cwd, ignorePatterns = [] }: FilesOptions,
): readonly Layer[] {
  if (ignorePatterns.length === 0) return [];
  const isInside = folder === cwd || folder.startsWith(cwd.endsWith(sep) ? cwd : `${cwd}${sep}`);
  return [layerFrom(isInside ? cwd : folder, ignorePatterns)];
}

function layerFrom(
  folder: string,
  patterns: readonly string[],
  outer: readonly Layer[] = [],
): Layer {
  const heavier = outer.reduce((sum, { rules }) => sum + rules.weight, 0);
  return { folder, rules: ignoreRulesOf(patterns, heavier) };
}

function posix(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

const ignoreFiles = ['.gitignore', '.deadtimeignore'];

/** With the ignore files of a folder. */
function withOwn(
  outer: readonly Layer[],
  folder: string,
  names: readonly string[],
  { disk, notices }: Reader,
): readonly Layer[] {
  const present = ignoreFiles.filter((name) => names.includes(name));
  if (present.length === 0) return outer;
  const lines = present.flatMap((name) => {
    const path = join(folder, name);
    const text = disk.read(path);
    if (text === undefined) {
      const message = 'cannot be read, or is larger than 20 MB: it ignores nothing';
      notices.push({ path, reason: 'unreadable', message });
    }
    return (text ?? '').split(/\r?(?:\n|$)/);
  });
  const layer = layerFrom(folder, lines, outer);
  if (layer.rules.isCut) {
    const path = join(folder, present.at(-1)!);
    const message = 'has too many patterns with wildcards: the rest ignores nothing';
    notices.push({ path, reason: 'limit', message });
  }
  return [...outer, layer];
}

function existing(folder: string, names: readonly string[], disk: SearchedDisk): readonly string[] {
  return names.filter((name) => disk.exists(join(folder, name)));
}

/** The ignore files above the folder that is searched; none when they ignore the folder itself, because it was named. */
function layersAbove(folder: string, cwd: string, reader: Reader): readonly Layer[] {
  let layers: readonly Layer[] = [];
  for (const it of foldersAbove(folder, cwd, reader.disk)) {
    layers = withOwn(layers, it, existing(it, ignoreFiles, reader.disk), reader);
  }
  return isIgnoredFolder(folder, layers) ? [] : layers;
}

/** From the repository's top down to the folder's parent; without a repository, from the working directory down. */
function foldersAbove(folder: string, cwd: string, disk: SearchedDisk): readonly string[] {
  const chain: string[] = [];
  for (const it of foldersFrom(folder)) {
    if (it !== folder) chain.unshift(it);
    if (disk.exists(join(it, '.git'))) return chain;
  }
  const first = chain.indexOf(cwd);
  return first === -1 ? [] : chain.slice(first);
}
