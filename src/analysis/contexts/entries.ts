import { queryOfFile } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, classAround, type FunctionNode, type Node, propertyName } from '../syntax/ast.ts';
import { type Entry, entries } from '../model/entries.ts';
import type { Pace } from '../model/schema.ts';
import { exportsOf } from '../provenance/exports.ts';
import { importedAs } from '../provenance/injections.ts';
import type { FileFacts } from '../file/file.ts';
import { nameOfFunction } from '../syntax/function-names.ts';
import { importedPackages } from './imported-packages.ts';

/** How often a framework runs the function, which it finds by itself; undefined where none does. */
export function entryPaceOf(file: FileFacts, fn: FunctionNode): Pace | undefined {
  return entries.find((it) => isEntry(file, fn, it))?.runs;
}

function isEntry(file: FileFacts, fn: FunctionNode, entry: Entry): boolean {
  switch (entry.by) {
    case 'decorator':
      return decoratorsOf(fn.parent).some((it) =>
        isImportedAs(it, entry.decorators, entry.packages),
      );
    case 'class':
      return isMethod(fn, entry.methods) && isOfClass(fn, entry);
    case 'export':
      return isExport(file, fn, entry) && isThere(file, entry);
    case 'member':
      return isMember(file, fn, entry) && isThere(file, entry);
    case 'directive':
      return isDirected(file, fn, entry.directive);
    case 'component':
      return isComponent(file, fn) && isThere(file, entry);
  }
}

/** By an import, or by what the manifests list. */
function isThere(file: FileFacts, { packages }: Entry): boolean {
  if (!packages) return true;
  const imported = importedPackages(file);
  return packages.some(
    (it) => imported.includes(it) || file.modules?.versionOf(it, file.path) !== undefined,
  );
}

/** Espree has no decorators. */
export function decoratorsOf(node: Node): readonly Node[] {
  const { decorators } = node as { readonly decorators?: readonly TSESTree.Decorator[] };
  return (decorators ?? []).map(({ expression }) => {
    const it = bare(expression);
    return it.type === 'CallExpression' ? bare(it.callee) : it;
  });
}

/** Whether a name of the file is one of these exports of the packages. */
export function isImportedAs(
  name: Node,
  names: RegExp,
  packages: readonly string[] | undefined,
): boolean {
  if (name.type !== 'Identifier') return false;
  const imported = importedAs(name, name.name);
  // no veto: test/frameworks.test.ts tries it.
  if (!imported || !packages?.includes(imported.from)) return false;
  return names.test(imported.name ?? '');
}

function isMethod(fn: FunctionNode, names: RegExp): boolean {
  return fn.parent.type === 'MethodDefinition' && names.test(nameOfFunction(fn));
}

function isOfClass(
  fn: FunctionNode,
  { classes, packages }: Entry & { readonly by: 'class' },
): boolean {
  const owner = classAround(fn)?.node;
  if (!owner) return false;
  const { superClass, implements: types = [] } = owner;
  const parents = [superClass, ...types.map((it) => it.expression)].flatMap((it) =>
    it ? [bare(it)] : [],
  );
  return [...decoratorsOf(owner), ...parents].some((it) => isImportedAs(it, classes, packages));
}

function isExport(
  file: FileFacts,
  fn: FunctionNode,
  entry: Entry & { readonly by: 'export' },
): boolean {
  const names = exportedEntries(file)[entries.indexOf(entry)]!;
  const holder = names.length > 0 ? holderOf(fn) : fn;
  return names.some((it) => isExportedAs(file, holder, it));
}

/** Of each entry, the exports of the file that may be it: looked for once, however many functions ask. */
const exportedEntries = queryOfFile(
  'exported entries',
  (file: FileFacts): readonly (readonly string[])[] =>
    entries.map((it) => (it.by === 'export' ? namesOfEntry(file, it) : [])),
  { whileCyclic: entries.map(() => []) },
);

