import { valueOf } from './value-of.ts';
import { collect } from '../../engine/regions.ts';
import { query, queryOfFile } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, importedName, type Node, propertyName } from '../syntax/ast.ts';
import type { Place } from '../file/place.ts';
import type { FileFacts } from '../file/file.ts';
import type { Variable } from '../syntax/names.ts';
import { exportsOf } from './exports.ts';

/** Files in a row that only pass on what others export. */
const MOST_PASSED_ON = 4;

/**
 * The lists that an expression may be, each at its place in the code: a constant, here or in a different file, and for a loop
 * over a list literal of object literals, the lists in these: `role.rights`, `role.rights ?? []`.
 */
export const spelledLists = query(
  'spelled lists',
  (file: FileFacts, node: Node): readonly TSESTree.ArrayExpression[] | undefined =>
    listsIn(file, node),
  { whileCyclic: undefined },
);

function listsIn(file: FileFacts, node: Node): readonly TSESTree.ArrayExpression[] | undefined {
  const it = bare(node);
  switch (it.type) {
    case 'ArrayExpression':
      return isCounted(it) ? [it] : undefined;
    case 'Identifier': {
      const constant = constantOf(file, it);
      return constant && spelledLists(constant.file, constant.node);
    }
    case 'LogicalExpression':
      return isNothing(it.right) ? spelledLists(file, it.left) : undefined;
    case 'MemberExpression':
      return listsInElements(file, it);
    default:
      return undefined;
  }
}

function isCounted({ elements }: TSESTree.ArrayExpression): boolean {
  return elements.every((it) => it?.type !== 'SpreadElement');
}

/** `… ?? []` */
function isNothing(node: Node): boolean {
  const it = bare(node);
  return it.type === 'ArrayExpression' && it.elements.length === 0;
}

/** `role.rights` in a loop over roles that are written out; a role that has none has no list. */
function listsInElements(
  file: FileFacts,
  member: TSESTree.MemberExpression,
): readonly TSESTree.ArrayExpression[] | undefined {
  const field = propertyName(member);
  const over = loopedList(file, bare(member.object));
  const lists = over && field !== undefined ? spelledLists(file, over) : undefined;
  const found: TSESTree.ArrayExpression[] = [];
  for (const element of (lists ?? []).flatMap((it) => it.elements)) {
    if (element?.type !== 'ObjectExpression') return undefined;
    const own = element.properties.find(
      (it) => it.type === 'SpreadElement' || propertyName(it) === field,
    );
    if (!own) continue;
    const value = own.type === 'Property' ? bare(own.value) : own;
    if (value.type !== 'ArrayExpression' || !isCounted(value)) return undefined;
    found.push(value);
  }
  return lists && found;
}

/** What the loop goes over that gives the variable its values. */
function loopedList(file: FileFacts, name: Node): Node | undefined {
  const variable = name.type === 'Identifier' ? file.variableOf(name) : undefined;
  const [definition] = variable?.defs ?? [];
  const loop = definition?.type === 'Variable' ? definition.parent?.parent : undefined;
  const isElement = definition?.name === (definition?.node as TSESTree.VariableDeclarator)?.id;
  return loop?.type === 'ForOfStatement' && isElement ? loop.right : undefined;
}

/**
 * The value of a constant, of this file or a different one, to which this file adds nothing: shared lists are seldom filled
 * where they are used.
 */
export function constantOf(file: FileFacts, name: TSESTree.Identifier): Place | undefined {
  const variable = file.variableOf(name);
  const [definition] = variable?.defs ?? [];
  if (definition?.type === 'ImportBinding') {
    const { node, parent } = definition;
    const imported = importedName(node);
    if (isGrownAnywhere(file, variable!)) return undefined;
    return imported !== undefined && parent?.type === 'ImportDeclaration'
      ? importedConstant(file, parent.source.value, imported)
      : undefined;
  }
  if (definition?.type !== 'Variable' || definition.parent?.kind !== 'const') return undefined;
  const { id, init } = definition.node;
  // Of a pattern, it is a part of that.
  return init && id === definition.name && !isGrownAnywhere(file, variable!)
    ? { file, node: init }
    : undefined;
}

const isGrownAnywhere = query(
  'grown',
  (_: FileFacts, { references }: Variable): boolean =>
    isGrown(references.map((it) => it.identifier)),
  { whileCyclic: false },
);

