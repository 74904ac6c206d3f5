import { valueOf } from '../provenance/value-of.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { isAwaited } from '../flow/awaited.ts';
import { bare, contains, isFunction, isNamed, type Node, propertyName } from '../syntax/ast.ts';
import { variableKey } from '../syntax/bindings.ts';
import { type LibraryCall, libraryCallOf } from '../provenance/library-calls.ts';
import { argumentsOf, type Call, calleeOf } from '../syntax/calls.ts';
import { isEach } from '../flow/callbacks.ts';
import { isLogging } from '../flow/failures.ts';
import { isThrownOn } from './rejections.ts';
import { mayHideFailure } from './hidden-failures.ts';
import { implementationsOf } from '../provenance/implementations.ts';
import { handedBack } from '../provenance/handed-back.ts';
import { mentions } from '../syntax/mentions.ts';
import { isOneOf } from '../provenance/named-calls.ts';
import { aliasOf, isHandle, isResponse, memberOnHandle, carries, releases } from './handle.ts';
import {
  CLOSED,
  type Effect,
  given,
  isTaken,
  type State,
  type Tour,
  type Transfer,
  withFact,
} from './state.ts';
import { isGivenAsRelease, isMethodOfHandle, outcomesWhenCalled } from './methods.ts';
import { belongsTo, isWorkOfPart } from './parts.ts';
import { isKeptBy } from './keepers.ts';
import { onlyStreamEndedBy } from './streams.ts';
import { constructedEffect, type Outcome, outcomesOf } from './summaries.ts';
import { isLentToCallback } from './lending.ts';
import { isAnnotatedReleaser, mayRelease } from './terms.ts';
import type { FunctionValue } from '../file/value.ts';

export function afterCall(tour: Tour, node: Call, state: State, thrown: readonly State[]): Effect {
  if (state.phase === 'none' || state.phase === 'gone') return { next: [state], thrown };
  const callee = bare(calleeOf(node));
  if (callee.type === 'MemberExpression') {
    const name = propertyName(callee);
    const object = aliasOf(tour, state, callee.object);
    if (object === 'handle') return onHandle(tour, node, name, state, thrown);
    if (state.phase === 'failed') {
      ungated(tour, callee, name, state);
      return { next: [state], thrown };
    }
    const isUse = object === 'wrapper' && state.phase === 'lazy' && isAwaited(tour.file, node);
    if (isUse && valueOf(tour.file, callee.object).kind === 'instance') {
      tour.notes.firstUse ??= node;
      return { next: [{ ...state, phase: 'held' }], thrown };
    }
    if (state.phase === 'lazy' && isWorkOfPart(tour, node, callee.object, state)) {
      return begun(tour, node, state, thrown);
    }
    if (isTaken(state) && name && mayRelease(name) && belongsTo(tour, state, callee.object)) {
      return { next: [given(tour, state, 'passed')], thrown };
    }
    if (object === 'releaser' && /^(?:call|apply)$/.test(name ?? ''))
      return released(tour, node, state);
    if (name === 'bind' && isMemberOfHandle(tour, callee.object, state))
      return { next: [state], thrown };
  }
  if (state.phase === 'failed') return { next: [state], thrown };
  if (aliasOf(tour, state, callee) === 'releaser') return released(tour, node, state);
  return withArguments(tour, node, state, thrown);
}

/** `client.query` in `client.query.bind(client)`: what that makes has the handle, and goes where its name goes. */
function isMemberOfHandle(tour: Tour, node: Node, state: State): boolean {
  const it = bare(node);
  return it.type === 'MemberExpression' && isHandle(tour, state, it.object);
}

/** `client.release()` where connecting has failed and `client` is still unset. */
function ungated(
  tour: Tour,
  callee: TSESTree.MemberExpression,
  name: string | undefined,
  state: State,
): void {
  const it = bare(callee.object);
  if (it.type !== 'Identifier' || !releases(tour, name)) return;
  const variable = tour.file.variableOf(it);
  if (!variable || !tour.notes.names.has(variable)) return;
  if (state.facts.get(`v${variableKey(variable)}`) === 'nullish')
    tour.notes.again.set('ungated', callee);
}

