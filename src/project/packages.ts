import { join, resolve } from 'node:path';
import type { Files } from './files.ts';
import { field, stringField } from './json.ts';
import type { Tree } from './tree.ts';
import { workspacesOf } from './workspaces.ts';

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
