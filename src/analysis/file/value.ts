import type { TSESTree } from '@typescript-eslint/utils';
import type { ClassNode, FunctionNode } from '../syntax/ast.ts';
import type { FileFacts } from './file.ts';
import type { InstanceValue, Maker, ObjectValue } from './makers.ts';
import type { Place } from './place.ts';
import type { Library, LibraryType, Signature } from '../model/schema.ts';
import type { Operation } from '../sql/operation.ts';
import type { StatementRows } from '../sql/rows.ts';
import type { Verb } from '../sql/sql.ts';

export type { InstanceValue };

/**
 * The value of an expression, as far as imports, constructors, fields, annotations and factories prove it. A name alone proves
 * nothing; an unproved value is `unknown`.
 */
export type Value =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'nullish' }
  | LibraryValue
  | HolderValue
  | CallableValue
  | { readonly kind: 'promise'; readonly of: Value }
  | ArrayValue
  | { readonly kind: 'promisified'; readonly of: Value }
  | FunctionValue
  | { readonly kind: 'class'; readonly file: FileFacts; readonly node: ClassNode }
  | InstanceValue
  /** What `new` makes of a plain function, and what its prototype's methods are called on. */
  | { readonly kind: 'constructed'; readonly file: FileFacts; readonly node: FunctionNode }
  | ObjectValue
  | InterfaceValue
  | DeclaredValue
  | { readonly kind: 'namespace'; readonly file: FileFacts }
  | { readonly kind: 'module'; readonly library: Library }
  | { readonly kind: 'global'; readonly name: string }
  /** One of several known things, never more than MAX_ALTERNATIVES. */
  | { readonly kind: 'union'; readonly of: readonly Value[] }
  /** Known by several types at once: it has the members of all. */
  | { readonly kind: 'intersection'; readonly of: readonly Value[] };

const MAX_ALTERNATIVES = 4;

export interface ArrayValue {
  readonly kind: 'array';
  /** The value of every element. */
  readonly of: Value;
  /** The value of each element, where the source counts them: a literal, a tuple, the result of Promise.all. */
  readonly elements?: readonly Value[] | undefined;
  /** A map or a record: `of` is what its keys lead to, and iterating over it gives something else. */
  readonly isKeyed?: true;
  /** It has the methods of a map, where a record has its stored values as members. */
  readonly isMap?: boolean;
  /** Its elements arrive sequentially: iterating over it waits for each. */
  readonly isAsync?: true;
}

/** An object that a modelled library made. */
export interface LibraryValue {
  readonly kind: 'library';
  readonly library: Library;
  readonly typeName: string;
  readonly type: LibraryType;
  /** The place of its creation or declaration: equal origins are the same object. */
  readonly origin: Place | undefined;
  /** For a pool: the call of the project's function that has made it, which may make others: `createPool('locks')`. */
  readonly maker?: Place | undefined;
  /** The parameter that it was passed in by: the caller decides which object it is, or leaves it out. */
  readonly parameter?: Parameter | undefined;
  /**
   * The objects through which it was reached, where it has no connection of its own: `tx` for `tx.user`. Several when it may be
   * one of several.
   */
  readonly via?: readonly LibraryValue[] | undefined;
  /** For query builders: the effect of the chain so far, and its table. */
  readonly built?: Built;
  /** The declaration of the members that the program has added: its schema, its model, its class. */
  readonly equippedAt?: Place | undefined;
  /** Its type arguments, where its members refer to them: `Context<{ Bindings: Env }>`. */
  readonly given?: readonly Value[] | undefined;
}

/** A framework's object that only matters for what programs put on it (`req`, `app.locals`), or a function that is given such objects. */
export interface HolderValue {
  readonly kind: 'holder';
  readonly library: Library;
  readonly typeName: string;
  readonly type: LibraryType;
  /** As those of a library's object. */
  readonly given?: readonly Value[] | undefined;
}

