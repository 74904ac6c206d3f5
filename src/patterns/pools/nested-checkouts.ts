import { bodyOf } from '../../engine/tracked-tree.ts';
import { valueOf } from '../../analysis/provenance/value-of.ts';
import {
  bare,
  classAround,
  dottedName,
  functionAround,
  type FunctionNode,
  isClass,
  isDecorated,
  isNamed,
  type Node,
  undefaulted,
} from '../../analysis/syntax/ast.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { argumentsOf, type Call, calleeOf, isCall, passedBy } from '../../analysis/syntax/calls.ts';
import { isSaidToBeSeparate } from '../../analysis/contexts/comments.ts';
import type { Place } from '../../analysis/file/place.ts';
import { type Effect, isOnPool } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { nameOfFunction } from '../../analysis/syntax/function-names.ts';
import { declarationsOf } from '../../analysis/provenance/declaring-names.ts';
import { builtAroundHandle, handleOfReceiver } from '../../analysis/effects/handles.ts';
import { handlesHeldBy } from '../../analysis/effects/held-handles.ts';
import { givenToInstance, makingsOf } from '../../analysis/provenance/makings.ts';
import {
  givenFor,
  isLeftOut,
  optionalPartAt,
  type Part,
} from '../../analysis/provenance/given-parts.ts';
import { isChosenByHandle } from './given-handles.ts';
import { injectedSourceOf, injectedSourceOfModel } from '../../analysis/provenance/injections.ts';
import { type LiveScope, liveScopesOf } from './live-scopes.ts';
import { poolOf } from '../../analysis/effects/pool-origins.ts';
import { startsAt } from '../../analysis/syntax/places.ts';
import { type ReachedWait, reachedWaitsIn } from './reached-waits.ts';
import {
  alternativesOf,
  handlesOf,
  isOneSession,
  type LibraryValue,
  type Value,
} from '../../analysis/file/value.ts';

/** Second connections of a pool that are waited for while one of the same pool is held. */
export interface NestedCheckouts {
  readonly scope: LiveScope;
  readonly pool: LibraryValue;
  /** In source order. */
  readonly waits: readonly NestedWait[];
}

export interface NestedWait extends ReachedWait {
  readonly effect: Effect;
}

export interface NestedTerms {
  /** Names of functions that may acquire their own connection. */
  readonly helpers: readonly string[];
  /** Sequelize or TypeORM find the transaction by themselves in this project. */
  readonly isAmbient: boolean;
}

export function nestedCheckoutsOf(file: FileFacts, terms: NestedTerms): readonly NestedCheckouts[] {
  return liveScopesOf(file).flatMap((it) => found(it, terms) ?? []);
}

function found(scope: LiveScope, terms: NestedTerms): NestedCheckouts | undefined {
  const { pool, names, file, places, handle } = scope;
  // veto: the pool of the held connection is not resolved, or the code has no name for the connection
  if (!pool || names.length === 0) return undefined;
  // A session belongs to a pool of a hundred, and what is left out of its transaction is another matter.
  // veto: the code holds a session (MongoDB, Neo4j), whose pool has 100 connections by default
  if (handle.type.role === 'session') return undefined;
  // veto: the same function creates the pool for this run alone, so no other job waits for its connections
  if (isOwnPool(scope, pool)) return undefined;
  // veto: the query may find the transaction by itself (async local storage), or the pool may have replicas
  if (mayBeAmbient(scope, pool, terms) || mayBeReplicated(pool)) return undefined;
  const waits = places
    .flatMap((it) => reachedWaitsIn(file, it))
    .flatMap(({ effect, ...it }) => (effect ? [{ ...it, effect }] : []))
    .map((it) => ({ ...it, effect: onGivenPool(pool, it.effect) }))
    .filter(({ effect }) => isCheckout(effect))
    .filter((it) => isOfPool(pool, it) || isNamedAlike(scope, it.effect))
    .filter((it) => !isMeant(it, terms) && !isChosenByHandle(scope.names, it.chain));
  const [first] = waits;
  return first && { scope, pool, waits: waits.filter((it, i) => isFirstAt(waits, it, i)) };
}

/** `const pool = new Pool(); const client = await pool.connect();` in one function: made for this run, with room for both. */
function isOwnPool({ file, root }: LiveScope, pool: LibraryValue): boolean {
  const { origin } = pool;
  const isAsked = injectedSourceOf(pool) !== undefined;
  return !isAsked && origin?.file === file && functionAround(origin.node) === root;
}

function isFirstAt(waits: readonly NestedWait[], { chain }: NestedWait, index: number): boolean {
  return waits.findIndex((other) => other.chain[0]!.node === chain[0]!.node) === index;
}

