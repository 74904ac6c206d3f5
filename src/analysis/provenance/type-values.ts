import { valueOf } from './value-of.ts';
import { valueQuery } from '../file/value-query.ts';
import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { type ClassNode, importedName, type Node } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { importedTypeNamed, libraryType } from './library-values.ts';
import { ambientType, platformType } from './platform-types.ts';
import {
  declaredFunction,
  type DeclaredValue,
  firstAnswer,
  firstKnown,
  isKnown,
  join,
  NULLISH,
  promiseOf,
  UNKNOWN,
  type Value,
  type InterfaceValue,
} from '../file/value.ts';
import { describedHandle } from './described-handles.ts';
import { mutual } from './mutual.ts';
import { indexedType, operatedType } from './type-operators.ts';
import { exportsOf } from './exports.ts';

/** The value of the written type: `Pool` imported from pg, a class of the project, `Promise<PoolClient>`. */
export const typeValue = valueQuery('type', (file, type: TSESTree.TypeNode) =>
  evaluate(file, type),
);

/** The type that a type assertion around the expression proves; `x as any` proves nothing. */
export function assertedType(file: FileFacts, whole: Node): Value {
  return whole.type === 'TSAsExpression' || whole.type === 'TSTypeAssertion'
    ? typeValue(file, whole.typeAnnotation)
    : UNKNOWN;
}

function evaluate(file: FileFacts, type: TSESTree.TypeNode): Value {
  switch (type.type) {
    case 'TSTypeReference':
      return referenceValue(file, type);
    case 'TSUnionType':
      return join(type.types.map((it) => typeValue(file, it)));
    case 'TSIntersectionType':
      return intersectionValue(type.types.map((it) => typeValue(file, it)));
    case 'TSNullKeyword':
    case 'TSUndefinedKeyword':
    case 'TSVoidKeyword':
      return NULLISH;
    case 'TSArrayType':
      return { kind: 'array', of: typeValue(file, type.elementType) };
    case 'TSTupleType':
      return tupleValue(file, type);
    case 'TSOptionalType':
    case 'TSTypeOperator':
      return type.typeAnnotation ? typeValue(file, type.typeAnnotation) : UNKNOWN;
    case 'TSNamedTupleMember':
      return typeValue(file, type.elementType);
    case 'TSTypeLiteral':
      return { kind: 'interface', file, node: type };
    case 'TSFunctionType':
      return declaredFunction(file, type);
    case 'TSTypeQuery':
      return type.exprName.type === 'TSImportType' ? UNKNOWN : entityValue(file, type.exprName);
    case 'TSIndexedAccessType':
      return indexedType(file, type);
    case 'TSImportType':
      return importTypeValue(file, type);
    default:
      return UNKNOWN;
  }
}

/** What has the members of all of them; one that is a library's object is that object. */
function intersectionValue(values: readonly Value[]): Value {
  const known = values.filter((it) => it.kind !== 'unknown');
  const object = known.find((it) => it.kind !== 'interface' && it.kind !== 'holder');
  if (object ?? known.length < 2) return object ?? firstKnown(known);
  return { kind: 'intersection', of: known };
}

function tupleValue(file: FileFacts, type: TSESTree.TSTupleType): Value {
  const elements = type.elementTypes.map((it) => typeValue(file, it));
  const isCounted = type.elementTypes.every((it) => it.type !== 'TSRestType');
  return { kind: 'array', of: join(elements), elements: isCounted ? elements : undefined };
}

/** `import('pg').Pool` */
function importTypeValue(file: FileFacts, type: TSESTree.TSImportType): Value {
  const { source, qualifier } = type;
  return qualifier?.type === 'Identifier' && typeof source?.value === 'string'
    ? importedTypeNamed(file, source.value, qualifier.name)
    : UNKNOWN;
}

const LISTS = new Set(['Array', 'ReadonlyArray', 'Iterable', 'Set', 'ReadonlySet']);
const MAPS = new Set(['Map', 'ReadonlyMap', 'WeakMap', 'Record']);

