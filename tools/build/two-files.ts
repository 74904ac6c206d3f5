import { relative, resolve } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';

export interface TwoFiles {
  readonly root: string;
  /** Paths of the two that are written. */
  readonly first: string;
  readonly second: string;
  /** Sources below the root: the first file contains them, and all that they import statically. */
  readonly start: readonly string[];
  /** Sources of which each file has its own copy: without state, and called so often that they have to be within reach. */
  readonly copied: RegExp;
}

/**
 * Bundles a program as two CommonJS files. Each exports functions that return what a module of it exports, by its path below the
 * root: so the modules of the second are loaded by an `import()` in the first, and find there what both need.
 */
export async function buildInTwo(
  options: BuildOptions,
  { root, first, second, start, copied }: TwoFiles,
): Promise<readonly Metafile[]> {
  const { plugins = [] } = options;
  const made = (names: Iterable<string>, outfile: string, isElsewhere: Elsewhere) =>
    build({
      ...options,
      format: 'cjs',
      outfile,
      metafile: true,
      stdin: { contents: exporting(names), resolveDir: root },
      plugins: [...plugins, fromElsewhere(root, isElsewhere)],
    });
  const isLater: Elsewhere = (name, kind) => kind === 'dynamic-import' && !start.includes(name);
  const tried = await made(start.map(nameOf), first, isLater);
  const inputs = Object.entries(tried.metafile.inputs);
  const own = inputs.flatMap(([path]) => (path.endsWith('.ts') && !copied.test(path) ? path : []));
  const later = inputs.flatMap(([, { imports }]) =>
    imports.filter((it) => it.external && it.path.startsWith('./')).map((it) => it.path),
  );
  const isIn = new Set(own);
  const results = await Promise.all([
    made(own.map(nameOf), first, isLater),
    made(new Set(later), second, (name) => isIn.has(name)),
  ]);
  return results.map((it) => it.metafile);
}

type Elsewhere = (path: string, kind: string) => boolean;

function nameOf(path: string): string {
  return `./${path}`;
}

function exporting(names: Iterable<string>): string {
  const functions = Array.from(
    names,
    (it) => `${JSON.stringify(it)}: () => require(${JSON.stringify(it)})`,
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
