import { valueOf } from './value-of.ts';
import { query } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  type ClassNode,
  importedName,
  isConstructor,
  isNamed,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { returnedExpressions } from '../syntax/calls.ts';
import { isOfConnections } from '../model/index.ts';
import { entityType, heritageOf } from './type-values.ts';
import type { FileFacts } from '../file/file.ts';
import { type AbstractValue, alternativesOf, awaited, join, type Value } from '../file/value.ts';
import { mutual } from './mutual.ts';
import { isStandIn } from './stand-ins.ts';
import { loadersOf } from './callers.ts';
import { exportsOf } from './exports.ts';

/** Implementations in the project: instances of classes, and object literals. */
export interface Implementers {
  readonly of: readonly Value[];
  /** One may be a connection or a transaction, or is made for one: on which connection an object works is open. */
  readonly isForConnections: boolean;
}

/** All implementations of an interface or an abstract class. Undefined where there may be further ones: where a name is unresolved. */
export function implementersOf(type: AbstractValue): Implementers | undefined {
  return implementersIn(type.file, type.node, type);
}

const implementersIn = query(
  'implementers',
  (_: FileFacts, __: Node, type: AbstractValue): Implementers | undefined => {
    const found = search(type);
    if (!found) return undefined;
    const { of, isForConnections } = found;
    const isMadeForOne = () => of.some((it) => it.kind === 'instance' && isMadeForConnections(it));
    return { of, isForConnections: isForConnections || isMadeForOne() };
  },
  { whileCyclic: undefined, keyOf: () => '' },
);

/** A type by a name that others may use for it. */
interface Named {
  readonly name: string;
  readonly node: Node;
  readonly file: FileFacts;
}

function search({ file, node }: AbstractValue): Implementers | undefined {
  const name = nameOf(node);
  const others = isDefault(file, node) ? namesOfDefault(file) : [];
  if (name === undefined || !others) return undefined;
  const names = namesOf(node);
  // A function that asks for such an object is given connections, too, in a transaction.
  let isForConnections = isOfConnections(names);
  const found = new Map<Node, Value>();
  const types: Named[] = [...new Set([name, ...others])].map((it) => ({ name: it, node, file }));
  const add = (it: Named) => {
    if (!types.some((other) => other.name === it.name && other.node === it.node)) types.push(it);
  };
  for (const type of types) {
    const files = file.modules?.filesNaming?.('type', type.name, file.path);
    if (!files) return undefined;
    const isTold = files.every((it) => addFrom(it, type, { found, add }));
    if (!isTold) return undefined;
    for (const it of new Set([type.file, ...files])) {
      // What a callback is given may be a connection or a part of one, which names no type.
      isForConnections ||= handsToCallbacks(it, type);
      addFitting(it, names, { found, add });
    }
  }
  return { of: [...found.values()], isForConnections };
}

interface Search {
  readonly found: Map<Node, Value>;
  add(type: Named): void;
}

/** Adds what one file makes of a type, and further types of which that is made. False where it cannot be told. */
function addFrom(file: FileFacts, type: Named, search: Search): boolean {
  const { found, add } = search;
  const spellings = spellingsOf(file, type.name);
  for (const node of file.nodes.all('ClassDeclaration', 'ClassExpression')) {
    const parents = [node.superClass, ...(node.implements ?? []).map((it) => it.expression)];
    const parent = parents.find((it) => it && spellings.has(lastName(it) ?? ''));
    // `class Storage implements Storage {}` names the interface that it is merged with.
    if (!parent || node === type.node) continue;
    const relation = relationOf(entityType(file, bare(parent)), type);
    if (relation === 'unknown') return false;
    if (relation !== 'same') continue;
    if (node.id) add({ name: node.id.name, node, file });
    // No program runs what stands in for it in tests.
    if (isStandIn(file, node.id?.name)) continue;
    if (!node.abstract) found.set(node, { kind: 'instance', file, node });
  }
  for (const node of file.nodes.all('TSInterfaceDeclaration')) {
    // no veto: spares the questions.
    if (!node.extends.some((it) => spellings.has(lastName(it.expression) ?? ''))) continue;
    const relations = heritageOf(file, node).map((it) => relationOf(it, type));
    if (relations.includes('unknown')) return false;
    if (relations.includes('same')) add({ name: node.id.name, node, file });
  }
  for (const { id, typeAnnotation } of file.nodes.all('TSTypeAliasDeclaration')) {
    if (relationOf(mutual.typeValue(file, typeAnnotation), type) === 'same')
      add({ name: id.name, node: type.node, file });
  }
  return writtenOf(file, type, spellings).every((value) => addValue(value, type, search));
}