/** A statement as far as it has been put together. */
export interface Built {
  readonly op: Operation;
  readonly table?: string | undefined;
  /** The table is the value of this parameter: the callers resolve it. */
  readonly tableParameter?: Pick<Parameter, 'fn' | 'index'> | undefined;
  /** The stages that it runs are the value of this parameter: the callers resolve it. */
  readonly pipelineParameter?: Pick<Parameter, 'fn' | 'index'> | undefined;
  /** Queries of the statement itself, which it reads as if they were tables: `WITH recent AS (…)`. */
  readonly named?: readonly string[];
  /** Its text contains `WHERE column = ?`. */
  readonly keyed?: boolean;
  /** The effect of its text on rows. */
  readonly verb?: Verb | undefined;
  /** The rows that its text is about. */
  readonly rows?: StatementRows;
}

export interface Parameter {
  readonly fn: FunctionNode;
  readonly index: number;
  /** The property of the parameter that it is: `{ tx }`, `options.tx`. */
  readonly member?: string | undefined;
  /** Where the caller passes none, the function uses its own: `manager ?? this.manager`. */
  readonly hasFallback?: true;
  /** It may be of a different kind: its type names further ones, or only its default is resolved (`db = pool`). */
  readonly isOpen?: true;
  /** Its type names a pool and a connection, so that the caller alone decides. */
  readonly isEither?: true;
}

/** A function, method or class of a modelled library, not yet called. */
export interface CallableValue {
  readonly kind: 'callable';
  readonly library: Library;
  readonly name: string;
  readonly signature: Signature & { readonly construct?: Signature; readonly type?: string };
  readonly receiver: LibraryValue | undefined;
}

/** A function of the project; `self` is what `this` is in it, where a method was read off an object. */
export interface FunctionValue {
  readonly kind: 'function';
  readonly file: FileFacts;
  readonly node: FunctionNode;
  readonly self?: Value | undefined;
  /** The call that returned it, of a function around it: what that was given, this function uses. */
  readonly madeBy?: Maker;
  /** A library that keeps its answers for the same arguments is called in its place. */
  readonly isRemembered?: 'request' | 'always';
}

export interface InterfaceValue {
  readonly kind: 'interface';
  readonly file: FileFacts;
  readonly node: TSESTree.TSInterfaceDeclaration | TSESTree.TSTypeLiteral;
  /** What its type parameters are: `QueryRunner` of `Holder<QueryRunner>`. */
  readonly given?: readonly Value[] | undefined;
}

/** The signature of a function type, and of a function: parameters, type parameters and a result. */
export type DeclaredSignature =
  | TSESTree.TSFunctionType
  | TSESTree.TSMethodSignature
  | TSESTree.TSCallSignatureDeclaration
  | TSESTree.TSEmptyBodyFunctionExpression
  | TSESTree.TSDeclareFunction
  | FunctionNode;

/** A function of which only the type is resolved: its effects are unresolved, its parameters and results may be declared. */
export interface DeclaredValue {
  readonly kind: 'declared';
  readonly file: FileFacts;
  readonly signature: DeclaredSignature;
  readonly returns: TSESTree.TypeNode | undefined;
  /** The implementations of this type run it, each in its own way (implementers.ts). */
  readonly member?: { readonly of: AbstractValue; readonly name: string };
}

/** A declaration without an implementation: an interface, or an instance of an abstract class. */
export type AbstractValue = InterfaceValue | Extract<Value, { kind: 'instance' }>;

export function declaredFunction(file: FileFacts, signature: DeclaredSignature): DeclaredValue {
  return { kind: 'declared', file, signature, returns: signature.returnType?.typeAnnotation };
}

export const UNKNOWN: Value = { kind: 'unknown' };
export const NULLISH: Value = { kind: 'nullish' };

export function promiseOf(of: Value): Value {
  return of.kind === 'promise' ? of : { kind: 'promise', of };
}

/** The value of `await` on it. */
export function awaited(value: Value): Value {
  if (value.kind === 'union') return join(value.of.map(awaited));
  return value.kind === 'promise' ? awaited(value.of) : value;
}

