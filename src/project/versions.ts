import { dirname, join } from 'node:path';
import { field, stringField } from './json.ts';
import type { Tree } from './tree.ts';

const GROUPS = ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies'];

/**
 * The version of a package that the code in `path` gets, as `8.23.1` or `8`: the installed one, else that of the lock file,
 * else the start of the manifest's range. Undefined where none of them names it.
 */
export function versionOf(tree: Tree, name: string, path: string): string | undefined {
  const root = tree.rootOf(dirname(path));
  for (let it = dirname(path); ; it = dirname(it)) {
    const version = versionAt(tree, name, it);
    if (version !== undefined || it === root || it === dirname(it)) return version;
  }
}

function versionAt(tree: Tree, name: string, directory: string): string | undefined {
  const installed = stringField(
    tree.json(join(directory, 'node_modules', name, 'package.json')),
    'version',
  );
  if (installed !== undefined) return installed;
  const lock = tree.json(join(directory, 'package-lock.json'));
  const locked =
    field(field(lock, 'packages'), `node_modules/${name}`) ??
    field(field(lock, 'dependencies'), name);
  return stringField(locked, 'version') ?? declaredAt(tree, name, directory);
}

/** `^8.11.3`, `~8.11` and `8.x` keep the major number; a range with an open end has none. */
function declaredAt(tree: Tree, name: string, directory: string): string | undefined {
  const manifest = tree.json(join(directory, 'package.json'));
  const ranges = GROUPS.map((it) => stringField(field(manifest, it), name));
  const range = ranges.find((it) => it !== undefined);
  return range === undefined ? undefined : /^[\^~=v\s]*(\d+(?:\.\d+){0,2})/.exec(range)?.[1];
}
