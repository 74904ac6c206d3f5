import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  classAround,
  type ClassNode,
  type FunctionNode,
  isConstructor,
  isDecorated,
  type Node,
  propertyName,
  undefaulted,
} from '../syntax/ast.ts';
import {
  type Call,
  calleeOf,
  isCall,
  isSpreadUpTo,
  passedBy,
  receiverOf,
} from '../syntax/calls.ts';
import { constructorOf } from '../syntax/constructors.ts';
import type { FileFacts } from '../file/file.ts';
import type { InstanceValue } from '../file/makers.ts';
import type { Place } from '../file/place.ts';
import { isEmbedded } from './embedded.ts';
import { givenField, partGivenToClass } from '../provenance/given-fields.ts';
import { givenFor, parameterAt, type Part, placeOfParameter } from '../provenance/given-parts.ts';
import { makesItself } from '../provenance/made-anew.ts';
import { handlesHeldBy } from './held-handles.ts';
import { FARTHEST_PARENT, handedOn, partOfMaking } from '../provenance/makings.ts';
import { limitOf } from '../values/pool-limits.ts';
import { patternOf } from '../syntax/parameter-properties.ts';
import {
  alternativesOf,
  type FunctionValue,
  handlesOf,
  type LibraryValue,
  type Parameter,
  type Value,
  isOneSession,
} from '../file/value.ts';

/**
 * 'pool': any connection; 'single': the one connection of a pool that has no other; 'embedded': a database within this
 * process; 'serial': one connection that answers in order; 'unknown': perhaps a transaction.
 */
export type Handle = 'pool' | 'single' | 'embedded' | 'serial' | 'unknown' | ParameterHandle;

/** The caller decides: a pool, a connection, a transaction, or nothing. */
export interface ParameterHandle extends Parameter {
  readonly isSerial: boolean;
}

/** The connection on which a call of the file `user` runs, by the type and the origin of its receiver. */
export function handleOf(value: LibraryValue | undefined, user?: FileFacts): Handle {
  if (!value) return 'pool';
  const values = handlesOf(value);
  // One of several may be for trying things out.
  if (values.every((it) => isEmbedded(it, user))) return 'embedded';
  const handles = values.map((it) => ownHandle(it, user));
  const worst = handles.find((it) => it === 'serial') ?? handles.find((it) => it === 'unknown');
  if (worst) return worst;
  const passed = handles.find((it) => typeof it !== 'string');
  const isSingle = handles.includes('single');
  if (!passed) return isSingle ? 'single' : 'pool';
  if (isSingle) return 'unknown';
  return handles.length > 1 ? { ...passed, hasFallback: true } : passed;
}

function ownHandle(value: LibraryValue, user: FileFacts | undefined): Handle {
  const { parameter, type } = value;
  if (mayBeOfPage(value)) return 'unknown';
  // What a constructor is given is set up once; what a function is given may be a transaction of its caller.
  if (parameter && !isSurelyPool(value) && !isConstructor(parameter.fn)) {
    return {
      ...parameter,
      ...(type.role === 'pool' && !parameter.isEither ? { hasFallback: true } : {}),
      isSerial: isSerial(value),
    };
  }
  if (isSerial(value)) return 'serial';
  if (parameter && isMadeAnew(value.origin?.file ?? user, value, parameter)) return 'unknown';
  if (isOfUnknownOwner(value)) return 'unknown';
  return limitOf(value) === 1 ? 'single' : 'pool';
}

/** Whoever asks for a pool is given one, and a library without transactions has none to give; `db = pool` may be given a transaction. */
function isSurelyPool({ library, type, parameter }: LibraryValue): boolean {
  return library.commitsEach === true || (type.role === 'pool' && !parameter?.isOpen);
}

const PAGE_PACKAGES = 'react-dom react-native preact vue nuxt svelte solid-js @angular/core'.split(
  ' ',
);
const OF_SERVERS = /service_?(?:role|key)|secret_?key|createServerClient/i;
/** What builds put into pages. */
const OF_PAGES = /\bimport\.meta\.env\b|\b(?:VITE|(?:NEXT|EXPO|NUXT)_PUBLIC|REACT_APP)_/;

/**
 * Whether a page may ask instead of a server: with a package for pages beside it, only a key that no page may have, or what
 * reads a request's cookies, tells that one does.
 */