function namesOfEntry(
  file: FileFacts,
  { names, files, unlessExported }: Entry & { readonly by: 'export' },
): readonly string[] {
  // no veto: test/frameworks.test.ts tries it.
  if (files && !files.test(file.place)) return [];
  const exported = exportsOf(file).names;
  // no veto: test/frameworks.test.ts tries it, with pages that are drawn while the site is built.
  if (unlessExported && exported.some((it) => unlessExported.test(it))) return [];
  return exported.filter((it) => names.test(it));
}

/** The value that a function is a part of: `withUser(async (request) => …)`, `(async () => …) satisfies Handler`. */
function holderOf(fn: Node): Node {
  let it = fn;
  for (let parent = it.parent; parent; parent = it.parent) {
    const isArgument =
      parent.type === 'CallExpression' && parent.arguments.includes(it as TSESTree.Expression);
    if (!isArgument && bare(parent) === parent) return it;
    it = parent;
  }
  return it;
}

function isExportedAs(file: FileFacts, holder: Node, name: string): boolean {
  const exported = exportsOf(file).get(name);
  if (exported?.kind !== 'local') return false;
  const node = bare(exported.node);
  // no veto: test/frameworks.test.ts tries it.
  if (node === bare(holder)) return true;
  if (node.type !== 'Identifier') return false;
  const definitions = file.variableOf(node)?.defs ?? [];
  return definitions.some((it) => it.node === holder || it.node === holder.parent);
}

function isMember(
  file: FileFacts,
  fn: FunctionNode,
  { objects, members, leastParameters = 0 }: Entry & { readonly by: 'member' },
): boolean {
  // veto: the function takes no request
  if (fn.params.length < leastParameters) return false;
  let it: Node = fn;
  // `Subscription: { paid: { subscribe: async () => … } }`
  for (let depth = 0; depth < DEEPEST_MEMBER; depth++) {
    const { parent } = it;
    // no veto: a property of a pattern is a name.
    if (parent?.type !== 'Property' || parent.parent.type !== 'ObjectExpression') return false;
    const isNamed = !members || members.test(propertyName(parent) ?? '');
    const object = holderOf(parent.parent);
    // no veto: test/frameworks.test.ts tries it.
    if (isNamed && namesOf(file, object).some((name) => objects.test(name))) return true;
    it = object;
  }
  return false;
}

const DEEPEST_MEMBER = 2;

function namesOf(file: FileFacts, object: Node): readonly string[] {
  const isDefault = isExportedAs(file, object, 'default') ? ['default'] : [];
  const { parent } = object;
  const name =
    parent?.type === 'Property'
      ? propertyName(parent)
      : parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier'
        ? parent.id.name
        : undefined;
  return name === undefined ? isDefault : [name, ...isDefault];
}

/** `'use server'` in the function itself, or in a file that exports it. */
function isDirected(file: FileFacts, fn: FunctionNode, directive: string): boolean {
  const body = bodyOf(fn);
  // no veto: test/frameworks.test.ts tries it.
  if (body?.type === 'BlockStatement' && startsWith(body.body, directive)) return true;
  // no veto: test/frameworks.test.ts tries it.
  if (!startsWith(bodyOf(file.ast), directive)) return false;
  const holder = holderOf(fn);
  return [nameOfFunction(fn), 'default'].some((it) => isExportedAs(file, holder, it));
}

/** Directives come before all else. */
function startsWith(statements: readonly Node[], directive: string): boolean {
  for (const it of statements) {
    // no veto: spares the rest.
    if (it.type !== 'ExpressionStatement' || it.directive === undefined) return false;
    // no veto: test/frameworks.test.ts tries it.
    if (it.directive === directive) return true;
  }
  return false;
}

/** `async function Orders() { … return <ul>…</ul>; }` */
function isComponent(file: FileFacts, fn: FunctionNode): boolean {
  // no veto: test/frameworks.test.ts tries it.
  if (!fn.async || file.nodes.all('JSXElement', 'JSXFragment').length === 0) return false;
  return /^[A-Z]/.test(nameOfFunction(fn));
}