function onHandle(
  tour: Tour,
  node: Call,
  name: string | undefined,
  state: State,
  thrown: readonly State[],
): Effect {
  const member = memberOnHandle(tour, name);
  if (member?.keepsPlace) {
    tour.notes.closed ??= node;
    return { next: [withFact(tour, state, CLOSED, 'true')], thrown };
  }
  if (releases(tour, name)) return released(tour, node, state);
  if (state.phase === 'released') {
    const isUse = member?.effect !== undefined && state.failure === 'none';
    if (isUse && !tour.notes.again.has('use')) tour.notes.again.set('use', node);
    return { next: [state], thrown };
  }
  if (!isTaken(state)) return { next: [state], thrown };
  if (member?.begins) return begun(tour, node, state, thrown);
  if (/^(?:on|once)$/.test(name ?? '') && isRenewing(tour, node)) tour.notes.isUsedLater = true;
  // `pool.connect().then(work)`: work is given it.
  const isHandedOn = name === 'then' && !member;
  if (name === undefined || isHandedOn || (!member && mayRelease(name))) {
    return { next: [given(tour, state, 'passed')], thrown };
  }
  return { next: [state], thrown };
}

/** The first use of something lazy takes its connection, and where that fails there is none. */
function begun(tour: Tour, node: Call, state: State, thrown: readonly State[]): Effect {
  tour.notes.firstUse ??= node;
  const held: State = { ...state, phase: 'held' };
  return {
    next: [held],
    thrown: state.phase === 'lazy' ? [{ ...state, phase: 'gone' }] : thrown,
  };
}

/** `connection.on('close', () => connectAgain())` in the function that has connected: there is one as long as the program runs. */
function isRenewing({ file, root }: Tour, node: Call): boolean {
  const [, listener] = argumentsOf(node);
  // no veto: spares what is no function the search.
  if (!isFunction(listener)) return false;
  return file.nodes.all('CallExpression').some((it) => {
    const callee = contains(listener, it) ? valueOf(file, it.callee) : undefined;
    return callee?.kind === 'function' && callee.node === root;
  });
}

function released(tour: Tour, node: Node, state: State): Effect {
  // The method of an object may find that it has ended already.
  const isAgain = state.phase === 'released' && state.failure === 'none' && !tour.subject.keeper;
  if (isAgain && !tour.notes.again.has('double')) tour.notes.again.set('double', node);
  if (!isTaken(state)) return { next: [state], thrown: [state] };
  tour.notes.discharged = true;
  const after: State = { ...state, phase: 'released', failure: 'none' };
  return { next: [after], thrown: [{ ...after, failure: 'rejection' }] };
}

function withArguments(tour: Tour, node: Call, state: State, thrown: readonly State[]): Effect {
  const args = argumentsOf(node);
  const library = libraryCallOf(tour.file, node);
  const given_ = library?.signature.releases;
  if (typeof given_ === 'number') {
    const argument = args[given_];
    if (argument && isHandle(tour, state, argument)) return released(tour, node, state);
  }
  if (isGivenBack(tour, node, state)) return released(tour, node, state);
  if (!isTaken(state)) return { next: [state], thrown };
  const passed = args.filter((it) => carries(tour, state, it));
  if (library) {
    // `pipeline(response.body, file)`: a connection is only lent to a library, a stream is read by it.
    const isKept = isResponse(tour) || isPlugin(library) || isKeptByLibrary(tour, node);
    return { next: [passed.length > 0 && isKept ? given(tour, state, 'passed') : state], thrown };
  }
  if (mayHideFailure(tour, node, state)) {
    return { next: [given(tour, state, 'passed')], thrown: [] };
  }
  if (passed.length > 0 && isOneOf(node, tour.terms.owners)) {
    return { next: [given(tour, state, 'passed')], thrown };
  }
  const back = handedBack(tour.file, node);
  if (back && isHandle(tour, state, back)) return { next: [state], thrown };
  if (node.type === 'CallExpression') {
    const callees = implementationsOf(tour.file, node);
    const captures = callees?.some(
      (it) => it.file === tour.file && mentions(tour.file, it.node, state.aliases),
    );
    if (callees && (passed.length > 0 || captures)) {
      tour.followed.add(node);
      return applied(tour, node, state, outcomesOf(tour, { node, callees }, state));
    }
  }
  if (passed.length === 0 || isLentToCallback(tour, node, state)) return { next: [state], thrown };
  if (node.type === 'NewExpression') {
    if (isKeptBy(tour, node, state)) return { next: [given(tour, state, 'kept')], thrown };
    const effect = constructedEffect(tour, node, state);
    return { next: [effect === 'kept' ? state : given(tour, state, 'passed')], thrown };
  }
  if (isBorrowing(tour, node, passed)) return { next: [state], thrown };
  return { next: [given(tour, state, transferOf(tour, node))], thrown };
}