function addValue(value: Value, { node }: Named, { found }: Search): boolean {
  switch (value.kind) {
    case 'object':
      found.set(value.node, value);
      return true;
    case 'instance':
      // Of the type itself is all that one of its implementations makes, and no program runs what stands in for it in tests.
      if (
        value.node !== node &&
        !value.node.abstract &&
        !isStandIn(value.file, value.node.id?.name)
      )
        found.set(value.node, value);
      return true;
    case 'unknown':
    case 'nullish':
    case 'interface':
      return true;
    default:
      return false;
  }
}

function relationOf(value: Value, { node }: Named): 'same' | 'other' | 'unknown' {
  if (value.kind === 'unknown') return 'unknown';
  const parts = value.kind === 'intersection' ? value.of : [value];
  const isSame = parts.some(
    (it) => (it.kind === 'interface' || it.kind === 'instance') && it.node === node,
  );
  return isSame ? 'same' : 'other';
}

/** The values of what the file declares, returns or asserts to be of the type. */
function writtenOf(file: FileFacts, type: Named, spellings: ReadonlySet<string>): readonly Value[] {
  const isOf = (annotation: TSESTree.TypeNode | undefined): boolean => {
    if (annotation?.type !== 'TSTypeReference') return false;
    const [inner] = annotation.typeArguments?.params ?? [];
    const name = lastName(annotation.typeName);
    if (name === 'Promise') return isOf(inner);
    return (
      spellings.has(name ?? '') && relationOf(mutual.typeValue(file, annotation), type) === 'same'
    );
  };
  const values: Value[] = [];
  const add = (annotation: TSESTree.TypeNode | undefined, ...written: readonly Node[]) => {
    // no veto: something else.
    if (!isOf(annotation)) return;
    values.push(...alternativesOf(awaited(join(written.map((it) => valueOf(file, it))))));
  };
  for (const it of file.nodes.all(
    'VariableDeclarator',
    'PropertyDefinition',
    'AssignmentPattern',
  )) {
    const [target, written] =
      it.type === 'VariableDeclarator'
        ? [it.id, it.init]
        : it.type === 'PropertyDefinition'
          ? [it, it.value]
          : [it.left, it.right];
    if (written) add(target.typeAnnotation?.typeAnnotation, written);
  }
  for (const it of file.nodes.all('TSAsExpression', 'TSSatisfiesExpression')) {
    add(it.typeAnnotation, bare(it.expression));
  }
  for (const it of file.nodes.all(
    'FunctionDeclaration',
    'FunctionExpression',
    'ArrowFunctionExpression',
  )) {
    const annotation = it.returnType?.typeAnnotation;
    if (annotation) add(annotation, ...returnedExpressions(it));
  }
  return values;
}

/** `work: (users: Users) => Promise<T>`: a type of a function that is given such objects. */
function handsToCallbacks(file: FileFacts, type: Named): boolean {
  const spellings = spellingsOf(file, type.name);
  return file.nodes.all('TSFunctionType').some(({ params }) =>
    params.some((it) => {
      const annotation = 'typeAnnotation' in it ? it.typeAnnotation?.typeAnnotation : undefined;
      // no veto: spares the question.
      if (annotation?.type !== 'TSTypeReference') return false;
      // no veto: spares the question.
      if (!spellings.has(lastName(annotation.typeName) ?? '')) return false;
      return relationOf(mutual.typeValue(file, annotation), type) === 'same';
    }),
  );
}

/** Adds what has every member that is asked for without saying so, beside where one is made that does. */
function addFitting(file: FileFacts, names: readonly string[], search: Search): void {
  // veto: the code uses no member of the interface, so every object fits
  if (names.length === 0) return;
  for (const node of file.nodes.all('ObjectExpression')) {
    const own = new Set(node.properties.map((it) => it.type === 'Property' && propertyName(it)));
    if (names.every((it) => own.has(it))) search.found.set(node, { kind: 'object', file, node });
  }
  for (const node of file.nodes.all('NewExpression')) {
    // no veto: spares the question, for which the file of the class is read.
    if (isClassWithout(file, node, names)) continue;
    const value = valueOf(file, node);
    // no veto: the shape of an instance
    if (value.kind !== 'instance') continue;
    // A class that says what it implements is meant for that, and a stand-in for tests.
    if (value.node.implements.length > 0 || isStandIn(value.file, value.node.id?.name)) continue;
    const isFit = names.every(
      (it) => mutual.memberOf(value, it, { file, node }).kind === 'function',
    );
    if (isFit) search.found.set(value.node, value);
  }
}

/** Whether the text from which the class is imported shows that it has not all of these names. */
function isClassWithout(
  file: FileFacts,
  { callee }: TSESTree.NewExpression,
  names: readonly string[],
): boolean {
  const definition = callee.type === 'Identifier' ? file.variableOf(callee)?.defs[0] : undefined;
  if (definition?.type !== 'ImportBinding') return false;
  const { node, parent } = definition;
  const name = importedName(node);
  if (name === undefined || parent?.type !== 'ImportDeclaration') return false;
  return file.modules?.mayHave?.(parent.source.value, file.path, name, names) === false;
}

