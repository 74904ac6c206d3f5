import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  type ClassNode,
  isFunction,
  isNamed,
  type Node,
  propertyName,
  undefaulted,
  walk,
} from '../syntax/ast.ts';
import { returnedExpressions } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import type { Value } from '../file/value.ts';
import { exportFolded, folded } from './values.ts';
import {
  combined,
  type Folded,
  type Folding,
  type Quantity,
  quantityFrom,
  unknown,
} from './quantity.ts';
import { settingQuantity } from './settings.ts';

/** `object.name` for objects, namespaces, enums and instances (`this` is one) that the project declares. */
export function memberQuantity(at: Folding, object: Node, name: string): Folded | undefined {
  const deeper = { ...at, depth: at.depth + 1 };
  const value = valueOf(at.file, object);
  switch (value.kind) {
    case 'object':
      return ofObject({ ...deeper, file: value.file }, value.node, name);
    case 'namespace':
      return exportFolded({ ...deeper, file: value.file }, name);
    case 'instance':
    case 'class':
      return ofClass(deeper, value, name);
    default:
      return ofEnum(at, object, name) ?? settingQuantity(deeper, object, name);
  }
}

/** The same as a number, for all that calls it. */
export function memberQuantityOf(
  file: FileFacts,
  object: Node,
  name: string,
): Quantity | undefined {
  const found = memberQuantity({ file, args: new Map(), depth: 0 }, object, name);
  return found && quantityFrom(found);
}

function ofObject(at: Folding, node: TSESTree.ObjectExpression, name: string): Folded | undefined {
  let isSpreadAfter = false;
  for (const property of node.properties.toReversed()) {
    if (property.type === 'SpreadElement') {
      const spread = memberQuantity(at, property.argument, name);
      if (spread?.constant !== undefined) return spread;
      // What is spread last may hold the property; what is spread before it is overridden.
      isSpreadAfter = true;
      continue;
    }
    if (propertyName(property) !== name) continue;
    const own = folded(at, property.value);
    return isSpreadAfter ? { ...own, isDefault: true } : own;
  }
  return undefined;
}

function ofEnum(at: Folding, object: Node, name: string): Folded | undefined {
  const it = bare(object);
  if (it.type !== 'Identifier') return undefined;
  const [definition] = at.file.variableOf(it)?.defs ?? [];
  if (definition?.node.type !== 'TSEnumDeclaration') return undefined;
  const member = definition.node.body.members.find(({ id }) => isNamed(id, name));
  return member?.initializer && folded(at, member.initializer);
}

/** The one value that the class, or the class above it, gives the field. */
function ofClass(
  at: Folding,
  value: Extract<Value, { kind: 'instance' | 'class' }>,
  name: string,
): Folded | undefined {
  const inside = { ...at, file: value.file, depth: at.depth + 1 };
  if (inside.depth > 12) return unknown('unresolved');
  const values = fieldValues(value.file, value.node, name);
  if (values.length > 0) {
    const known = values.map((it) => folded(inside, it));
    const [{ constant: first, range }] = known as [Folded];
    return known.every((it) => it.constant === first)
      ? { ...combined(known, first), range: known.length === 1 ? range : undefined }
      : combined(known, undefined, 'variable');
  }
  const parent = value.node.superClass ? valueOf(value.file, value.node.superClass) : undefined;
  return parent?.kind === 'class'
    ? ofClass(inside, { ...parent, kind: value.kind }, name)
    : undefined;
}

/** Initialisers of the field, what its getter returns, and every assignment to `this.name` inside the class. */
const fieldValues = query(
  'values of a field',
  (_: FileFacts, node: ClassNode, name: string): readonly Node[] => {
    const found: Node[] = [];
    for (const member of bodyOf(node.body)) {
      if (member.type === 'MethodDefinition' && member.kind === 'constructor') {
        found.push(...parameterProperties(member.value, name));
      }
      if (member.type === 'PropertyDefinition' && propertyName(member) === name && member.value) {
        found.push(member.value);
      }
      if (member.type === 'MethodDefinition' && member.kind === 'get') {
        if (propertyName(member) === name && isFunction(member.value)) {
          found.push(...returnedExpressions(member.value));
        }
      }
    }
    walk(node.body, (it) => {
      if (it.type === 'UpdateExpression' && isOwnField(it.argument, name)) found.push(it);
      if (it.type !== 'AssignmentExpression' || !isOwnField(it.left, name)) return;
      found.push(it.operator === '=' ? it.right : it);
    });
    return found;
  },
  { whileCyclic: [] },
);

function parameterProperties(
  constructor: TSESTree.FunctionExpression | TSESTree.TSEmptyBodyFunctionExpression,
  name: string,
): Node[] {
  return constructor.params.flatMap((it) => {
    if (it.type !== 'TSParameterProperty') return [];
    const target = undefaulted(it.parameter);
    return isNamed(target, name) ? [target] : [];
  });
}

function isOwnField(node: Node, name: string): boolean {
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'ThisExpression' &&
    propertyName(node) === name
  );
}
