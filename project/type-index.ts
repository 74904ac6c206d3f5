import { join, relative, sep } from 'node:path';
import { isExcludedName } from './excluded-names.ts';
import type { Files } from './files.ts';
import { typesNamedIn } from './named-types.ts';
import { contains, isInside, type Tree } from './tree.ts';

/** Which files of a repository name a type where they make something of it (named-types.ts). */
export interface TypeIndex {
  /** In order of their paths; undefined where there are more files than anybody wants to wait for. */
  naming(name: string, root: string): readonly string[] | undefined;
  /** Known files that are not what they were when they were read. */
  stale(): readonly string[];
  /** The text of a file is another. */
  forget(path: string): void;
  /** Files came or went. */
  forgetFolders(): void;
}

interface Known {
  readonly stamp: string | undefined;
  readonly names: ReadonlySet<string>;
}

/** Only TypeScript has types to name. */
const CODE = /(?<!\.d)\.[cm]?tsx?$/;
const FOREIGN = /^(?:\..*|node_modules|bower_components|vendors?|third[-_]party)$/;
const WRITTEN = /^(?:dist|build|out|coverage)$/;

const MOST_FILES = 20_000;
/** Longer files are generated. */
const MAXIMUM_FILE = 1_000_000;

/** Nothing is read before the first question; tests and copies of code make nothing that the project runs with. */
export function typeIndexOf(files: Files, tree: Tree): TypeIndex {
  const known = new Map<string, Known>();
  const paths = new Map<string, readonly string[] | undefined>();
  const byRoot = new Map<string, ReadonlyMap<string, readonly string[]>>();
  return {
    naming(name, root) {
      if (!paths.has(root)) paths.set(root, codeIn(files, tree, root));
      const all = paths.get(root);
      if (!all) return undefined;
      let byName = byRoot.get(root);
      if (!byName) byRoot.set(root, (byName = inverted(all)));
      return byName.get(name) ?? [];
    },
    stale: () =>
      [...known].filter(([path, it]) => it.stamp !== files.stamp(path)).map(([path]) => path),
    forget(path) {
      if (known.delete(path)) byRoot.clear();
    },
    forgetFolders() {
      paths.clear();
      byRoot.clear();
    },
  };

  function inverted(all: readonly string[]): ReadonlyMap<string, readonly string[]> {
    const byName = new Map<string, string[]>();
    for (const path of all) {
      for (const name of namesIn(path)) {
        const found = byName.get(name);
        if (found) found.push(path);
        else byName.set(name, [path]);
      }
    }
    return byName;
  }

  function namesIn(path: string): ReadonlySet<string> {
    let it = known.get(path);
    if (!it) {
      const stamp = files.stamp(path);
      const text = files.read(path) ?? '';
      it = { stamp, names: text.length > MAXIMUM_FILE ? NONE : typesNamedIn(text) };
      known.set(path, it);
    }
    return it.names;
  }
}

const NONE: ReadonlySet<string> = new Set();

function codeIn(files: Files, tree: Tree, root: string): readonly string[] | undefined {
  const found: string[] = [];
  const visited = new Set<string>();
  const open = [root];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    // A link may lead around in circles.
    const real = files.real(folder);
    if (visited.has(real) || !contains(tree.realRoot(root), real)) continue;
    visited.add(real);
    const isSource = relative(root, folder).split(sep).includes('src');
    for (const [name, kind] of tree.list(folder) ?? []) {
      if (FOREIGN.test(name) || isExcludedName(name)) continue;
      const path = join(folder, name);
      if (kind === 'directory') {
        if (isSource || !WRITTEN.test(name)) open.push(path);
      } else if (CODE.test(name) && isInside(files, tree, path)) found.push(path);
    }
    if (found.length > MOST_FILES) return undefined;
  }
  return found.sort();
}