function mayBeOfPage({ library, origin }: LibraryValue): boolean {
  // no veto: spares the questions.
  if (library.isForPages !== true) return false;
  if (!origin) return true;
  const { modules, path } = origin.file;
  const text = origin.file.textOf(origin.node);
  if (OF_SERVERS.test(text)) return false;
  if (OF_PAGES.test(text)) return true;
  return PAGE_PACKAGES.some((it) => modules?.versionOf(it, path) !== undefined);
}

/** One query after another. */
function isSerial(value: LibraryValue): boolean {
  // no veto: the one is mostly the other, too.
  return value.type.concurrency === 'serial' || isOneSession(value);
}

/**
 * What a class is constructed with where it makes others of itself, for a transaction: `new Database(tx)`. The manager
 * of a transaction has the type of any other: only a container, for which a class is decorated, gives the one for good.
 */
function isMadeAnew(
  file: FileFacts | undefined,
  { type }: LibraryValue,
  { fn }: Parameter,
): boolean {
  const around = classAround(fn)?.node;
  if (type.admitsTransaction !== true || !around) return false;
  const isManager = type.managesTransactions === true && type.role === 'orm';
  if (isManager && !isDecorated(around)) return true;
  return makesItself(file, around);
}

/** Only its type is known, and the type of a transaction is the same or a subtype. */
function isOfUnknownOwner({ type, origin, parameter }: LibraryValue): boolean {
  // no veto: it was seen where it was made.
  if (origin || parameter) return false;
  return type.admitsTransaction === true;
}

/** The value after `transaction:`: the caller may omit a parameter, anything else is a transaction. */
export function optionHandle(file: FileFacts, node: Node): Handle {
  const definition = node.type === 'Identifier' ? file.variableOf(node)?.defs[0] : undefined;
  const place = definition && placeOfParameter(definition);
  return place ? { ...place, isSerial: false, hasFallback: true } : 'serial';
}

/** The handle as the caller of the function sees it; undefined when it passes none to use. */
export function passedHandle(
  caller: FileFacts,
  args: readonly TSESTree.CallExpressionArgument[],
  { file, node: callee }: FunctionValue,
  handle: ParameterHandle,
): Handle | undefined {
  const { index, member, isSerial, hasFallback } = handle;
  const without = hasFallback ? 'pool' : undefined;
  const argument = args[index];
  if (argument) {
    if (isSpreadUpTo(args, index)) return 'unknown';
    // veto: a condition decides whether the call gives a connection
    if (hasFallback && isEither(argument)) return 'unknown';
    return member === undefined
      ? (handleHandedOn(caller, argument, callee, handle) ?? handleGiven(caller, argument, without))
      : handleInObject(caller, argument, handle, without);
  }
  // Left out, an optional connection is not used; a default is the function's own.
  const parameter = callee.params[index];
  if (parameter?.type !== 'AssignmentPattern') return without;
  if (member !== undefined) return isEmpty(parameter.right) ? without : 'unknown';
  const own = valueOf(file, parameter.right);
  return isSerial && !(own.kind === 'library' && !isOneSession(own)) ? 'serial' : 'pool';
}

function isEither(argument: Node): boolean {
  return /^(?:Conditional|Logical)Expression$/.test(bare(argument).type);
}

/**
 * The handle that the maker of the function, or of its object, was given: `find` of `shipsIn(pool)`, or of `new Ships(pool)`. `call`
 * calls it.
 */
export function handleOfMaker(
  { file, madeBy, self }: Pick<FunctionValue, 'file' | 'madeBy' | 'self'>,
  handle: ParameterHandle,
  call?: Place,
): Handle {
  if (self?.kind === 'instance' && isConstructor(handle.fn))
    return call && isOfAnother(self, handle, call) ? 'unknown' : handleOfInstance(self, handle);
  if (madeBy?.fn !== handle.fn) return handle;
  const made = { kind: 'function', file, node: madeBy.fn } as const;
  const given = passedHandle(madeBy.file, passedBy(madeBy.call, madeBy.fn), made, handle);
  if (!given) return 'unknown';
  return typeof given === 'string'
    ? given
    : handleOfMaker({ file: madeBy.file, ...(madeBy.outer && { madeBy: madeBy.outer }) }, given);
}