/** `app.register(limits, { redis: client })`: what a framework calls later works with what it is given; a limiter's task ends with its call. */
function isPlugin({ signature: { callback, returns } }: LibraryCall): boolean {
  return callback?.runs ? callback.runs !== 'per-item' : !!callback && returns === 'this';
}

/** `new Worker('mails', send, { connection: redis.duplicate() })`: what works with a client for good has it for good. */
function isKeptByLibrary({ subject }: Tour, node: Call): boolean {
  return node.type === 'NewExpression' && subject.handle.type.role === 'client';
}

/** The project says that the callee gives back what it is given. */
function isGivenBack(tour: Tour, node: Call, state: State): boolean {
  if (!argumentsOf(node).some((it) => isHandle(tour, state, it))) return false;
  if (isOneOf(node, tour.terms.releases)) return true;
  const callees = node.type === 'CallExpression' && implementationsOf(tour.file, node);
  return callees ? callees.some(isAnnotatedReleaser) : false;
}

/** Callees that are known to look only: loggers, Promise combinators, the options of the handle's own library. */
function isBorrowing(tour: Tour, node: Call, passed: readonly Node[]): boolean {
  if (node.type !== 'CallExpression') return false;
  if (isLogging(node)) return true;
  const option = tour.subject.handle.library.borrowedBy;
  return (
    option !== undefined &&
    passed.every((it) => {
      const object = bare(it);
      return (
        object.type === 'ObjectExpression' &&
        object.properties.some(
          (property) => property.type === 'Property' && propertyName(property) === option,
        )
      );
    })
  );
}

function transferOf(tour: Tour, node: Call): Transfer {
  const callee = bare(calleeOf(node));
  if (callee.type !== 'Identifier') return 'passed';
  const definition = tour.file.variableOf(callee)?.defs[0];
  const executor = definition?.type === 'Parameter' ? definition.node : undefined;
  const isPromise =
    executor?.parent?.type === 'NewExpression' && isNamed(executor.parent.callee, 'Promise');
  return isPromise ? 'resolved' : 'passed';
}

function applied(tour: Tour, node: Call, state: State, outcomes: readonly Outcome[]): Effect {
  const waits = isAwaited(tour.file, node) && isThrownOn(node);
  const next: State[] = [];
  const thrown: State[] = [];
  const isSafe = isOneOf(node, tour.terms.safe);
  for (const outcome of outcomes) {
    if (isSafe && outcome.exit === 'thrown') continue;
    const after: State = {
      ...state,
      phase: outcome.phase,
      facts: merged(state, outcome),
      failure: worse(state, outcome),
    };
    if (outcome.phase === 'gone') tour.notes.transfers.add('passed');
    if (outcome.phase === 'released') tour.notes.discharged = true;
    if (outcome.exit === 'exit') next.push(after);
    else if (waits || !outcome.isAsync) thrown.push(after);
    else next.push({ ...after, failure: state.failure });
  }
  return { next, thrown };
}

/** The handle's properties as the callee left them; the caller's own names are the caller's. */
function merged(state: State, outcome: Outcome): State['facts'] {
  const facts = new Map([...state.facts].filter(([key]) => !key.startsWith('.')));
  for (const [key, truth] of outcome.facts) facts.set(key, truth);
  return facts;
}

function worse(state: State, outcome: Outcome): State['failure'] {
  if (outcome.phase === 'released') return outcome.exit === 'exit' ? 'none' : 'rejection';
  if (state.failure === 'control' || outcome.failure === 'control') return 'control';
  return outcome.failure === 'none' ? state.failure : outcome.failure;
}

/** `.then(release)`, `.finally(client.release)`: a function that is only named is called. */
export function invoked(tour: Tour, fn: Node, state: State): Effect {
  if (aliasOf(tour, state, fn) === 'releaser') return released(tour, fn, state);
  if (isTaken(state) && isGivenTo(tour, fn, state)) {
    return { next: [given(tour, state, 'passed')], thrown: [] };
  }
  const callee = valueOf(tour.file, fn);
  if (callee.kind === 'function' && callee.file === tour.file && isTaken(state)) {
    if (mentions(tour.file, callee.node, state.aliases)) return called(tour, fn, callee, state);
  }
  return { next: [state], thrown: [] };
}