function importedConstant(
  file: FileFacts,
  specifier: string,
  name: string,
  depth = 0,
): Place | undefined {
  const from = file.modules?.resolve(specifier, file.path, name);
  return from && exportedAs(from, name, depth);
}

/** What a file exports under a name, of its own or of a file that it passes on. */
function exportedAs(file: FileFacts, name: string, depth = 0): Place | undefined {
  // no veto: ends what goes round in circles.
  if (depth > MOST_PASSED_ON) return undefined;
  const entry = exportsOf(file).get(name);
  switch (entry?.kind) {
    case 'local':
      return { file, node: entry.node };
    case 'reexport':
      return importedConstant(file, entry.source, entry.name, depth + 1);
    default:
      for (const source of exportsOf(file).everythingFrom) {
        const constant = importedConstant(file, source, name, depth + 1);
        if (constant) return constant;
      }
      return undefined;
  }
}

/** The same for a member of a module, an object literal, or a class: `config.locales`, `Plan.NAMES`, `this.steps`. */
export const constantAt = query(
  'constant',
  (file: FileFacts, node: Node): Place | undefined => {
    const it = bare(node);
    if (it.type === 'Identifier') return constantOf(file, it);
    const name = it.type === 'MemberExpression' ? propertyName(it) : undefined;
    return it.type === 'MemberExpression' && name !== undefined
      ? constantNamed(file, it.object, name)
      : undefined;
  },
  { whileCyclic: undefined },
);

/**
 * The constant with that name in an object, a module or a class: the value of `object.name`, and of `const { name } = object`.
 */
export function constantNamed(file: FileFacts, object: Node, name: string): Place | undefined {
  const owner = valueOf(file, object);
  // Whoever else fills it, at least it is not here.
  if ('file' in owner && owner.file !== file && isFilledIn(file, name)) return undefined;
  switch (owner.kind) {
    case 'namespace':
      return exportedAs(owner.file, name);
    case 'class':
    case 'instance': {
      const field = bodyOf(owner.node.body).find(
        (it) => it.type === 'PropertyDefinition' && propertyName(it) === name,
      );
      const value = field?.type === 'PropertyDefinition' ? field.value : undefined;
      return value && !isFilledIn(owner.file, name) ? { file: owner.file, node: value } : undefined;
    }
    case 'object': {
      // What is spread or computed may be of that name, too.
      const { properties } = owner.node;
      const isSpelled = properties.every((it) => it.type === 'Property' && !it.computed);
      const property = properties.find((it) => propertyNameOf(it) === name);
      return isSpelled && property?.type === 'Property' && !isFilledIn(owner.file, name)
        ? { file: owner.file, node: property.value }
        : undefined;
    }
    default:
      return undefined;
  }
}

function propertyNameOf(property: TSESTree.ObjectLiteralElement): string | undefined {
  return property.type === 'Property' ? propertyName(property) : undefined;
}

/** Whether something of that name is set, or gets elements, in a file. */
function isFilledIn(file: FileFacts, name: string): boolean {
  return filledNames(file).has(name);
}

const filledNames = queryOfFile(
  'filled names',
  (file: FileFacts): ReadonlySet<string | undefined> => new Set(filledInRegions(file)),
  { whileCyclic: new Set() },
);

const filledInRegions = collect(
  'filled names of regions',
  (_: FileFacts, { all }): readonly (string | undefined)[] => [
    ...new Set(all('MemberExpression').filter(isFilled).map(propertyName)),
  ],
);

function isFilled(member: TSESTree.MemberExpression): boolean {
  return isTarget(member) || isGrown([member]);
}

/** Whether a list gets elements somewhere. */
export function isGrown(references: readonly Node[]): boolean {
  return references.some((it) => {
    const { parent } = it;
    return parent?.type === 'MemberExpression' && parent.object === it && isGrowing(parent);
  });
}

/** `xs.push`, `xs.splice`, `xs.length = 0`, `names.add`: the member by which a list, a set or a map gets elements, or loses some. */
export function isGrowing(member: TSESTree.MemberExpression): boolean {
  const name = propertyName(member) ?? '';
  return name === 'length' ? isTarget(member) : /^(?:push|unshift|splice|add|set)$/.test(name);
}

/** Whether something is written there: `it.rows = []`, `rows.length--`. */
export function isTarget(member: TSESTree.MemberExpression): boolean {
  const { parent } = member;
  if (parent.type === 'UpdateExpression') return true;
  return parent.type === 'AssignmentExpression' && parent.left === member;
}