/** Another object of the class that calls it, of an unknown maker: what made the caller's says nothing about it. */
function isOfAnother(
  { madeAt }: InstanceValue,
  handle: ParameterHandle,
  { file, node }: Place,
): boolean {
  const callee = isCall(node) ? bare(calleeOf(node)) : node;
  const isOwn =
    callee.type === 'MemberExpression' && /^(?:Super|ThisExpression)$/.test(callee.object.type);
  const around = classAround(node)?.node;
  if (madeAt || isOwn || !around) return false;
  return partOfMaking(file, around, { ...handle, member: handle.member }) !== undefined;
}

function handleOfInstance({ file, node, madeAt }: InstanceValue, handle: ParameterHandle): Handle {
  const part = madeAt && partOfMaking(file, node, { ...handle, member: handle.member });
  if (!part) return handle;
  const { file: caller, call, outer } = madeAt;
  const argument = outer && givenFor(call.arguments, part);
  const given = argument && handedOn({ file: caller, node: argument }, outer);
  // Its maker was given it, and says more than the type of a parameter.
  if (given && given.node !== argument)
    return handleGiven(given.file, given.node, undefined) ?? 'unknown';
  const made = { kind: 'function', file, node: part.fn } as const;
  return passedHandle(caller, call.arguments, made, { ...handle, ...part }) ?? 'unknown';
}

function isEmpty(node: Node): boolean {
  return node.type === 'ObjectExpression' && node.properties.length === 0;
}

/** `const find = (id: string, db: Queryable) => query(text, [id], db)`: a parameter of an unresolved type, which its own caller decides. */
function handleHandedOn(
  caller: FileFacts,
  node: Node,
  callee: FunctionNode,
  { index, isSerial }: ParameterHandle,
): Handle | undefined {
  const given = parameterAt(caller, bare(node));
  // no veto: its type is resolved.
  if (!given || !/^(?:unknown|interface)$/.test(valueOf(caller, node).kind)) return undefined;
  const hasFallback = callee.params[index]?.type === 'AssignmentPattern';
  return { ...given, isSerial, ...(hasFallback ? { hasFallback } : {}) };
}

function handleGiven(caller: FileFacts, node: Node, without: Handle | undefined) {
  const value = valueOf(caller, node);
  if (value.kind === 'nullish') return without;
  const [first, ...others] = alternativesOf(value).map((it) =>
    it.kind === 'library' ? handleOf(it) : it.kind === 'instance' ? handleHeld(it) : 'unknown',
  );
  if (others.length === 0) return first;
  if (!others.every((it) => isSameParameter(it, first!))) return 'unknown';
  const one = first as ParameterHandle;
  // `db: PoolClient = pool`: of either kind, it is the one parameter.
  return one.isEither ? one : { ...one, hasFallback: true as const };
}

/** On what an object of the project works: on all that its fields have, where that is the same. */
function handleHeld(self: InstanceValue): Handle {
  const [first, ...others] = handlesHeldBy(self).map((it) => {
    const own = handleOf(it);
    return typeof own === 'string' ? own : handleOfInstance(self, own);
  });
  return first !== undefined && others.every((it) => it === first) ? first : 'unknown';
}

function isSameParameter(one: Handle, other: Handle): boolean {
  if (typeof one === 'string' || typeof other === 'string') return false;
  return one.fn === other.fn && one.index === other.index && one.member === other.member;
}

/** What an object has under the handle's name, where it spells that out; what is handed on whole, the caller's own caller decides. */
function handleInObject(
  caller: FileFacts,
  node: Node,
  handle: ParameterHandle,
  without: Handle | undefined,
): Handle | undefined {
  const object = bare(node);
  const whole = parameterAt(caller, object);
  if (whole) return { ...handle, ...whole };
  const value = valueOf(caller, object);
  if (value.kind !== 'object') return value.kind === 'nullish' ? without : 'unknown';
  let given: Node | undefined;
  for (const it of value.node.properties) {
    // veto: the options contain a spread or a computed name, which may set the connection
    if (it.type !== 'Property' || propertyName(it) === undefined) return 'unknown';
    if (propertyName(it) === handle.member) given = it.value;
  }
  return given ? handleGiven(value.file, given, without) : without;
}

/**
 * The handle of a query in a class that is constructed with a connection or transaction, or makes others of itself for one
 * (`withTransaction(tx) { return new Users(tx); }`): what makes the object decides; undefined in other classes.
 */