/** A query that the pool runs on a free connection, or a connection, a transaction that is taken from it. */
function isCheckout(effect: Effect): boolean {
  // no veto: no pool of connections lends anything else
  if (effect.env !== 'db') return false;
  // veto: the query runs on one connection, or a parameter or option of the caller may name its connection
  if (!isOnPool(anyOf(effect))) return false;
  const { file, node } = effect.at;
  const signature = isCall(node) ? libraryCallOf(file, node)?.signature : undefined;
  // veto: the call manages the pool itself, such as connect or close, and checks out no connection
  return signature?.effect?.op !== 'sync' || signature.acquires !== undefined;
}

/** What took the connection is no transaction: `source.manager.save(…)` in a function that was given the data source. */
function onGivenPool(pool: LibraryValue, effect: Effect): Effect {
  const { handle } = effect;
  const given = wholeOf(pool)?.parameter;
  // no veto: known without.
  if (typeof handle === 'string' || !given) return effect;
  // veto: the parameter may hold a transaction or have a default, so it is not proved to be the pool
  if (wholeOf(pool)?.type.admitsTransaction || given.isOpen || handle.hasFallback) return effect;
  const isOne =
    handle.fn === given.fn && handle.index === given.index && handle.member === given.member;
  return isOne ? { ...effect, handle: 'pool' } : effect;
}

function isOfPool(pool: LibraryValue, { effect, chain }: NestedWait): boolean {
  const lender = heldPool(effect, chain) ?? givenPool(effect, chain) ?? poolOf(anyOf(effect));
  return isSamePool(pool, lender) || isOfInjectedModel(pool, effect);
}

/**
 * The pool of what an object on the way was given, by its makers: of `new Database(pool)` or of `prisma` in
 * `repositoriesOn(database)` and `new Unit(prisma)`.
 */
function heldPool({ at }: Effect, chain: readonly Place[]): LibraryValue | undefined {
  const last = chain.findLastIndex((it) => isCall(it.node) && isThroughInterface(it.file, it.node));
  const { file, node } = chain[last] ?? at;
  const handleOf = last === -1 ? builtAroundHandle : handleOfReceiver;
  const part = isCall(node) ? handleOf(file, node) : undefined;
  // no veto: it was given in no object.
  if (part === undefined || typeof part === 'string') return undefined;
  for (const maker of chain.slice(0, last === -1 ? undefined : last).reverse()) {
    const given = isCall(maker.node)
      ? givenToCallee(maker.file, maker.node, { member: undefined, ...part })
      : undefined;
    if (given?.kind === 'library') return given;
    if (given?.kind !== 'instance') continue;
    const [pool, ...others] = handlesHeldBy(given);
    return others.length === 0 ? pool : undefined;
  }
  return undefined;
}

function isThroughInterface(file: FileFacts, call: Call): boolean {
  return valueOf(file, calleeOf(call)).kind === 'declared';
}

/** What the object whose method is called was constructed with. */
function givenToCallee(file: FileFacts, call: Call, part: Part): Value | undefined {
  const callee = valueOf(file, calleeOf(call));
  const self = callee.kind === 'function' ? callee.self : undefined;
  return self?.kind === 'instance' && self.madeAt ? givenToInstance(self, part) : undefined;
}

/** `log(pool)`: the pool that a function on the way is given, as the calls that lead to it name it. */
function givenPool({ at }: Effect, chain: readonly Place[]): LibraryValue | undefined {
  const query = at.node.type === 'AwaitExpression' ? bare(at.node.argument) : at.node;
  let name = poolNodeBehind(at.file, query) ?? givenReceiver(at.file, query);
  let { file } = at;
  let given: Value | undefined;
  for (const caller of chain.slice(0, -1).reverse()) {
    const part = name && optionalPartAt(file, name);
    const { node } = caller;
    const isGiven = part && isCall(node) && isCallOf(caller.file, node, part.fn);
    const args = isGiven ? passedBy(node, part.fn) : [];
    const argument = isGiven ? givenFor(args, part) : undefined;
    // `findCustomer(id)` of `findCustomer(id, db = pool)`
    if (isGiven && part.fallback && isLeftOut(args, part)) given = valueOf(file, part.fallback);
    if (!argument) break;
    ({ file } = caller);
    name = bare(argument);
    given = valueOf(file, name);
  }
  return given?.kind === 'library' ? given : undefined;
}

/** `db` of `db.query(…)`, where the function is given it and its type does not say that it may be a pool. */
function givenReceiver(file: FileFacts, query: Node): Node | undefined {
  const receiver = isCall(query) ? receiverOf(query) : undefined;
  const name = receiver?.type === 'MemberExpression' ? receiverOf(receiver) : undefined;
  return name && optionalPartAt(file, name) ? name : undefined;
}

