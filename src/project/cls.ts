import { basename, join } from 'node:path';
import { switchesOnCls } from '../analysis/effects/ambient.ts';
import { wordsOf } from '../analysis/syntax/words.ts';
import type { Files } from './files.ts';
import { field } from './json.ts';
import type { Tree } from './tree.ts';

/** Where packages start, and where they set their databases up. To read all files of a package would take too long. */
const SETUP =
  /\b(?:app|bootstrap|cls|conf(?:ig)?|connect(?:ion|or)?s?|context|core|data|database|db|entry|infra(?:structure)?|init|lib|loaders?|main|models?|mysql|namespaces?|orm|persistence|pg|postgres|sequelize|server|setup|sql|src|storage|store|transactions?|transactional|tx)\b/;

const CODE = /\.[cm]?[jt]s$/;
/** Build output, and code that no server runs. */
const ASIDE =
  /^(?:\..*|node_modules|dist|build|out|coverage|public|static|tests?|__tests__|migrations|seeders)$/;
const MAXIMUM_DEPTH = 6;

/** Whether one of these manifests names Sequelize, and the package in the folder of the first switches its CLS on. */
export function usesCls(files: Files, tree: Tree, directories: readonly string[]): boolean {
  const isGiven = directories.some((it) => {
    const manifest = tree.json(join(it, 'package.json'));
    const named = [field(manifest, 'dependencies'), field(manifest, 'peerDependencies')];
    return named.some((group) => field(group, 'sequelize') ?? field(group, 'sequelize-typescript'));
  });
  return isGiven && isSwitchedOnIn(files, tree, directories[0]!, 0);
}

function isSwitchedOnIn(files: Files, tree: Tree, directory: string, depth: number): boolean {
  const entries = [...(tree.list(directory) ?? [])];
  const isSetup = depth === 0 || isNamedForSetup(basename(directory));
  const isHere = entries.some(([name, kind]) => {
    if (kind !== 'file' || !CODE.test(name) || !(isSetup || isNamedForSetup(name))) return false;
    const path = join(directory, name);
    return tree.isInside(path) && switchesOnCls(files.read(path) ?? '');
  });
  if (isHere || depth === MAXIMUM_DEPTH) return isHere;
  return entries.some(([name, kind]) => {
    const path = join(directory, name);
    const isOurs = kind === 'directory' && !ASIDE.test(name) && !isPackage(tree, path);
    return isOurs && isSwitchedOnIn(files, tree, path, depth + 1);
  });
}

function isPackage(tree: Tree, directory: string): boolean {
  return tree.kindOf(join(directory, 'package.json')) === 'file';
}

/** `sequelize.config.ts`, `dbConnection.js`, `transaction-context`. */
function isNamedForSetup(name: string): boolean {
  return SETUP.test(wordsOf(name.replace(CODE, '')));
}
