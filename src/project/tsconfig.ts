import { basename, dirname, extname, isAbsolute, join } from 'node:path';
import { entriesOf, field, type Json, stringField, stringsOf } from './json.ts';
import { MOST_PATTERNS, patternMatch, TOO_MANY_PATTERNS } from './patterns.ts';
import { contains, type Tree } from './tree.ts';

/** The module settings of a tsconfig.json, with `extends` as far as the files exist. */
export interface TsConfig {
  readonly baseUrl?: string | undefined;
  /** The absolute paths that the `paths` without a star stand for. */
  readonly exact: ReadonlyMap<string, readonly string[]>;
  /** `@/*` and the absolute paths that it stands for, the most specific first. */
  readonly patterns: readonly (readonly [pattern: string, targets: readonly string[]])[];
  readonly rootDir?: string | undefined;
  readonly outDir?: string | undefined;
}

export interface TsConfigs {
  /** The configurations that hold for a directory, the nearest first. */
  for(directory: string): readonly TsConfig[];
  forget(): void;
}

/** Finds the directory of a package by name: `extends` may name a workspace's package. */
export type PackageDirectory = (name: string, from: string) => string | undefined;

export function tsConfigsOf(tree: Tree, packageDirectory: PackageDirectory): TsConfigs {
  const known = new Map<string, readonly TsConfig[]>();
  const byDirectory = (directory: string): readonly TsConfig[] => {
    let configs = known.get(directory);
    if (configs) return configs;
    const parent = dirname(directory);
    const above =
      directory === tree.rootOf(directory) || parent === directory ? [] : byDirectory(parent);
    const all = [...configsIn(tree, directory, packageDirectory), ...above];
    configs = all.slice(0, MOST_CONFIGS);
    if (all.length > MOST_CONFIGS) {
      tree.leaveOut(directory, 'has over 100 configurations of TypeScript: the rest is ignored');
    }
    known.set(directory, configs);
    return configs;
  };
  return { for: byDirectory, forget: () => known.clear() };
}

function configsIn(tree: Tree, directory: string, packages: PackageDirectory): TsConfig[] {
  const names = tree.list(directory);
  const name = ['tsconfig.json', 'jsconfig.json'].find((it) => names?.get(it) === 'file');
  if (name === undefined) return [];
  const path = join(directory, name);
  // A solution file only lists its parts, and the paths are theirs: tsconfig.app.json in the same folder.
  const named = arrayOf(field(tree.json(path), 'references')).flatMap((it) => {
    const part = stringField(it, 'path');
    if (part === undefined) return [];
    const at = join(directory, part);
    return extname(at) === '.json' && dirname(at) === directory ? [at] : [];
  });
  // One more than the limit shows that there are too many.
  const parts = [...new Set([path, ...named])].slice(0, MOST_CONFIGS + 1);
  return parts.map((it) => configAt(tree, it, directory, packages));
}

function arrayOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** That hold for one directory, and that one of them extends: each is read once. No project has a tenth of that. */
const MOST_CONFIGS = 100;
const TOO_MANY_BASES = 'extends over 100 others: the rest is ignored';
/** Of one name in `paths`. */
const MOST_TARGETS = 100;

interface Read {
  readonly directory: string;
  readonly json: Json | undefined;
}

function configAt(
  tree: Tree,
  path: string,
  configDir: string,
  packages: PackageDirectory,
): TsConfig {
  const chain = chainFrom(tree, path, packages);
  const absolute = (it: string, directory: string): string => {
    const whole = it.replace('${configDir}', configDir);
    return isAbsolute(whole) ? whole : join(directory, whole);
  };
  const first = (name: string): string | undefined => {
    for (const { directory, json } of chain) {
      const said = stringField(field(json, 'compilerOptions'), name);
      if (said !== undefined) return absolute(said, directory);
    }
    return undefined;
  };
  const baseUrl = first('baseUrl');
  const withPaths = chain.find(({ json }) => pathsOf(json).length > 0);
  // As TypeScript does: the base that holds in the end, else where the paths are written.
  const base = baseUrl ?? withPaths?.directory ?? configDir;
  const paths = pathsOf(withPaths?.json).map(([name, targets]): [string, readonly string[]] => [
    name,
    stringsOf(targets)
      .slice(0, MOST_TARGETS)
      .map((it) => absolute(it, base)),
  ]);
  const starred = paths.filter(([name]) => name.includes('*'));
  if (starred.length > MOST_PATTERNS) tree.leaveOut(path, TOO_MANY_PATTERNS);
  return {
    baseUrl,
    exact: new Map(paths.filter(([name]) => !name.includes('*'))),
    patterns: starred.slice(0, MOST_PATTERNS).sort(([a], [b]) => b.length - a.length),
    rootDir: first('rootDir'),
    outDir: first('outDir'),
  };
}

function pathsOf(json: Json | undefined): [string, Json][] {
  return entriesOf(field(field(json, 'compilerOptions'), 'paths'));
}

/**
 * The configuration and all that it extends, each once, and what wins before what it wins over: of several in one list, the last.
 * Without this memory a file that extends itself twelve times would be read 12⁸ times.
 */
function chainFrom(tree: Tree, path: string, packages: PackageDirectory): readonly Read[] {
  const chain = new Map<string, Read>();
  const open = [path];
  for (let it = open.pop(); it !== undefined; it = open.pop()) {
    if (chain.has(it)) continue;
    if (chain.size === MOST_CONFIGS) {
      tree.leaveOut(path, TOO_MANY_BASES);
      break;
    }
    const directory = dirname(it);
    const json = tree.json(it);
    chain.set(it, { directory, json });
    const names = [...new Set(stringsOf(field(json, 'extends')))];
    if (names.length > MOST_CONFIGS) tree.leaveOut(it, TOO_MANY_BASES);
    for (const name of names.slice(-MOST_CONFIGS)) {
      const base = extendedPath(tree, name, directory, packages);
      if (base !== undefined && contains(tree.rootOf(directory), base)) open.push(base);
    }
  }
  return [...chain.values()];
}

/** A missing base (a package that is not installed) is skipped: the rest still applies. */
function extendedPath(
  tree: Tree,
  specifier: string,
  directory: string,
  packages: PackageDirectory,
): string | undefined {
  if (specifier.startsWith('.') || isAbsolute(specifier)) {
    const path = isAbsolute(specifier) ? specifier : join(directory, specifier);
    return [path, `${path}.json`, join(path, 'tsconfig.json')].find(
      (it) => tree.kindOf(it) === 'file',
    );
  }
  const parts = specifier.split('/');
  const name = parts.splice(0, specifier.startsWith('@') ? 2 : 1).join('/');
  const owner = packages(name, directory);
  if (owner === undefined) return undefined;
  const path = join(owner, ...parts);
  return [path, `${path}.json`, join(path, 'tsconfig.json')].find(
    (it) => tree.kindOf(it) === 'file' && extname(basename(it)) === '.json',
  );
}

/** The places that `paths` and `baseUrl` name for a specifier, the most specific pattern first. */
export function aliasTargets(config: TsConfig, specifier: string): string[] {
  const exact = config.exact.get(specifier) ?? [];
  const starred = config.patterns.flatMap(([pattern, targets]) => {
    const star = patternMatch(pattern, specifier);
    return star === undefined ? [] : targets.map((it) => it.replace('*', () => star));
  });
  const based = config.baseUrl === undefined ? [] : [join(config.baseUrl, specifier)];
  return [...exact, ...starred, ...based];
}