/** `pool.connect().then(work).catch(report)`: what is named in the first `then` is given the connection. */
function isGivenTo(tour: Tour, fn: Node, state: State): boolean {
  const { parent } = fn;
  if (parent?.type !== 'CallExpression') return false;
  const callee = bare(parent.callee);
  return (
    callee.type === 'MemberExpression' &&
    propertyName(callee) === 'then' &&
    isHandle(tour, state, callee.object)
  );
}

function called(tour: Tour, at: Node, callee: FunctionValue, state: State): Effect {
  const outcomes = outcomesOf(tour, { node: at, callees: [callee] }, state);
  return applied(tour, at as Call, state, outcomes);
}

/** A function or class is made that names the handle: what it would do with it decides whose the handle is. */
export function afterCreation(tour: Tour, node: Node, state: State): State {
  if (!isTaken(state) || !mentions(tour.file, node, state.aliases)) return state;
  if (!isFunction(node)) return given(tour, state, 'captured');
  const outcomes = outcomesWhenCalled(tour, node, state);
  if (isMethodOfHandle(tour, node, state)) {
    return outcomes.some((it) => it.phase === 'released') && !isGivenAsRelease(tour, node)
      ? given(tour, state, 'captured')
      : state;
  }
  if (outcomes.every((it) => it.phase === state.phase)) {
    if (isForLater(tour, state, node)) tour.notes.isUsedLater = true;
    return isReturned(tour, node) ? given(tour, state, 'returned') : state;
  }
  if (isCalledByNameOnly(tour, node)) return state;
  const isReleasing = outcomes.every((it) => it.phase === 'released');
  const stream = isReleasing ? onlyStreamEndedBy(tour, state, node) : undefined;
  if (!stream) return given(tour, state, 'captured');
  tour.notes.stream ??= stream;
  return given(tour, state, 'ending');
}

/** The name of a function declared elsewhere in the function, and not called here: `stream.on('end', giveBack)`. */
export function afterMention(tour: Tour, node: TSESTree.Identifier, state: State): State {
  const { parent } = node;
  if (parent?.type === 'CallExpression' && parent.callee === node) return state;
  const callee = valueOf(tour.file, node);
  if (callee.kind !== 'function' || callee.file !== tour.file) return state;
  if (callee.node.type !== 'FunctionDeclaration') return state;
  return mentions(tour.file, callee.node, state.aliases) ? given(tour, state, 'captured') : state;
}

/** `app.get('/jobs', () => client.query(…))`: registered with somebody who calls it after this function has ended. */
function isForLater(tour: Tour, state: State, node: Node): boolean {
  const { parent } = node;
  if (parent?.type !== 'CallExpression') return false;
  if (parent.parent.type !== 'ExpressionStatement') return false;
  const callee = bare(parent.callee);
  if (callee.type !== 'MemberExpression') return callee.type === 'Identifier';
  return !isHandle(tour, state, callee.object) && !isEach(propertyName(callee) ?? '');
}

/**
 * A closure over the handle that leaves the function takes the handle along, and so does an object that it is part of:
 * `const store = { get: (key) => client.get(key) }; return new Limiter({ store });`.
 */
function isReturned({ file }: Pick<Tour, 'file'>, node: Node, seen = new Set<Node>()): boolean {
  for (let it = node; it.parent; it = it.parent) {
    const { parent } = it;
    switch (parent.type) {
      case 'ReturnStatement':
        return true;
      case 'Property':
      case 'ObjectExpression':
      case 'ArrayExpression':
      case 'NewExpression':
        continue;
      case 'AssignmentExpression':
        return parent.left.type === 'MemberExpression';
      case 'ArrowFunctionExpression':
        return bodyOf(parent) === it;
      case 'VariableDeclarator': {
        // no veto: names that are made of each other lead nowhere.
        if (parent.id.type !== 'Identifier' || seen.has(parent)) return false;
        seen.add(parent);
        const uses = file.variableOf(parent.id)?.references ?? [];
        return uses.some((use) => !use.init && isReturned({ file }, use.identifier as Node, seen));
      }
      default:
        if (bare(parent) === parent) return false;
    }
  }
  return false;
}

/** `const giveBack = () => client.release()`: what it does happens where it is called. */
function isCalledByNameOnly(tour: Tour, node: Node): boolean {
  const { parent } = node;
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return false;
  const variable = tour.file.variableOf(parent.id);
  return (
    variable !== undefined &&
    variable.references.every((it) => {
      if (it.init) return true;
      const around = it.identifier.parent;
      return around?.type === 'CallExpression' && around.callee === it.identifier;
    })
  );
}