/** An annotation that declares the type of the object; an interface declares less than the literal or class behind it. */
export function isInformative(value: Value): boolean {
  const result = awaited(value);
  if (result.kind === 'union') return result.of.every(isInformative);
  return result.kind === 'array'
    ? isInformative(result.of) || (result.elements ?? []).some(isInformative)
    : result.kind === 'library' || result.kind === 'instance';
}

/** One value for an expression with several: resolved only when all of them are. */
export function join(values: Iterable<Value>): Value {
  const joined: Value[] = [];
  let arePromises = true;
  for (const value of values) {
    for (const it of alternativesOf(value)) {
      if (it.kind === 'unknown') return UNKNOWN;
      if (it.kind === 'nullish') continue;
      const known = joined.findIndex((other) => isSame(it, other));
      if (known === -1) joined.push(it);
      else joined[known] = merged(joined[known]!, it);
      arePromises &&= it.kind === 'promise';
      // no veto: as below; spares the comparison with all others.
      if (joined.length > MAX_ALTERNATIVES && !arePromises) return UNKNOWN;
    }
  }
  if (joined.length === 0) return NULLISH;
  if (joined.length === 1) return joined[0]!;
  if (joined.every((it) => it.kind === 'promise'))
    return promiseOf(join(joined.map((it) => it.of)));
  return joined.length <= MAX_ALTERNATIVES ? { kind: 'union', of: joined } : UNKNOWN;
}

/** A value of which only the type is resolved, as the one object declared at `origin`. */
export function declaredAt(value: Value, origin: Place): Value {
  if (value.kind === 'union')
    return { kind: 'union', of: value.of.map((it) => declaredAt(it, origin)) };
  return value.kind === 'library' && !value.origin ? { ...value, origin } : value;
}

export function isKnown(value: Value): boolean {
  return value.kind !== 'unknown' && value.kind !== 'nullish';
}

/** `[]`, which does not show its later elements. */
export function isEmptyList(value: Value): boolean {
  return value.kind === 'array' && value.of.kind === 'nullish' && value.elements?.length === 0;
}

/** For places of which only one can have a value. */
export function firstKnown(values: readonly Value[]): Value {
  return firstAnswer(values, (it) => it);
}

/** The same where a question is expensive: no further place is asked once one has the answer. */
export function firstAnswer<T>(places: readonly T[], ask: (place: T) => Value): Value {
  for (const place of places) {
    const value = ask(place);
    if (value.kind !== 'unknown') return value;
  }
  return UNKNOWN;
}

/** Two values of the same kind as one: what is not the same of both is not known. */
function merged(a: Value, b: Value): Value {
  if (a === b) return a;
  if (a.kind === 'array' && b.kind === 'array') {
    const isAsync = a.isAsync ?? b.isAsync;
    const of = join([a.of, b.of]);
    return { ...a, of, elements: undefined, ...(isAsync && { isAsync }) };
  }
  if (a.kind === 'callable' && b.kind === 'callable' && a.receiver && b.receiver) {
    return { ...a, receiver: merged(a.receiver, b.receiver) as LibraryValue };
  }
  if (a.kind === 'instance' && b.kind === 'instance' && !isMadeAlike(a, b))
    return { kind: 'instance', file: a.file, node: a.node };
  if (a.kind === 'object' && b.kind === 'object' && a.madeBy?.call !== b.madeBy?.call)
    return { kind: 'object', file: a.file, node: a.node };
  if (a.kind !== 'library' || b.kind !== 'library') return a;
  const isOneOrigin = a.origin?.node === b.origin?.node;
  const isOneChain =
    a.built?.op === b.built?.op &&
    a.built?.table === b.built?.table &&
    a.built?.tableParameter === b.built?.tableParameter;
  const equippedAt = mergedEquipment(a, b, isOneChain);
  const isOneEquipment = equipmentOf(a)?.node === equippedAt?.node;
  if (isOneOrigin && isOneChain && isOneEquipment && a.parameter === b.parameter && a.via === b.via)
    return a;
  const isReached = a.via !== undefined || b.via !== undefined;
  return {
    ...a,
    equippedAt,
    origin: isOneOrigin ? a.origin : undefined,
    // `manager ? manager.getRepository(Order) : this.orders`: one is passed by itself, the other through its manager.
    parameter: isReached ? undefined : mergedParameter(a.parameter, b.parameter),
    via: isReached ? [...new Set([...handlesOf(a), ...handlesOf(b)])] : undefined,
    ...(a.built || b.built ? { built: isOneChain ? a.built! : { op: 'unknown' } } : {}),
  };
}