/** Also of a statement that was put together before: `const query = db('users').where(…); return query;`. */
function poolNodeBehind(file: FileFacts, query: Node): Node | undefined {
  const own = isCall(query) ? poolNodeIn(file, query) : undefined;
  if (own) return own;
  const builder = isCall(query)
    ? libraryCallOf(file, query)?.callee.receiver
    : valueOf(file, query);
  const made = builder?.kind === 'library' ? builder.origin : undefined;
  // A name may be its own maker, and what comes before it never is.
  return made?.file === file && startsAt(made.node) < startsAt(query)
    ? poolNodeBehind(file, made.node)
    : undefined;
}

function isCallOf(file: FileFacts, call: Call, fn: FunctionNode): boolean {
  const callees = alternativesOf(valueOf(file, calleeOf(call)));
  return callees.some((it) => it.kind === 'function' && it.node === fn);
}

/** `this.users.findAll()` of a model that a container gives together with the instance of the transaction. */
function isOfInjectedModel(pool: LibraryValue, { at }: Effect): boolean {
  const whole = wholeOf(pool);
  const source = whole && injectedSourceOf(whole);
  // no veto: not of a container
  if (source === undefined || !whole?.library.injection) return false;
  let it = receiverOf(at.node);
  // `this.users.scope('active').findAll()`
  while (it && !isField(it)) it = receiverOf(it);
  return it !== undefined && injectedSourceOfModel(it, whole.library.injection) === source;
}

function isField(node: Node): boolean {
  return node.type === 'MemberExpression' && node.object.type === 'ThisExpression';
}

/** A pool of one connection lends that one. */
function anyOf(effect: Effect): Effect {
  return effect.handle === 'single' ? { ...effect, handle: 'pool' } : effect;
}

/** Made at one place, given to one constructor or function by one parameter, or of one data source of a container. */
function isSamePool(a: LibraryValue, b: LibraryValue | undefined): boolean {
  const [one, other] = [wholeOf(a), b && wholeOf(b)];
  if (!one || !other) return false;
  const source = injectedSourceOf(one);
  if (source !== undefined && source === injectedSourceOf(other)) return true;
  if (one.parameter || other.parameter) {
    const [here, there] = [one.parameter, other.parameter];
    const isOne = here?.fn === there?.fn && here?.index === there?.index;
    return isOne && here?.member === there?.member && !here?.hasFallback;
  }
  // veto: the class extends a client of the driver, so each of its objects has a pool of its own
  if (one.origin && isMadeToOrder(one.origin.node)) return false;
  // veto: one file creates several objects of the class, and each object creates its own pool
  if (one.origin && isOneOfSeveral(one.origin)) return false;
  // veto: a function creates the pool, and different calls of it create different pools
  if (one.maker?.node !== other.maker?.node) return false;
  return one.origin !== undefined && one.origin.node === other.origin?.node;
}

/** `class Database { pool = new Pool() }`, of which one file makes two: one has the locks, say. */
function isOneOfSeveral({ file, node }: Place): boolean {
  const around = classAround(node)?.node;
  // no veto: no object of the project has it.
  if (!around) return false;
  const files = makingsOf(file, around).map((it) => it.file);
  return new Set(files).size < files.length;
}

/** `class Store extends PrismaClient {}`: each object of it has a pool, unless a container makes the only one. */
function isMadeToOrder(node: Node): boolean {
  return isClass(node) && !isDecorated(node);
}

/** One name of one file, also where nobody knows what has made it: `prisma.$transaction(…)` around `prisma.user.count()`. */
function isNamedAlike({ file, call }: LiveScope, { at }: Effect): boolean {
  const query = bare(at.node.type === 'AwaitExpression' ? at.node.argument : at.node);
  // no veto: the shape of a query
  if (at.file !== file || !isCall(query)) return false;
  const [one, other] = [poolNodeIn(file, call), poolNodeIn(file, query)];
  if (one?.type === 'Identifier' && other?.type === 'Identifier') {
    return file.variableOf(one) === file.variableOf(other);
  }
  // veto: the two fields have the same name but belong to different classes
  return (
    one !== undefined &&
    isField(one) &&
    other !== undefined &&
    file.textOf(one) === file.textOf(other) &&
    classAround(one)?.node === classAround(other)?.node
  );
}