function referenceValue(file: FileFacts, type: TSESTree.TSTypeReference): Value {
  const name = type.typeName;
  const own = name.type === 'Identifier' ? platformType(file, name.name) : UNKNOWN;
  if (own.kind !== 'unknown') return withGiven(file, type.typeArguments, own);
  if (name.type !== 'Identifier' || file.variableOf(name))
    return withGiven(file, type.typeArguments, withTable(file, type, entityType(file, name)));

  const types = type.typeArguments?.params ?? [];
  const inner = types[0] ? typeValue(file, types[0]) : UNKNOWN;
  if (name.name === 'Promise' || name.name === 'PromiseLike') return promiseOf(inner);
  if (LISTS.has(name.name)) return { kind: 'array', of: inner };
  if (name.name === 'AsyncIterable') return { kind: 'array', of: inner, isAsync: true };
  if (MAPS.has(name.name)) {
    const of = types[1] ? typeValue(file, types[1]) : UNKNOWN;
    return { kind: 'array', of, isKeyed: true, isMap: name.name !== 'Record' };
  }
  return (
    operatedType(file, name.name, types) ??
    withGiven(file, type.typeArguments, ambientType(file, name.name))
  );
}

/** A value with the type arguments that are written after its name. */
export function withGiven(
  file: FileFacts,
  written: TSESTree.TSTypeParameterInstantiation | undefined,
  value: Value,
): Value {
  return written
    ? withArguments(
        value,
        written.params.map((it) => typeValue(file, it)),
      )
    : value;
}

/** A value of a type with type arguments: an object of a library, what it promises, or nothing of either. */
function withArguments(value: Value, given: readonly Value[] | undefined): Value {
  if (!given) return value;
  if (value.kind === 'promise') return { ...value, of: withArguments(value.of, given) };
  // A name for another type has parameters of its own, in an order of its own.
  if (value.kind === 'interface') return value.given ? value : { ...value, given };
  const isOne = value.kind === 'library' || value.kind === 'holder';
  return isOne && value.type.isGeneric ? { ...value, given } : value;
}

/** What a class extends, with the type arguments that it names: `extends DurableObject<Env>`. */
export function withGivenByClass(file: FileFacts, node: ClassNode, parent: Value): Value {
  if (node.superTypeArguments) return withGiven(file, node.superTypeArguments, parent);
  const unnamed = parent.kind === 'library' ? parent.type.unnamed : undefined;
  return withArguments(
    parent,
    unnamed?.map((it) => ambientType(file, it)),
  );
}

/** `Repository<Order>`: the entity is the table, as in `getRepository(Order)`. */
function withTable(file: FileFacts, type: TSESTree.TSTypeReference, value: Value): Value {
  const index = value.kind === 'library' ? value.type.tableType : undefined;
  const entity = index === undefined ? undefined : type.typeArguments?.params[index];
  if (value.kind !== 'library' || entity?.type !== 'TSTypeReference') return value;
  const { typeName } = entity;
  if (typeName.type !== 'Identifier') return value;
  // no veto: `Repository<T>` of a base class is of any table.
  const isOpen = file
    .variableOf(typeName)
    ?.defs.some(({ node }) => node.type === 'TSTypeParameter');
  return isOpen ? value : { ...value, built: { op: 'unknown', table: typeName.name } };
}

/** A type by its name: local declaration, import, or a member of an imported namespace. */
export function entityType(file: FileFacts, name: Node): Value {
  if (name.type === 'TSQualifiedName' || name.type === 'MemberExpression') {
    const [owner, member] =
      name.type === 'TSQualifiedName' ? [name.left, name.right] : [name.object, name.property];
    const left =
      owner.type === 'Identifier' || owner.type === 'TSQualifiedName'
        ? entityValue(file, owner)
        : UNKNOWN;
    if (member.type !== 'Identifier') return UNKNOWN;
    if (left.kind === 'module') return libraryType(left.library, member.name);
    if (left.kind === 'namespace') return exportedType(left.file, member.name);
    return left.kind === 'callable' || left.kind === 'library'
      ? libraryType(left.library, member.name)
      : UNKNOWN;
  }
  if (name.type !== 'Identifier') return UNKNOWN;
  const definitions = file.variableOf(name)?.defs ?? [];
  // An interface of the same name adds to it.
  const owner = definitions.find((it) => it.type === 'ClassName');
  if (owner) return { kind: 'instance', file, node: owner.node };
  for (const definition of definitions) {
    switch (definition.type) {
      case 'Type':
        return declaredType(file, definition.node);
      case 'ImportBinding': {
        const { node, parent } = definition;
        return parent?.type === 'ImportDeclaration'
          ? importedType(file, node, parent.source.value)
          : requiredType(file, name);
      }
      default:
        continue;
    }
  }
  return requiredType(file, name);
}

