import type { Place } from '../file/place.ts';
import { valueOf } from './value-of.ts';
import { pipelineOf } from './pipelines.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { type FunctionNode, type Node, propertyName } from '../syntax/ast.ts';
import { declaredLibraries } from './declarations.ts';
import { equippedMember, modelNamed } from './equipment.ts';
import type { FileFacts } from '../file/file.ts';
import { exportedValue } from './exports.ts';
import { heldMember } from './held-members.ts';
import {
  exportOf,
  libraryDeclaring,
  libraryGenerating,
  libraryNamed,
  libraryOf,
  writtenTypes,
} from '../model/index.ts';
import { NAMESPACE } from '../model/members.ts';
import type {
  BuilderStep,
  Library,
  LibraryType,
  Member,
  Role,
  Signature,
} from '../model/schema.ts';
import type { Variable } from '../syntax/names.ts';
import { operationByOptions, optionsOfRequest } from './request-methods.ts';
import { rowsOf } from '../sql/rows.ts';
import { statementOf } from '../sql/sql.ts';
import { sqlTextOf } from './sql-text.ts';
import {
  type Built,
  type CallableValue,
  equippedLike,
  handlesOf,
  type HolderValue,
  isKnown,
  type LibraryValue,
  promiseOf,
  UNKNOWN,
  type Value,
} from '../file/value.ts';
import { mutual } from './mutual.ts';

/** A type reference of the library model (`Pool`, `Promise<Pool>`, `Pool[]`, `pg.Pool`, `this`) as a value made at `origin`. */
export function referredValue(
  library: Library,
  reference: string | undefined,
  origin: Place | undefined,
  self: Value = UNKNOWN,
): Value {
  if (reference === undefined) return UNKNOWN;
  if (reference === 'this') return self;
  const argument = /^<(\d)>(?:\.(\w+))?$/.exec(reference);
  if (argument) return argumentValue(self, Number(argument[1]), argument[2], origin);
  if (reference === 'Map') return { kind: 'array', of: UNKNOWN, isKeyed: true, isMap: true };
  if (reference.startsWith('Promise<')) {
    return promiseOf(referredValue(library, reference.slice(8, -1), origin, self));
  }
  if (reference.endsWith('[]')) {
    return { kind: 'array', of: referredValue(library, reference.slice(0, -2), origin, self) };
  }
  const dot = reference.lastIndexOf('.');
  const owner = dot === -1 ? library : libraryNamed(reference.slice(0, dot));
  const typeName = reference.slice(dot + 1);
  const type = owner && Object.hasOwn(owner.types, typeName) ? owner.types[typeName] : undefined;
  if (!owner || !type) return UNKNOWN;
  const given = type.isGeneric && 'given' in self ? self.given : undefined;
  if (type.isHolder) return { kind: 'holder', library: owner, typeName, type, given };
  const value: LibraryValue = { kind: 'library', library: owner, typeName, type, origin, given };
  // What `require` gives is the module, which has no connection.
  const isReached =
    self.kind === 'library' &&
    self.typeName !== NAMESPACE &&
    (!OWN_HANDLE.has(type.role) || isOnConnectionOf(self, type.role));
  return isReached ? { ...value, via: handlesOf(self) } : value;
}

/** A type argument of an object, or a member of it. */
function argumentValue(
  self: Value,
  index: number,
  member: string | undefined,
  origin: Place | undefined,
): Value {
  const argument = 'given' in self ? self.given?.[index] : undefined;
  if (!argument || member === undefined) return argument ?? UNKNOWN;
  const at = origin ?? ('node' in argument ? argument : undefined);
  return at ? mutual.memberOf(argument, member, at) : UNKNOWN;
}

/** Roles of what has a connection, or connections, of its own: not the one of what it was made by. */
const OWN_HANDLE: ReadonlySet<Role | undefined> = new Set<Role>([
  ...(['pool', 'connection', 'transaction', 'client', 'session', 'channel'] as const),
  ...(['queue', 'limiter', 'lock', 'loader'] as const),
]);

/** `runner.manager`, `manager.getRepository(Order)`: what a connection or a transaction leads to works on the same one. */
function isOnConnectionOf({ type }: LibraryValue, role: Role | undefined): boolean {
  const one = /^(?:connection|transaction)$/;
  return one.test(role ?? '') && one.test(type.role ?? '');
}

/** The value of `import { name } from 'specifier'`; `*` is the namespace, `require` the result of require(). */
export function importedValue(file: FileFacts, specifier: string, name: string): Value {
  const library = libraryFor(file, specifier);
  if (library) {
    const type = exportOf(library, name)?.type;
    // What the platform gives of a type that a tool has written for the package.
    return type !== undefined && writtenTypes.has(type)
      ? mutual.ambientType(file, type)
      : libraryExport(library, name);
  }
  for (const declared of declaredLibraries(file, specifier)) {
    const value = libraryExport(declared, name);
    if (isKnown(value)) return value;
  }
  const imported = file.modules?.resolve(specifier, file.path, name);
  if (imported) return exportedValue(imported, name);
  const generating = libraryGenerating(name);
  return generating ? libraryExport(generating, name) : UNKNOWN;
}