export function builtAroundHandle(file: FileFacts, call: Call): Handle | undefined {
  const around = classAround(call)?.node;
  // no veto: no class around it.
  if (!around) return undefined;
  const callee = bare(calleeOf(call));
  // `this.sql` of `` this.sql`…` `` and `this.db` of `this.db.query(…)`.
  const isOwn = callee.type === 'MemberExpression' && callee.object.type === 'ThisExpression';
  const receiver = callee.type === 'MemberExpression' && !isOwn ? callee.object : callee;
  if (isConstructedWithHandle(file, around)) {
    const part = partGivenToClass(file, receiver, around);
    return part ? { ...part, isSerial: false } : 'unknown';
  }
  const part = partGivenToParents(file, fieldBehind(file, receiver), around);
  if (!part) return undefined;
  const isOpen = isTyped(part) ? isGivenConnection(file, around) : makesItself(file, around);
  return isOpen ? { ...part, isSerial: false } : undefined;
}

/** `this.db` of `this.db.order`: a table of what the field holds. */
function fieldBehind(file: FileFacts, receiver: Node): Node {
  let it = bare(receiver);
  while (it.type === 'MemberExpression' && valueOf(file, it.object).kind === 'library') {
    it = bare(it.object);
  }
  return it;
}

/** A parent of the class is constructed with a connection. */
function isGivenConnection(file: FileFacts, owner: ClassNode, distance = 0): boolean {
  const parent = owner.superClass ? valueOf(file, owner.superClass) : undefined;
  // no veto: a class that extends itself.
  if (parent?.kind !== 'class' || distance > FARTHEST_PARENT) return false;
  return (
    isConstructedWithHandle(parent.file, parent.node) ||
    isGivenConnection(parent.file, parent.node, distance + 1)
  );
}

/** What the constructor of a class is given, or that of a parent, where the class has none. */
function partGivenToParents(
  file: FileFacts,
  receiver: Node,
  owner: ClassNode,
  distance = 0,
): Part | undefined {
  const name =
    receiver.type === 'MemberExpression' && receiver.object.type === 'ThisExpression'
      ? propertyName(receiver)
      : undefined;
  // no veto: another object, or a class that extends itself.
  if (name === undefined || distance > FARTHEST_PARENT) return undefined;
  if (constructorOf(owner) || !owner.superClass) return givenField(file, owner, name);
  const parent = valueOf(file, owner.superClass);
  return parent.kind === 'class'
    ? partGivenToParents(parent.file, receiver, parent.node, distance + 1)
    : undefined;
}

/** Its type says whether it may be a transaction. */
function isTyped({ fn, index }: Part): boolean {
  const parameter = fn.params[index];
  const name = parameter && undefaulted(patternOf(parameter));
  return !!name && 'typeAnnotation' in name && !!name.typeAnnotation;
}

/** The connection of a call on what the code was given as an interface, which connections may be, too: the caller decides. */
export function handleOfReceiver(file: FileFacts, call: Call): Handle {
  const receiver = receiverOf(call);
  const around = classAround(call)?.node;
  const part = receiver && (around ? partGivenToClass(file, receiver, around) : undefined);
  const given = receiver && (part ?? parameterAt(file, bare(receiver)));
  return given ? { ...given, isSerial: false } : 'unknown';
}

const isConstructedWithHandle = query(
  'constructed with a handle',
  (file: FileFacts, owner: ClassNode): boolean =>
    constructorValues(file, owner).some(isOneConnection),
  { whileCyclic: false },
);

function constructorValues(file: FileFacts, { body }: ClassNode): readonly Value[] {
  return bodyOf(body).flatMap((it) => {
    // no veto: what methods are given is their own.
    if (it.type !== 'MethodDefinition' || it.kind !== 'constructor') return [];
    return it.value.params.flatMap((parameter) => {
      const name = undefaulted(patternOf(parameter));
      return name.type === 'Identifier' ? alternativesOf(valueOf(file, name)) : [];
    });
  });
}

function isOneConnection(value: Value): boolean {
  if (value.kind !== 'library') return false;
  const { role, concurrency } = value.type;
  // no veto: a client that sends ahead (Redis) keeps nobody waiting, and no other query runs on it.
  if (role === 'client' && concurrency === 'pipelined') return false;
  return /^(?:connection|transaction|client)$/.test(role ?? '');
}
