import { join, relative, sep } from 'node:path';
import { stringField } from './json.ts';
import { manifestTargets } from './manifest-targets.ts';
import { contains, type Tree } from './tree.ts';
import type { TsConfigs } from './tsconfig.ts';

/** Directories that builds write to, by convention. `lib` is as often written by hand, so it counts only where a file is missing. */
const OUTPUT = new Set([
  'dist',
  'build',
  'out',
  'output',
  'es',
  'esm',
  'cjs',
  'compiled',
  '.build',
  'types',
  'typings',
]);
const SOURCE = ['src', 'source', 'lib', ''];

/** The source of the file that a manifest names: the file itself, or the source of its build (`src/db.ts` for `dist/db.js`). */
export function sourceOf(
  tree: Tree,
  configs: TsConfigs,
  packageDirectory: string,
  path: string,
): string | undefined {
  const built = builtFrom(tree, configs, packageDirectory, path);
  const isOutput = OUTPUT.has(firstSegment(packageDirectory, path));
  return isOutput ? (built ?? tree.codeAt(path)) : (tree.codeAt(path) ?? built);
}

function builtFrom(
  tree: Tree,
  configs: TsConfigs,
  packageDirectory: string,
  path: string,
): string | undefined {
  if (!contains(packageDirectory, path)) return undefined;
  for (const config of configs.for(packageDirectory)) {
    if (config.outDir === undefined || !contains(config.outDir, path)) continue;
    const inside = relative(config.outDir, path);
    const rootDirs = config.rootDir === undefined ? ['src', '.'] : [config.rootDir];
    for (const rootDir of rootDirs) {
      const found = tree.codeAt(
        stemOf(join(rootDir.startsWith(sep) ? '' : packageDirectory, rootDir, inside)),
      );
      if (found !== undefined) return found;
    }
  }
  const segments = relative(packageDirectory, path).split(sep);
  if (!OUTPUT.has(segments[0]!) && segments[0] !== 'lib') return undefined;
  // dist/esm/src/db.js: each directory less is one guess more, the nearest first.
  for (let skipped = 1; skipped < segments.length && skipped <= 3; skipped++) {
    for (const source of SOURCE) {
      if (skipped === 1 && source === segments[0]) continue;
      const found = tree.codeAt(stemOf(join(packageDirectory, source, ...segments.slice(skipped))));
      if (found !== undefined && !OUTPUT.has(firstSegment(packageDirectory, found))) return found;
    }
    if (!OUTPUT.has(segments[skipped]!)) break;
  }
  return undefined;
}

function firstSegment(directory: string, path: string): string {
  return relative(directory, path).split(sep)[0]!;
}

/** Without the extension of code or declaration, so that the source's own is probed. */
function stemOf(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
}

/** The source file behind `import 'name/subpath'`, where the package lies in `directory`. `subpath` is '.' or './db'. */
export function packageSource(
  tree: Tree,
  configs: TsConfigs,
  directory: string,
  subpath: string,
): string | undefined {
  const manifest = tree.json(join(directory, 'package.json'));
  const isMain = subpath === '.';
  const named = [
    ...manifestTargets(tree, directory, 'exports', subpath),
    ...(isMain
      ? ['source', 'main', 'module', 'types', 'typings']
          .map((it) => stringField(manifest, it))
          .filter((it) => it !== undefined)
      : [subpath]),
  ];
  for (const target of named) {
    const found = sourceOf(tree, configs, directory, join(directory, target));
    if (found !== undefined) return found;
  }
  const conventional = isMain
    ? ['src/index', 'index', 'source/index', 'lib/index', 'src/main']
    : [join('src', subpath)];
  for (const it of conventional) {
    const found = tree.codeAt(join(directory, it));
    if (found !== undefined) return found;
  }
  return undefined;
}