function importedType(file: FileFacts, specifier: Node, source: string): Value {
  const name = importedName(specifier);
  return name === undefined ? UNKNOWN : importedTypeNamed(file, source, name);
}

/** A class that reached its name as a value: `const { Pool } = require('pg')`, `import Db = require('./db')`. */
function requiredType(file: FileFacts, name: TSESTree.Identifier): Value {
  const value = valueOf(file, name);
  if (value.kind === 'class') return { ...value, kind: 'instance' };
  return value.kind === 'callable'
    ? mutual.referredValue(value.library, value.signature.construct?.returns, undefined)
    : UNKNOWN;
}

function declaredType(file: FileFacts, node: Node): Value {
  if (node.type === 'TSTypeAliasDeclaration') return typeValue(file, node.typeAnnotation);
  if (node.type === 'TSTypeParameter') {
    return node.constraint ? typeValue(file, node.constraint) : UNKNOWN;
  }
  if (node.type !== 'TSInterfaceDeclaration') return UNKNOWN;
  return interfaceType(file, node);
}

const interfaceType = valueQuery('interface', (file, node: TSESTree.TSInterfaceDeclaration) => {
  const parent = heritageOf(file, node).find((it) => it.kind === 'library');
  if (parent) return parent;
  const described = describedHandle(file, node);
  return isKnown(described) ? described : { kind: 'interface', file, node };
});

/** The function that an interface describes: `interface WithClient { <T>(work: …): Promise<T> }`. */
export function callSignatureOf(value: Value): DeclaredValue | undefined {
  if (value.kind === 'intersection') {
    return value.of.map(callSignatureOf).find((it) => it !== undefined);
  }
  if (value.kind !== 'interface') return undefined;
  return callSignatureIn(value.file, value.node);
}

const callSignatureIn = query(
  'call signature',
  (file: FileFacts, node: InterfaceValue['node']): DeclaredValue | undefined => {
    const members = node.type === 'TSTypeLiteral' ? node.members : node.body.body;
    const own = members.find((it) => it.type === 'TSCallSignatureDeclaration');
    if (own) return declaredFunction(file, own);
    if (node.type === 'TSTypeLiteral') return undefined;
    return heritageOf(file, node)
      .map(callSignatureOf)
      .find((it) => it !== undefined);
  },
  { whileCyclic: undefined },
);

/** The types that an interface extends. */
export function heritageOf(file: FileFacts, node: TSESTree.TSInterfaceDeclaration): Value[] {
  return node.extends.map((it) => entityType(file, it.expression));
}

function entityValue(file: FileFacts, name: TSESTree.EntityName | TSESTree.ThisExpression): Value {
  if (name.type === 'Identifier') return valueOf(file, name);
  if (name.type !== 'TSQualifiedName') return UNKNOWN;
  return mutual.memberOf(entityValue(file, name.left), name.right.name, { file, node: name });
}

/** The type that `file` exports under `name`, through re-exports. */
export function exportedType(file: FileFacts, name: string): Value {
  return typeExported(file, file.ast, name);
}

const typeExported = valueQuery(
  'exported type',
  (file, _: TSESTree.Program, name: string) => {
    const exported = exportsOf(file).get(name);
    if (!exported) {
      return firstAnswer(exportsOf(file).everythingFrom, (source) =>
        importedTypeNamed(file, source, name),
      );
    }
    if (exported.kind === 'reexport') {
      return importedTypeNamed(file, exported.source, exported.name);
    }
    const { node } = exported;
    if (node.type === 'TSInterfaceDeclaration') return entityType(file, node.id);
    if (node.type === 'TSTypeAliasDeclaration') return declaredType(file, node);
    if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') {
      return { kind: 'instance', file, node };
    }
    return node.type === 'Identifier' ? entityType(file, node) : UNKNOWN;
  },
  { isCompared: true },
);
