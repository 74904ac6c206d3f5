import { relative, resolve } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

export interface TwoFiles {
  readonly root: string;
  /** Paths of the two that are written. */
  readonly first: string;
  readonly second: string;
  /** Path of a third file, with packages that few commands use: together they are as large as the rest. */
  readonly packages: string;
  /** Which packages it has. */
  readonly isApart: RegExp;
  /** Sources below the root: the first file contains them, and all that they import statically. */
  readonly start: readonly string[];
  /** Sources of which each file has its own copy: without state, and called so often that they have to be within reach. */
  readonly copied: RegExp;
}

/**
 * Bundles a program as two CommonJS files, and its packages as a third. Each exports functions that return what a module of it
 * exports, by its path below the root: so the modules of the second are loaded by an `import()` in the first, and find there what
 * both need.
 */
export async function buildInTwo(
  options: BuildOptions,
  { root, first, second, packages, isApart, start, copied }: TwoFiles,
): Promise<readonly Metafile[]> {
  const { plugins = [] } = options;
  const made = (contents: string, outfile: string, ...own: readonly Plugin[]) =>
    build({
      ...options,
      format: 'cjs',
      outfile,
      metafile: true,
      stdin: { contents, resolveDir: root },
      plugins: [...plugins, ...own],
    });
  const isLater: Elsewhere = (name, kind) => kind === 'dynamic-import' && !start.includes(name);
  const tried = await made(exporting(start.map(nameOf)), first, fromElsewhere(root, isLater));
  const inputs = Object.entries(tried.metafile.inputs);
  const own = inputs.flatMap(([path]) => (path.endsWith('.ts') && !copied.test(path) ? path : []));
  const later = inputs.flatMap(([, { imports }]) =>
    imports.filter((it) => it.external && it.path.startsWith('./')).map((it) => it.path),
  );
  const isIn = new Set(own);
  const apart = new Set<string>();
  const results = await Promise.all([
    made(exporting(own.map(nameOf)), first, fromElsewhere(root, isLater)),
    made(
      exporting(new Set(later)),
      second,
      fromElsewhere(root, (name) => isIn.has(name)),
      packagesApart(isApart, apart),
    ),
  ]);
  const names = [...apart].sort().map((it) => [packageNamed(it), it] as const);
  results.push(await made(exportingAs(names), packages));
  return results.map((it) => it.metafile);
}

type Elsewhere = (path: string, kind: string) => boolean;

function nameOf(path: string): string {
  return `./${path}`;
}

/** How our own files call a package of the third. */
function packageNamed(name: string): string {
  return `./packages/${name}`;
}

function exporting(names: Iterable<string>): string {
  return exportingAs(Array.from(names, (it) => [it, it] as const));
}

function exportingAs(names: readonly (readonly [name: string, source: string])[]): string {
  const functions = names.map(
    ([name, source]) => `${JSON.stringify(name)}: () => require(${JSON.stringify(source)})`,
  );
  return `module.exports = {${functions.join(',')}};`;
}

/** Leaves out the sources that the other file has. */
function fromElsewhere(root: string, isElsewhere: Elsewhere): Plugin {
  return {
    name: 'from the other file',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir, kind }) => {
        if (kind === 'require-call') return undefined;
        const source = relative(root, resolve(resolveDir, path)).replaceAll('\\', '/');
        return isElsewhere(source, kind) ? { path: nameOf(source), external: true } : undefined;
      });
    },
  };
}

/** Leaves out the packages that are apart, where our own code imports them, and adds their names to `apart`. */
function packagesApart(isApart: RegExp, apart: Set<string>): Plugin {
  return {
    name: 'packages in a file of their own',
    setup({ onResolve }) {
      onResolve({ filter: isApart }, ({ path, importer }) => {
        if (importer.includes('node_modules')) return undefined;
        apart.add(path);
        return { path: packageNamed(path), external: true };
      });
    },
  };
}