/** The members that whatever is of a type has, as far as the type says so itself. */
function namesOf(node: Node): readonly string[] {
  const members =
    node.type === 'TSInterfaceDeclaration'
      ? node.body.body
      : node.type === 'TSTypeLiteral'
        ? node.members
        : [];
  return members.flatMap((it) =>
    (it.type === 'TSMethodSignature' || it.type === 'TSPropertySignature') && !it.optional
      ? (propertyName(it) ?? [])
      : [],
  );
}

/** What a file may call a type: as it is, or as it imports it. */
function spellingsOf(file: FileFacts, name: string): ReadonlySet<string> {
  const found = new Set([name]);
  for (const { imported, local } of file.nodes.all('ImportSpecifier')) {
    if (imported.type === 'Identifier' && imported.name === name) found.add(local.name);
  }
  return found;
}

function lastName(whole: Node): string | undefined {
  const node = bare(whole);
  switch (node.type) {
    case 'Identifier':
      return node.name;
    case 'MemberExpression':
      return lastName(node.property);
    case 'TSQualifiedName':
      return node.right.name;
    default:
      return undefined;
  }
}

/** Of `type Users = Readonly<{ … }>`, too. */
function nameOf(node: Node): string | undefined {
  let declared = node.type === 'TSTypeLiteral' ? node.parent : node;
  if (declared.type === 'TSTypeParameterInstantiation' && declared.params.length === 1) {
    const whole = declared.parent;
    const isSame = whole?.type === 'TSTypeReference' && isNamed(whole.typeName, 'Readonly');
    if (isSame) declared = whole.parent;
  }
  const id = 'id' in declared ? (declared.id as Node | null) : undefined;
  return id?.type === 'Identifier' ? id.name : undefined;
}

function isDefault(file: FileFacts, node: Node): boolean {
  // no veto: spares the question.
  if (!exportsOf(file).get('default')) return false;
  const value = mutual.exportedType(file, 'default');
  return 'node' in value && value.node === node;
}

/** What the files that import the default call it; undefined where they are too many. */
function namesOfDefault(file: FileFacts): readonly string[] | undefined {
  return loadersOf(file)?.flatMap((loader) => {
    const isFrom = (source: string | undefined) =>
      source !== undefined && file.modules?.leadsTo(source, loader.path, file.path) === true;
    const imported = loader.nodes
      .all('ImportDeclaration')
      .filter((it) => isFrom(it.source.value))
      .flatMap((it) => it.specifiers.filter((one) => importedName(one) === 'default'))
      .map((it) => it.local.name);
    const handedOn = loader.nodes
      .all('ExportNamedDeclaration')
      .filter((it) => isFrom(it.source?.value))
      .flatMap((it) => it.specifiers.filter((one) => isNamed(one.local, 'default')))
      .flatMap(({ exported }) => (exported.type === 'Identifier' ? [exported.name] : []));
    return [...imported, ...handedOn];
  });
}

/** `new PgUsers(tx)`: what such an object does may be part of a transaction, and comes one after the other. */
function isMadeForConnections({ file, node }: { file: FileFacts; node: ClassNode }): boolean {
  if (!node.id) return false;
  const files = file.modules?.filesNaming?.('type', node.id.name, file.path);
  return !files || files.some((it) => makesForConnection(it, node));
}

function makesForConnection(file: FileFacts, node: ClassNode): boolean {
  return file.nodes.all('NewExpression').some((it) => {
    // no veto: spares the question, for which the file of the class is read.
    if (it.arguments.length === 0 || isClassWithout(file, it, [node.id!.name])) return false;
    const made = valueOf(file, it);
    if (made.kind !== 'instance' || made.node !== node) return false;
    return it.arguments.some((argument) => mayBeConnection(file, argument));
  });
}

/** One of a pool; or what a function is given, if that may be one. What a constructor is given is set up once. */
function mayBeConnection(file: FileFacts, argument: Node): boolean {
  const it = bare(argument);
  const variable = it.type === 'Identifier' ? file.variableOf(it) : undefined;
  const isGiven = variable?.defs.some(
    (one) => one.type === 'Parameter' && !isConstructor(one.node),
  );
  // Not what it is asserted to be: `tx as PrismaClient`.
  const given = variable ? mutual.variableValue(file, variable) : valueOf(file, it);
  return alternativesOf(given).some((value) => {
    if (value.kind === 'unknown') return isGiven;
    if (value.kind !== 'library') return false;
    const { role, admitsTransaction } = value.type;
    if (/^(?:transaction|connection|session)$/.test(role ?? '')) return true;
    return isGiven === true && admitsTransaction === true;
  });
}