/** The library that a specifier reaches, also through a package of which the project says so. */
function libraryFor(file: FileFacts, specifier: string): Library | undefined {
  const wrapped = file.modules?.declarations?.(file.path)?.libraries.get(specifier);
  return libraryOf(specifier) ?? (wrapped === undefined ? undefined : libraryNamed(wrapped));
}

function libraryExport(library: Library, name: string): Value {
  if (name === '*' || name === 'require') {
    const whole = exportOf(library, 'default');
    // `const knex = require('knex')` is the callable default itself where the library exports one.
    return name === 'require' && whole && (whole.returns || whole.construct || whole.effect)
      ? callableExport(library, 'default', whole)
      : { kind: 'module', library };
  }
  const member = exportOf(library, name);
  if (!member) return name === 'default' ? { kind: 'module', library } : UNKNOWN;
  return member.type && !member.construct && !member.returns
    ? referredValue(library, member.type, undefined)
    : callableExport(library, name, member);
}

/** An exported function or class of a library. */
export function callableExport(library: Library, name: string, member: Member): CallableValue {
  return { kind: 'callable', library, name, signature: member, receiver: undefined };
}

/** `value.name` where a library made `value`. */
export function libraryMember(value: LibraryValue | HolderValue, name: string, at: Place): Value {
  const equipped = value.kind === 'library' ? equippedMember(value, name) : undefined;
  if (equipped) return equipped;
  const { anyMember, open } = value.type;
  const member = ownMember(value.type, name, at);
  if (value.kind === 'holder') {
    return member
      ? referredValue(value.library, member.type, undefined, value)
      : heldMember(at.file, value, name);
  }
  if (!member) {
    if (open) return heldMember(at.file, value, name);
    if (!anyMember || OF_EVERY_OBJECT.has(name)) return UNKNOWN;
    if (!anyMember.type) return callable(value, name, anyMember);
    const result = referredValue(value.library, anyMember.type, value.origin ?? at, value);
    return result.kind === 'library'
      ? { ...result, built: { op: value.built?.op ?? 'unknown', table: name } }
      : result;
  }
  if (member.type && !member.construct && !member.returns) {
    const result = referredValue(value.library, member.type, value.origin ?? at, value);
    return result.kind === 'library' && value.built ? { ...result, built: value.built } : result;
  }
  return callable(value, name, member);
}

function ownMember(type: LibraryType, name: string, { file }: Place): Member | undefined {
  const { members } = type;
  const member =
    members && Object.hasOwn(members, name) ? members[name] : patternedMember(type, name);
  const needed = member?.ifInstalled;
  const isThere =
    !needed || needed.some((it) => file.modules?.versionOf(it, file.path) !== undefined);
  return isThere ? member : undefined;
}

function patternedMember({ memberPatterns }: LibraryType, name: string): Member | undefined {
  return OF_EVERY_OBJECT.has(name)
    ? undefined
    : memberPatterns?.find(([pattern]) => pattern.test(name))?.[1];
}

/** What every object has, or is asked for when it is awaited, is no model, table or delegate. */
const OF_EVERY_OBJECT = new Set([...Object.getOwnPropertyNames(Object.prototype), 'then']);

function callable(receiver: LibraryValue, name: string, signature: Member): CallableValue {
  return { kind: 'callable', library: receiver.library, name, signature, receiver };
}

/** The result of a call of the library's function: its `returns`, with `this` and builder steps followed. */
export function signatureResult(
  callee: CallableValue,
  signature: Signature,
  args: readonly TSESTree.CallExpressionArgument[],
  origin: Place,
): Value {
  const { receiver } = callee;
  const returns = isOnConnection(signature, args, origin.file)
    ? signature.onConnection
    : signature.returns;
  const made = referredValue(callee.library, returns, origin, receiver);
  const value = equippedLike(made, equipping(callee, signature, args, origin));
  if (value.kind !== 'library') return value;
  const { step } = signature;
  const before = receiver?.built;
  if (!step && !before) return value;
  const handle = step?.handle === undefined ? undefined : args[step.handle];
  const passed = handle && valueOf(origin.file, handle);
  return {
    ...value,
    ...(passed?.kind === 'library' ? { via: handlesOf(passed) } : {}),
    built: step ? stepped(step, args, origin, before) : before!,
  };
}

function isOnConnection(
  { onConnection }: Signature,
  [given]: readonly TSESTree.CallExpressionArgument[],
  file: FileFacts,
): boolean {
  // no veto: spares the question.
  if (onConnection === undefined || !given) return false;
  const value = valueOf(file, connectionIn(given));
  return value.kind === 'library' && /^(?:connection|client)$/.test(value.type.role ?? '');
}

/** `client` of `drizzle(client)` and of `drizzle({ client })`. */
function connectionIn(given: TSESTree.CallExpressionArgument): Node {
  if (given.type !== 'ObjectExpression') return given;
  const own = given.properties.find(
    (it) => it.type === 'Property' && propertyName(it) === 'client',
  );
  return own?.type === 'Property' ? own.value : given;
}

