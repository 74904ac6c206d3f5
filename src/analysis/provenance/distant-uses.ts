import { valueOf } from './value-of.ts';
import { query } from '../../engine/query.ts';
import {
  type ClassNode,
  type FunctionNode,
  importedName,
  isFunction,
  type Node,
} from '../syntax/ast.ts';
import { loadersOf } from './callers.ts';
import { exportsOf } from './exports.ts';
import type { FileFacts } from '../file/file.ts';
import type { Place } from '../file/place.ts';
import { nameOfFunction } from '../syntax/function-names.ts';
import { startsAt } from '../syntax/places.ts';

/** `export * from './orders.ts'` in one index, and in the index of the folder above. */
const FARTHEST_INDEX = 2;

/**
 * Where other files of the package name a function or a class of this file: those that import the file, also through an index. Only uses
 * that resolve, and none where many files import it: good enough to order findings, and no proof that there are no other uses.
 */
export const distantUsesOf = query(
  'distant uses',
  (file: FileFacts, used: FunctionNode | ClassNode): readonly Place[] => {
    const own = isFunction(used) ? nameOfFunction(used) : (used.id?.name ?? '');
    return importersOf(file, FARTHEST_INDEX).flatMap((importer) =>
      [...new Set([own, ...namesIn(importer, file, own)])]
        .flatMap((it) => (it ? importer.nodes.named(it) : []))
        .map((it): Node => (isProperty(it) ? it.parent! : it))
        .filter((node) => isAt(importer, node, file, used))
        .map((node) => ({ file: importer, node })),
    );
  },
  { whileCyclic: [] },
);

function importersOf(file: FileFacts, distance: number): readonly FileFacts[] {
  const found = new Set<FileFacts>();
  for (const it of loadersOf(file) ?? []) {
    // no veto: spares the search.
    if (found.has(it)) continue;
    found.add(it);
    if (distance > 0 && handsOn(it, file))
      for (const further of importersOf(it, distance - 1)) found.add(further);
  }
  return [...found].filter((it) => it.path !== file.path);
}

/** `export * from './orders.ts'`, `export { summary } from './orders.ts'`. */
function handsOn(index: FileFacts, file: FileFacts): boolean {
  const { everythingFrom, names } = exportsOf(index);
  const sources = names.flatMap((it) => {
    const exported = exportsOf(index).get(it);
    return exported?.kind === 'reexport' ? exported.source : [];
  });
  return [...everythingFrom, ...sources].some((it) => leadsTo(index, it, file));
}

function leadsTo(from: FileFacts, specifier: string, file: FileFacts): boolean {
  return from.modules?.leadsTo(specifier, from.path, file.path) === true;
}

/** The names that a file gives to an export `name`, or to the default export of the other file. */
function namesIn(importer: FileFacts, file: FileFacts, name: string): readonly string[] {
  return importer.nodes
    .all('ImportDeclaration')
    .flatMap(({ source, specifiers }) =>
      specifiers
        .filter((it) =>
          it.type === 'ImportDefaultSpecifier'
            ? leadsTo(importer, source.value, file)
            : importedName(it) === name,
        )
        .map((it) => it.local.name),
    );
}

function isProperty(name: Node): boolean {
  return name.parent?.type === 'MemberExpression' && name.parent.property === name;
}

/** By its place: a host that has parsed a file itself has other nodes of it than the files that import it. */
function isAt(
  from: FileFacts,
  node: Node,
  file: FileFacts,
  used: FunctionNode | ClassNode,
): boolean {
  const value = valueOf(from, node);
  return (
    (value.kind === 'function' || value.kind === 'class') &&
    value.file.path === file.path &&
    startsAt(value.node) === startsAt(used)
  );
}
