import { basename, dirname, extname, isAbsolute, join } from 'node:path';
import { entriesOf, field, type Json, stringField, stringsOf } from './json.ts';
import { patternMatch } from './patterns.ts';
import { contains, type Tree } from './tree.ts';

/** What a tsconfig.json says about where modules are, `extends` followed as far as the files are there. */
export interface TsConfig {
  readonly baseUrl?: string | undefined;
  /** `@/*` and the absolute paths that it stands for. */
  readonly paths: readonly (readonly [pattern: string, targets: readonly string[]])[];
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
    configs = [...configsIn(tree, directory, packageDirectory), ...above];
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
  // A solution file only lists its parts, and the paths are theirs: tsconfig.app.json beside it.
  const parts = arrayOf(field(tree.json(path), 'references')).flatMap((it) => {
    const part = stringField(it, 'path');
    if (part === undefined) return [];
    const at = join(directory, part);
    return extname(at) === '.json' && dirname(at) === directory ? [at] : [];
  });
  return [path, ...parts].map((it) => configAt(tree, it, directory, packages, 0));
}

function arrayOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

const MAXIMUM_EXTENDS = 8;

function configAt(
  tree: Tree,
  path: string,
  configDir: string,
  packages: PackageDirectory,
  depth: number,
): TsConfig {
  const json = tree.json(path);
  const options = field(json, 'compilerOptions');
  const directory = dirname(path);
  const absolute = (it: string | undefined): string | undefined => {
    if (it === undefined) return undefined;
    const whole = it.replace('${configDir}', configDir);
    return isAbsolute(whole) ? whole : join(directory, whole);
  };
  const inherited =
    depth < MAXIMUM_EXTENDS
      ? stringsOf(field(json, 'extends'))
          .map((it) => extendedPath(tree, it, directory, packages))
          .filter((it) => it !== undefined)
          .filter((it) => contains(tree.rootOf(directory), it))
          .map((it) => configAt(tree, it, configDir, packages, depth + 1))
          .reduce((earlier, later) => merged(earlier, later), NOTHING)
      : NOTHING;
  const baseUrl = absolute(stringField(options, 'baseUrl'));
  const base = baseUrl ?? inherited.baseUrl ?? directory;
  const paths = entriesOf(field(options, 'paths')).map(([pattern, targets]): [string, string[]] => [
    pattern,
    stringsOf(targets).map((it) => {
      const target = it.replace('${configDir}', configDir);
      return isAbsolute(target) ? target : join(base, target);
    }),
  ]);
  return merged(inherited, {
    baseUrl,
    paths,
    rootDir: absolute(stringField(options, 'rootDir')),
    outDir: absolute(stringField(options, 'outDir')),
  });
}

const NOTHING: TsConfig = { paths: [] };

function merged(base: TsConfig, over: TsConfig): TsConfig {
  return {
    baseUrl: over.baseUrl ?? base.baseUrl,
    paths: over.paths.length > 0 ? over.paths : base.paths,
    rootDir: over.rootDir ?? base.rootDir,
    outDir: over.outDir ?? base.outDir,
  };
}

/** A base that is not there (a package that is not installed) is left out: what the rest says still holds. */
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
  const matches = config.paths
    .flatMap(([pattern, targets]) => {
      const star = patternMatch(pattern, specifier);
      return star === undefined
        ? []
        : [{ pattern, targets: targets.map((it) => it.replace('*', () => star)) }];
    })
    .sort((a, b) => b.pattern.length - a.pattern.length);
  const targets = matches.flatMap((it) => it.targets);
  return config.baseUrl === undefined ? targets : [...targets, join(config.baseUrl, specifier)];
}
