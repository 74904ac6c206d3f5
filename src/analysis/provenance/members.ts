import type { Place } from '../file/place.ts';
import { valueOf } from './value-of.ts';
import { valueQuery } from '../file/value-query.ts';
import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { assignmentsOf } from './assignments.ts';
import {
  bare,
  type ClassNode,
  type FunctionNode,
  isConstructor,
  isFunction,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { isCall } from '../syntax/calls.ts';
import { commentedType } from './comment-types.ts';
import { declaredFunctionAt } from './declarations.ts';
import { declarationsOf } from './declaring-names.ts';
import { exportedValue, exportsOf, isExportedWhole } from './exports.ts';
import type { FileFacts } from '../file/file.ts';
import { callableExport, libraryMember } from './library-values.ts';
import { loadedMember } from './loaded-members.ts';
import { makesItself } from './made-anew.ts';
import { madeFor, ofInstance, ofMaker } from './made-members.ts';
import { exportOf } from '../model/index.ts';
import { abstractMember, givenMember, interfaceMember, mergedMember } from './abstract-members.ts';
import { withGivenByClass } from './type-values.ts';
import {
  declaredAt,
  firstKnown,
  type FunctionValue,
  isEmptyList,
  isInformative,
  isKnown,
  join,
  type LibraryValue,
  UNKNOWN,
  type Value,
  withSelf,
  NULLISH,
} from '../file/value.ts';
import { mutual } from './mutual.ts';
import { parameterProperty } from '../syntax/parameter-properties.ts';

/** The value of `value.name`. */
export function memberOf(value: Value, name: string, at: Place): Value {
  switch (value.kind) {
    case 'library':
    case 'holder':
      return libraryMember(value, name, at);
    case 'callable':
      return callableMember(value, name, at);
    case 'module':
      return moduleMember(value, name, at);
    case 'namespace':
      return exportedValue(value.file, name);
    case 'instance':
      return ofInstance(instanceMember(value.file, value.node, name), value);
    case 'constructed':
      return constructedMember(value.file, value.node, name);
    case 'class':
      return staticMember(value.file, value.node, name, at);
    case 'function':
      return functionMember(value.file, value.node, name);
    case 'object':
      return ofMaker(objectMember(value.file, value.node, name, at), value, name);
    case 'interface': {
      const given = value.given ? givenMember(value, name) : UNKNOWN;
      return isKnown(given) ? given : interfaceMember(value.file, value.node, name);
    }
    case 'array':
      return value.isKeyed ? value.of : UNKNOWN;
    case 'promisified':
      return promisifiedMember(value.of, name, at);
    case 'union':
      return join(value.of.map((it) => (lacks(it, name) ? NULLISH : memberOf(it, name, at))));
    case 'intersection':
      return firstKnown(value.of.map((it) => memberOf(it, name, at)));
    case 'global':
      return { kind: 'global', name: `${value.name}.${name}` };
    default:
      return UNKNOWN;
  }
}

/** Of what bluebird's `promisifyAll` gives: `fs.readFileAsync` beside `fs.readFile`. */
function promisifiedMember(of: Value, name: string, at: Place): Value {
  return name.endsWith('Async')
    ? { kind: 'promisified', of: memberOf(of, name.slice(0, -'Async'.length), at) }
    : memberOf(of, name, at);
}

/** `{ ok: false, error }` has no `value`, as one of several that a test tells apart. */
function lacks(value: Value, name: string): boolean {
  if (value.kind !== 'object') return false;
  const { file, node } = value;
  const isThere = node.properties.some((it) => it.type !== 'Property' || propertyName(it) === name);
  return !isThere && placesOf(file, node).every((it) => !assignmentsOf(file).to(it).has(name));
}

function moduleMember(value: Extract<Value, { kind: 'module' }>, name: string, at: Place): Value {
  const { library } = value;
  const member = exportOf(library, name);
  if (!member && name === 'default') return value;
  if (member) {
    return member.type && !member.construct
      ? mutual.referredValue(library, member.type, at)
      : callableExport(library, name, member);
  }
  // `import pg from 'pg'` and `require('pg')` name the same object; a default that is a namespace has its members.
  const whole = exportOf(library, 'default');
  return whole?.type
    ? memberOf(mutual.referredValue(library, whole.type, undefined), name, at)
    : UNKNOWN;
}

/** Members of a library's class or function: `axios.get`, `pg.Pool` on a default export that is itself callable. */
function callableMember(
  value: Extract<Value, { kind: 'callable' }>,
  name: string,
  at: Place,
): Value {
  // `require('axios').default`
  if (name === 'default' && value.name === 'default') return value;
  const { type } = value.signature;
  return type ? memberOf(mutual.referredValue(value.library, type, undefined), name, at) : UNKNOWN;
}

const instanceMember = valueQuery(
  'member of an instance',
  (file, node: ClassNode, name: string): Value => {
    if (name === 'constructor') return { kind: 'class', file, node };
    const self: Value = { kind: 'instance', file, node };
    const declared = classMember(file, node, name, { isStatic: false, self });
    if (declared) return declared;
    const beside = exportedBeside(file, self, name) ?? mergedMember(file, node, name);
    if (beside) return beside;
    const parent = node.superClass ? valueOf(file, node.superClass) : UNKNOWN;
    if (parent.kind === 'class') {
      return withSelf(instanceMember(parent.file, parent.node, name), self);
    }
    if (parent.kind === 'callable' && parent.signature.construct) {
      const origin = { file, node };
      const made = mutual.referredValue(parent.library, parent.signature.construct.returns, origin);
      return memberOf(withGivenByClass(file, node, made), name, origin);
    }
    return UNKNOWN;
  },
  { isCompared: true },
);

/** What a member is does not depend on where it is asked for. */
const ofMember = { whileCyclic: NULLISH, tooDeep: () => UNKNOWN, keyOf: (name: string) => name };

const staticMember = query(
  'static member',
  (file: FileFacts, node: ClassNode, name: string, at: Place): Value => {
    const self: Value = { kind: 'class', file, node };
    const declared = classMember(file, node, name, { isStatic: true, self });
    if (declared) return declared;
    const beside = exportedBeside(file, self, name);
    if (beside) return beside;
    const parent = node.superClass ? valueOf(file, node.superClass) : UNKNOWN;
    return parent.kind === 'class' || parent.kind === 'callable' || parent.kind === 'library'
      ? withSelf(memberOf(parent, name, at), self)
      : UNKNOWN;
  },
  ofMember,
);

/** `module.exports = Db; module.exports.pool = pool`: what is read off Db outside is an export of its file. */
function exportedBeside(file: FileFacts, value: Value, name: string): Value | undefined {
  return exportsOf(file).get(name) && isExportedWhole(file, value)
    ? exportedValue(file, name)
    : undefined;
}

/** A member that a class of the project, or one that it extends, declares itself. */
export function declaredMember(
  { file, node }: Extract<Value, { kind: 'class' }>,
  name: string,
  { isStatic }: { readonly isStatic: boolean },
): Value | undefined {
  const self: Value = { kind: isStatic ? 'class' : 'instance', file, node };
  const declared = classMember(file, node, name, { isStatic, self });
  if (declared) return declared;
  const parent = node.superClass ? valueOf(file, node.superClass) : UNKNOWN;
  const inherited = parent.kind === 'class' && declaredMember(parent, name, { isStatic });
  return inherited ? withSelf(inherited, self) : undefined;
}

function classMember(
  file: FileFacts,
  node: ClassNode,
  name: string,
  { isStatic, self }: { isStatic: boolean; self: Value },
): Value | undefined {
  const fields: Value[] = [];
  for (const member of bodyOf(node.body)) {
    if (member.type === 'MethodDefinition' && member.kind === 'constructor') {
      const property = isStatic ? undefined : parameterProperty(member.value, name);
      if (property) return mutual.parameterValue(file, property, member.value);
      continue;
    }
    if (!isNamedMember(member, name, isStatic)) continue;
    if (member.type === 'MethodDefinition' && isFunction(member.value)) {
      const method: FunctionValue = { kind: 'function', file, node: member.value, self };
      if (member.kind === 'get') return mutual.returnOf(method);
      if (member.kind === 'method') return declaredFunctionAt(file, member.value) ?? method;
    }
    if (member.type === 'TSAbstractMethodDefinition') {
      return abstractMember({ kind: 'instance', file, node }, name, member);
    }
    if (member.type === 'PropertyDefinition' || member.type === 'TSAbstractPropertyDefinition') {
      if (member.typeAnnotation) {
        const annotated = mutual.typeValue(file, member.typeAnnotation.typeAnnotation);
        if (isInformative(annotated)) {
          const assigned = assignedToClass(file, node, name, isStatic);
          const made =
            annotated.kind === 'instance' ? madeFor(file, annotated, assigned) : undefined;
          if (made) return made;
          return assigned.every((it) => isSetUp(file, it)) && !isOfAnother(annotated, file, node)
            ? declaredAt(annotated, { file, node: member })
            : annotated;
        }
      }
      if (member.value) fields.push(withSelf(valueOf(file, member.value), self));
    }
  }
  const assigned = assignedToClass(file, node, name, isStatic);
  fields.push(...assigned.map((it) => withSelf(valueOf(file, it), self)));
  if (fields.length > 0) {
    const value = join(fields);
    if (isKnown(value) && !isEmptyList(value)) return value;
  }
  const said = assigned.map((it) => commentedType(file, it.parent)).find(isKnown);
  return (
    said ??
    declaredField(file, node, name, isStatic) ??
    (fields.length > 0 ? join(fields) : undefined)
  );
}

function isNamedMember(member: TSESTree.ClassElement, name: string, isStatic: boolean): boolean {
  return (
    'key' in member &&
    member.static === isStatic &&
    propertyName(member as TSESTree.PropertyDefinition) === name
  );
}

/** A transaction, perhaps, for which another one of the class is made. */
function isOfAnother(annotated: Value, file: FileFacts, node: ClassNode): boolean {
  const mayBe = annotated.kind === 'library' && annotated.type.admitsTransaction === true;
  return mayBe && makesItself(file, node);
}

/** What a field holds for good: made for it, or given to the constructor; not what a method was given. */
function isSetUp(file: FileFacts, node: Node): boolean {
  const value = valueOf(file, node);
  return (
    value.kind === 'library' &&
    !(isCall(bare(node)) && isOnlyDeclared(value)) &&
    value.type.role !== 'transaction' &&
    value.type.role !== 'connection' &&
    (value.parameter === undefined || isConstructor(value.parameter.fn))
  );
}

/** What nobody sees made, of a type that may be a transaction: by an interface's method, over whatever engine. */
function isOnlyDeclared({ origin, parameter, type }: LibraryValue): boolean {
  return !origin && !parameter && type.admitsTransaction === true;
}

/** The annotation of a field whose values say nothing: an interface, which may know what its methods return. */
function declaredField(
  file: FileFacts,
  node: ClassNode,
  name: string,
  isStatic: boolean,
): Value | undefined {
  for (const member of bodyOf(node.body)) {
    if (member.type !== 'PropertyDefinition' && member.type !== 'TSAbstractPropertyDefinition')
      continue;
    if (!isNamedMember(member, name, isStatic)) continue;
    if (member.typeAnnotation) return mutual.typeValue(file, member.typeAnnotation.typeAnnotation);
    const said = commentedType(file, member);
    return isKnown(said) ? said : undefined;
  }
  return undefined;
}

/** What the file assigns to `this.name`, or to `Class.name`. */
function assignedToClass(
  file: FileFacts,
  node: ClassNode,
  name: string,
  isStatic: boolean,
): readonly TSESTree.Expression[] {
  const assignments = assignmentsOf(file);
  if (!isStatic) return assignments.to(node).get(name) ?? [];
  return [
    ...(assignments.toStatic(node).get(name) ?? []),
    ...declarationsOf(file, node).flatMap((it) => assignments.to(it).get(name) ?? []),
  ];
}

const constructedMember = valueQuery(
  'member of a constructed object',
  (file, node: FunctionNode, name: string): Value => {
    const self: Value = { kind: 'constructed', file, node };
    const assignments = assignmentsOf(file);
    const assigned = [
      ...(assignments.to(node).get(name) ?? []),
      ...declarationsOf(file, node).flatMap(
        (it) => assignments.to(it).get(`prototype.${name}`) ?? [],
      ),
    ];
    if (assigned.length > 0) return withSelf(join(assigned.map((it) => valueOf(file, it))), self);
    const prototypes = declarationsOf(file, node).flatMap(
      (it) => assignments.to(it).get('prototype') ?? [],
    );
    const at = { file, node };
    return prototypes.length === 1
      ? withSelf(memberOf(valueOf(file, prototypes[0]!), name, at), self)
      : UNKNOWN;
  },
);

/** `createDb.pool = …`: a property of a function. */
const functionMember = valueQuery(
  'member of a function',
  (file, node: FunctionNode, name: string): Value => {
    const assignments = assignmentsOf(file);
    const assigned = declarationsOf(file, node).flatMap((it) => assignments.to(it).get(name) ?? []);
    if (assigned.length > 0) return join(assigned.map((it) => valueOf(file, it)));
    return exportedBeside(file, { kind: 'function', file, node }, name) ?? UNKNOWN;
  },
);

const objectMember = query(
  'member of an object',
  (file: FileFacts, node: TSESTree.ObjectExpression, name: string, at: Place): Value => {
    const places = placesOf(file, node);
    const assigned = places
      .flatMap((it) => assignmentsOf(file).to(it).get(name) ?? [])
      .map((it) => valueOf(file, it));
    const written = writtenMember(file, node, name, at);
    const values = written ? [written, ...assigned] : assigned;
    return values.length > 0
      ? withSelf(join(values), { kind: 'object', file, node })
      : loadedMember(file, places, name);
  },
  ofMember,
);

/** The value of `readers[kind]`: any member of an object literal without further members under names from run time. */
export function anyMemberOf(value: Value, at: Place): Value {
  if (value.kind === 'union') return join(value.of.map((it) => anyMemberOf(it, at)));
  if (value.kind !== 'object' || value.node.properties.length === 0) return UNKNOWN;
  const { file, node } = value;
  const written = node.properties.map((it) =>
    it.type === 'Property' && !it.computed ? propertyName(it) : undefined,
  );
  const places = placesOf(file, node);
  if (places.some((it) => assignmentsOf(file).toAny(it).length > 0)) return UNKNOWN;
  const names = [...written, ...places.flatMap((it) => [...assignmentsOf(file).to(it).keys()])];
  return join(names.map((it) => (it === undefined ? UNKNOWN : objectMember(file, node, it, at))));
}

function writtenMember(
  file: FileFacts,
  node: TSESTree.ObjectExpression,
  name: string,
  at: Place,
): Value | undefined {
  for (const property of node.properties.toReversed()) {
    if (property.type === 'SpreadElement') {
      const spread = memberOf(valueOf(file, property.argument), name, at);
      if (spread.kind !== 'unknown') return spread;
      continue;
    }
    if (propertyName(property) !== name) continue;
    return property.kind === 'get' && isFunction(property.value)
      ? mutual.returnOf({ kind: 'function', file, node: property.value })
      : valueOf(file, property.value);
  }
  return undefined;
}

/** What assignments name it by: `const state = { pool: null }; state.pool = new Pool()`, `this.pool = …` in its methods, `module.exports.pool = …`. */
function placesOf(file: FileFacts, node: TSESTree.ObjectExpression): readonly Node[] {
  const places: Node[] = [node, ...declarationsOf(file, node)];
  const whole = exportsOf(file).get('require');
  if (whole?.kind === 'local' && bare(whole.node) === node) places.push(file.ast);
  return places;
}