function isMadeAlike({ madeAt: a }: InstanceValue, { madeAt: b }: InstanceValue): boolean {
  return a?.call === b?.call && a?.outer?.call === b?.outer?.call;
}

/** `mongoose.models.User ?? mongoose.model('User', schema)`: of one name there is one model, wherever it is asked for. */
function mergedEquipment(a: LibraryValue, b: LibraryValue, isOneChain: boolean): Place | undefined {
  const [one, other] = [equipmentOf(a), equipmentOf(b)];
  if (one?.node === other?.node) return one;
  return isOneChain && a.built?.table !== undefined && !(one && other) ? (one ?? other) : undefined;
}

function mergedParameter(a: Parameter | undefined, b: Parameter | undefined) {
  return a && b ? a : a || b ? { ...(a ?? b)!, hasFallback: true as const } : undefined;
}

/** The objects whose connections a library's object works on. */
export function handlesOf(value: LibraryValue): readonly LibraryValue[] {
  return value.parameter ? [value] : (value.via ?? [value]);
}

/** The result for `from`, with the program's declarations of the members of both: a model's documents. */
export function equippedLike(value: Value, from: Value | undefined): Value {
  const equippedAt = from?.kind === 'library' ? equipmentOf(from) : undefined;
  if (!equippedAt) return value;
  switch (value.kind) {
    case 'library':
      return { ...value, equippedAt };
    case 'promise':
      return { ...value, of: equippedLike(value.of, from) };
    case 'array':
      return { ...value, of: equippedLike(value.of, from) };
    default:
      return value;
  }
}

/** The declaration of the members that the program has added. */
export function equipmentOf({ equippedAt, type, origin }: LibraryValue): Place | undefined {
  return equippedAt ?? (type.equips && origin);
}

export function alternativesOf(value: Value): readonly Value[] {
  return value.kind === 'union' ? value.of : [value];
}

/** A connection or a transaction, which one piece of work has for itself. */
export function isOneSession(value: Value): boolean {
  return value.kind === 'library' && /^(?:connection|transaction)$/.test(value.type.role ?? '');
}

/** Same kind of thing; two pools of one library are the same in this sense, though not the same object. */
export function isSame(a: Value, b: Value): boolean {
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'library':
    case 'holder':
      return a.type === (b as typeof a).type && areSame(a.given, (b as typeof a).given);
    case 'promise':
    case 'array':
    case 'promisified':
      return isSame(a.of, (b as typeof a).of);
    case 'callable':
      return (
        a.signature === (b as typeof a).signature &&
        a.receiver?.type === (b as typeof a).receiver?.type
      );
    case 'function':
    case 'class':
    case 'instance':
    case 'constructed':
    case 'object':
      return a.node === (b as typeof a).node;
    case 'interface':
      return a.node === (b as typeof a).node && areSame(a.given, (b as typeof a).given);
    case 'namespace':
      return a.file === (b as typeof a).file;
    case 'module':
      return a.library === (b as typeof a).library;
    case 'global':
      return a.name === (b as typeof a).name;
    default:
      return a === b;
  }
}

/** The same type arguments; none may be any. */
function areSame(a: readonly Value[] = [], b: readonly Value[] = []): boolean {
  return a.length === b.length && a.every((it, i) => isSame(it, b[i]!));
}

/** A member as it is on `self`: the value of its `this`. */
export function withSelf(value: Value, self: Value): Value {
  if (value.kind === 'function') return { ...value, self };
  // What a model's own class is asked for gives objects of that class.
  return value.kind === 'callable' && self.kind === 'class' && value.receiver?.type.equips
    ? { ...value, receiver: { ...value.receiver, equippedAt: self } }
    : value;
}