/** What says which members of the program's own the result has: what it comes of, or a schema. */
function equipping(
  { library, receiver }: CallableValue,
  { equippedBy, step }: Signature,
  args: readonly TSESTree.CallExpressionArgument[],
  { file }: Place,
): Value | undefined {
  if (equippedBy === undefined) return receiver;
  const given = args[equippedBy];
  const name = step?.table === undefined ? undefined : tableOf(file, args[step.table])?.table;
  if (given) return valueOf(file, given);
  return name === undefined ? undefined : modelNamed(file, library, name);
}

/** The statement after one more step of its builder. */
function stepped(
  step: BuilderStep,
  args: readonly TSESTree.CallExpressionArgument[],
  { file, node }: Place,
  before: Built | undefined,
): Built {
  if (step.sql !== undefined) {
    const argument = node.type === 'TaggedTemplateExpression' ? node.quasi : args[step.sql];
    const text = argument ? sqlTextOf(file, argument) : undefined;
    if (text?.kind !== 'text') return { op: 'unknown' };
    const { op, tables, keyed, verb } = statementOf(text.text);
    // Of several tables each may be the one that another statement touches.
    const table = tables.length === 1 ? tables[0] : undefined;
    return { op, table, keyed, verb, rows: rowsOf(text.text) };
  }
  if (step.request !== undefined) {
    const { op } = operationByOptions(file, optionsOfRequest(args, step.request));
    return { op };
  }
  const stages = step.pipeline === undefined ? {} : pipelineOf(file, args[step.pipeline]);
  const { table, tableParameter } =
    (step.table === undefined ? undefined : tableOf(file, args[step.table])) ?? before ?? {};
  const keyed = step.keyed ?? before?.keyed;
  const name = step.names === undefined ? undefined : args[step.names];
  const isLiteral = name?.type === 'Literal' && typeof name.value === 'string';
  const named = [...(before?.named ?? []), ...(isLiteral ? [String(name.value)] : [])];
  return {
    op: step.op ?? before?.op ?? 'unknown',
    ...stages,
    table: table !== undefined && named.includes(table) ? undefined : table,
    tableParameter,
    ...(named.length > 0 ? { named } : {}),
    ...(keyed !== undefined && { keyed }),
  };
}

function tableOf(
  file: FileFacts,
  argument: TSESTree.CallExpressionArgument | undefined,
): Pick<Built, 'table' | 'tableParameter'> | undefined {
  if (argument?.type === 'Literal' && typeof argument.value === 'string') {
    return { table: argument.value, tableParameter: undefined };
  }
  if (argument?.type !== 'Identifier') return undefined;
  const definition = file.variableOf(argument)?.defs[0];
  if (definition?.type !== 'Parameter') {
    return { table: spelledOut(definition) ?? argument.name, tableParameter: undefined };
  }
  const fn = definition.node as FunctionNode;
  const index = fn.params.indexOf(definition.name as TSESTree.Parameter);
  return index === -1 ? undefined : { table: undefined, tableParameter: { fn, index } };
}

/** `'users'` of `const TABLE = 'users'`. */
function spelledOut(definition: Variable['defs'][number] | undefined): string | undefined {
  if (definition?.type !== 'Variable' || definition.parent.kind !== 'const') return undefined;
  const { init } = definition.node;
  return init?.type === 'Literal' && typeof init.value === 'string' ? init.value : undefined;
}

/**
 * The result of a call of `fn`, with the table in its argument: `const repositoryOf = (entity) =>
 * source.getRepository(entity)`.
 */
export function withPassedTable(
  value: Value,
  fn: FunctionNode,
  args: readonly TSESTree.CallExpressionArgument[],
  file: FileFacts,
): Value {
  if (value.kind === 'promise') return { ...value, of: withPassedTable(value.of, fn, args, file) };
  const built = value.kind === 'library' ? value.built : undefined;
  if (value.kind !== 'library' || built?.tableParameter?.fn !== fn) return value;
  const table = tableOf(file, args[built.tableParameter.index]);
  return { ...value, built: { op: built.op, ...table } };
}

/** The type that `import { name } from 'specifier'` names in an annotation. */
export function importedTypeNamed(file: FileFacts, specifier: string, name: string): Value {
  const library = libraryFor(file, specifier);
  if (library) return libraryType(library, name);
  const imported = file.modules?.resolve(specifier, file.path, name);
  if (imported) return mutual.exportedType(imported, name);
  const generating = libraryGenerating(name);
  return generating ? libraryType(generating, name) : UNKNOWN;
}

/** A type of a library by the name that annotations use: an instance of an exported class, or a named interface. */
export function libraryType(library: Library, name: string): Value {
  if (Object.hasOwn(library.types, name)) return referredValue(library, name, undefined);
  // What declares types for all programs also exports those of which another model speaks.
  const other = library.ambient && libraryDeclaring(name);
  if (other && other !== library) return referredValue(other, name, undefined);
  return referredValue(library, exportOf(library, name)?.construct?.returns, undefined);
}