/** `prisma` in `prisma.user.count()`, `db` in `db('users').where(…)`. */
export function poolNodeIn(file: FileFacts, call: Call): Node | undefined {
  let read: Value | undefined;
  for (let it = receiverOf(call); it; it = receiverOf(it)) {
    const value = valueOf(file, it);
    // `class Database extends PrismaClient {}`: what the library has is read off it.
    if (value.kind === 'instance' && /^(?:library|callable)$/.test(read?.kind ?? '')) return it;
    read = value;
    // `db: Pool | PoolClient = pool` may be one.
    if (alternativesOf(value).some(isPool)) return it;
  }
  return undefined;
}

function isPool(value: Value): boolean {
  return value.kind === 'library' && !value.via && /^(?:pool|orm)$/.test(value.type.role ?? '');
}

function receiverOf(node: Node): Node | undefined {
  if (isCall(node)) return bare(calleeOf(node));
  return node.type === 'MemberExpression' ? bare(node.object) : undefined;
}

/** The data source of a repository, the instance of a model. */
function wholeOf(value: LibraryValue): LibraryValue | undefined {
  const [handle, ...others] = handlesOf(value);
  // no veto: one of several, and nobody knows which
  if (others.length > 0) return undefined;
  return handle === value || !handle ? value : wholeOf(handle);
}

/** What finds the transaction that code runs in without being told: async local storage, and what is built on it. */
const AMBIENT =
  /\bAsyncLocalStorage\b|\bcls-hooked\b|\bnestjs-cls\b|\btypeorm-transactional|\buseCLS\(|\bgetStore\(/;

function mayBeAmbient(
  { file, handle }: LiveScope,
  pool: LibraryValue,
  terms: NestedTerms,
): boolean {
  if (terms.isAmbient && handle.library.ambience !== undefined) return true;
  return [file, pool.origin?.file].some((it) => it && it.says(AMBIENT));
}

const REPLICA = /replica|slaves?\b/i;
/** `pool.end()`, `prisma.$disconnect()`: all that there is ends together. */
const ENDING = /\b[\w$.]+\s*\.\s*(?:\$disconnect|close|destroy|end)\s*\(\s*\)/g;

/** Reads may go to another server than the transaction, as the statements say that make the pool or name it. */
function mayBeReplicated({ origin }: LibraryValue): boolean {
  if (!origin?.file.says(REPLICA)) return false;
  const { file, node } = origin;
  const names = namesOfPool(file, node);
  return bodyOf(file.ast).some((it) => {
    const text = file.textOf(it).replaceAll(ENDING, '');
    if (!REPLICA.test(text)) return false;
    const words = text.split(/[^\w$]+/);
    // veto: a statement about the pool mentions a replica, so reads may go to a different server
    return names.length === 0 || names.some((name) => words.includes(name));
  });
}

/** What the code that makes the pool calls it: by its own name, or by those that its maker and what that makes have. */
function namesOfPool(file: FileFacts, made: Node): readonly string[] {
  const own = declarationsOf(file, made).flatMap((it) => (it.type === 'Identifier' ? it.name : []));
  const fn = functionAround(made);
  const maker = fn && own.length === 0 ? nameOfFunction(fn) : '';
  if (maker === '') return own;
  const calls = file.nodes.all('CallExpression').filter((it) => isNamed(bare(it.callee), maker));
  const declared = calls.flatMap((it) => declarationsOf(file, it));
  return [maker, ...declared.flatMap((it) => (it.type === 'Identifier' ? it.name : []))];
}

/** What is written whether or not the transaction succeeds, as its name or a comment says. */
const SEPARATE = /autonomous|independent|outside|separate|standalone/i;

/** What is mostly written so. */
const LOG = /audit/i;

function isMeant({ chain, effect }: NestedWait, { helpers }: NestedTerms): boolean {
  if (effect.at.file.says(AMBIENT)) return true;
  const isLog = !chain.some(({ file, node }) => isCall(node) && leavesConnectionOut(file, node));
  return chain.some(({ file, node }) => {
    const name = isCall(node) ? (dottedName(calleeOf(node)) ?? '') : '';
    const last = name.slice(name.lastIndexOf('.') + 1);
    if (SEPARATE.test(name) || (isLog && LOG.test(name))) return true;
    return helpers.includes(last) || isSaidToBeSeparate(file, node);
  });
}

/** `recordEvent(event)` of `recordEvent(event, db = pool)`: it can run on the transaction, and others give it theirs. */
function leavesConnectionOut(file: FileFacts, call: Call): boolean {
  return alternativesOf(valueOf(file, calleeOf(call))).some(
    (it) =>
      it.kind === 'function' &&
      it.node.params.slice(argumentsOf(call).length).some((parameter) => {
        const value = valueOf(it.file, undefaulted(parameter));
        // veto: the parameter that the call omits is no connection, so the audit log is separate on purpose
        return alternativesOf(value).some((one) => isPool(one) || isOneSession(one));
      }),
  );
}
