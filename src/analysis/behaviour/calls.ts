import {
  bare,
  calledName,
  classAround,
  contains,
  type FunctionNode,
  isConstructor,
  isFunction,
  type Node,
} from '../syntax/ast.ts';
import { argumentsOf, type Call, calleeOf, passedBy, receiverOf } from '../syntax/calls.ts';
import { chosenByKey } from '../effects/chosen-calls.ts';
import { declaredOperation } from '../effects/declared-calls.ts';
import { declaredEffect, libraryEffect, substituted } from '../effects/effects.ts';
import { handleOfReceiver } from '../effects/handles.ts';
import { unbound } from '../effects/unbound.ts';
import { isSparedBy } from '../effects/given-values.ts';
import { isOpenedFirst } from '../effects/lazy-openings.ts';
import { flagsLeftOut } from '../effects/left-out-flags.ts';
import { builderLocation, callerLocation } from '../effects/memory.ts';
import { type Override, overridesCalledBy } from '../effects/overrides.ts';
import {
  calledIn,
  capturedCalled,
  constructedCalled,
  functionsAt,
  isFirst,
  note,
  optionalCalled,
  parameterCalled,
  type ParameterCall,
  type Passed,
  passedTo,
} from '../effects/parameter-calls.ts';
import { mayDoMore } from '../effects/pipes.ts';
import { presumedRead } from '../effects/presumed-reads.ts';
import { isStartedOnce } from '../effects/started-once.ts';
import { givesHandleAway, isOpaque, lendsHandle } from '../effects/unknown-calls.ts';
import type { Place } from '../file/place.ts';
import { alternativesOf, type FunctionValue, UNKNOWN, type Value } from '../file/value.ts';
import { givenOrOwn } from './given-or-own.ts';
import { isAwaited, waiterOf } from '../flow/awaited.ts';
import { isInlineIdiom, isThroughLimiter, namedCallbackOf } from '../flow/inline-callbacks.ts';
import { isBackOff, isPause, isSettling, isSleep, settles } from '../flow/promise-timers.ts';
import { givenFor, isLeftOut, parameterNamed } from '../provenance/given-parts.ts';
import { type LibraryCall, libraryCallAs } from '../provenance/library-calls.ts';
import { givesPlainValue } from '../provenance/plain-results.ts';
import { valueOf } from '../provenance/value-of.ts';
import { type FormsOfCall, formsOfCall, throughForms } from './forms-of-call.ts';
import { addEffect, addMemory, addUnknownAt, type Code } from './code.ts';
import { waitedFor } from './collected.ts';
import { givenByMaker, makerOf, NOTHING_GIVEN } from './makers.ts';
import type { View } from './views.ts';

/** Adds what a call does: that of a library, of the project, or one that could do anything. */
export function addCall(code: Code, call: Call): void {
  const { file, found } = code;
  const op = declaredOperation(call, code.view.declared);
  if (op !== undefined) {
    if (op === 'write' || isAwaited(file, call)) addEffect(code, declaredEffect(file, call, op));
    return;
  }
  const chosen = lendsHandle(file, call, code.scope) ? [UNKNOWN] : chosenByKey(file, call);
  const before = found.effects.length;
  for (const callee of chosen ?? calleesOf(code, call)) addCallOf(code, callee, call);
  // What one of them writes, another need not.
  if (chosen && found.effects.slice(before).some((it) => it.op !== 'read'))
    addUnknownAt(code, call);
}

/** Without what is one of the forms of another callee: `(executor: Queryable = this.db) => executor.execute(text)`. */
function calleesOf(code: Code, call: Call): readonly Value[] {
  const all = alternativesOf(valueOf(code.file, calleeOf(call)));
  if (all.length === 1) return all;
  const given = givenOrOwn(all);
  if (given) return [given];
  const forms = all.flatMap((it) => formsOfCall(code, it)?.of ?? []).map((it) => it.node);
  return all.filter((it) => it.kind !== 'function' || !forms.includes(it.node));
}

function addCallOf(code: Code, callee: Value, call: Call): void {
  const { file } = code;
  const library = libraryCallAs(file, call, callee);
  if (library) return addLibraryCall(code, library, call);
  addNamedCallback(code, call, undefined);
  // What a called function expression does is visited where it stands.
  if (isFunction(bare(calleeOf(call)))) return;
  // `work.apply(this, values)`: its arguments are not followed.
  const called = calledIn(call);
  // The one that all callers give is followed with what it is given here: `query(text, values)`.
  const isOpen =
    called.type === 'Identifier' &&
    (argumentsOf(call).length === 0 || alternativesOf(valueOf(file, called)).length > 1);
  // veto: the called function is a parameter, so each caller decides what it does
  if (
    code.isCallee &&
    isOpen &&
    callee.kind === 'function' &&
    addGiven(code, call, { file, node: call })
  )
    return;
  const indirect = called === bare(calleeOf(call)) ? undefined : valueOf(file, called);
  const forms = callee.kind === 'function' ? oneForm(callee) : formsOfCall(code, callee);
  if (forms) for (const form of forms.of) addProjectCall(code, form, call, forms);
  else if (indirect?.kind === 'function') addFunction(code, indirect, isAwaited(file, call));
  else if (callee.kind === 'global') addGlobalCall(code, callee.name, call);
  else if (
    callee.kind !== 'class' &&
    // `lock.release.bind(lock)` runs nothing yet.
    calledName(calleeOf(call)) !== 'bind' &&
    !isPlainCall(callee) &&
    !isInlineIdiom(file, call) &&
    !isSettling(file, call)
  )
    addUnresolvedCall(code, call);
}

function addLibraryCall(code: Code, library: LibraryCall, call: Call): void {
  const { file, found } = code;
  // veto: the library call is a pause that only follows a failure
  if (isPause(library) && isBackOff(call, code.root)) return;
  found.sleeps ||= isPause(library) || isThroughLimiter(library);
  const effect = libraryEffect(file, call, library);
  if (effect && !isOpenedFirst(file, call, library)) addEffect(code, effect, call);
  const builder = builderLocation(file, call, library.callee.receiver);
  if (builder) {
    found.memoryWrites.add(builder);
    found.memoryChanges.add(builder);
  }
  if (library.signature.observables === 'pipes' && mayDoMore(file, call)) addUnknownAt(code, call);
  addNamedCallback(code, call, library);
}

function addGlobalCall(code: Code, name: string, call: Call): void {
  // Nothing after it runs, here or anywhere.
  if (name === 'process.exit') addUnknownAt(code, call);
  if (name === 'setTimeout' && isSleep(code.file, call))
    code.found.sleeps ||= !isBackOff(call, code.root);
}

function addUnresolvedCall(code: Code, call: Call): void {
  const { file, scope, found } = code;
  const presumed = code.view.declared.presumesReads && presumedRead(file, call);
  if (presumed) return addEffect(code, presumed);
  addUnknown(code, call, { file, node: call });
  // Last, because what it is given may come from other files.
  if (!found.unknown && givesHandleAway(file, call, scope)) addUnknownAt(code, call);
}

/** A call that could do anything, if somebody waits for it: what nobody waits for only computes. */
function addUnknown(code: Code, call: Call, place: Place): void {
  const { found } = code;
  if (place.node === call && addGiven(code, call, place)) return;
  const waiter = waiterOfCall(code, call);
  if (waiter === 'code') found.unknown ??= place;
  else if (waiter === 'caller') found.unknownResult ??= place;
}

function waiterOfCall({ file }: Code, call: Call) {
  return waiterOf(file, call) ?? (settles(file, call) ? 'code' : undefined);
}

/** Notes a call of something that a caller gives, if somebody waits for it. */
function addGiven(code: Code, call: Call, place: Place): boolean {
  const { file, scope, found, isAnsweredOnce } = code;
  const waiter = waiterOfCall(code, call);
  // no veto: spares the look.
  if (!waiter) return false;
  const otherwise = functionsAt(file, calledIn(call));
  const noted = { place, isHandedOn: waiter === 'caller', isAnsweredOnce, otherwise };
  const parameter = parameterCalled(file, call, scope) ?? optionalCalled(file, call, scope);
  const captured = parameter
    ? undefined
    : (capturedCalled(file, call, scope) ?? constructedCalled(file, call));
  if (parameter) note(found.parameterCalls, { ...parameter, ...noted });
  else if (captured) note(found.parameterCalls, { ...captured, ...noted, isCaptured: true });
  return parameter !== undefined || captured !== undefined;
}

function isPlainCall(callee: Value): boolean {
  return callee.kind === 'declared' && givesPlainValue(callee);
}

function oneForm(callee: FunctionValue): FormsOfCall {
  return { of: [callee], isForConnections: false, areAlike: true };
}

function addProjectCall(code: Code, callee: FunctionValue, call: Call, forms: FormsOfCall): void {
  const { file, root, scope, view, found } = code;
  for (const it of overridesCalledBy(callee)) addOverride(code, it, call);
  const inner = code.behaviourOf(callee, { ...view, flags: flagsLeftOut(call, callee) });
  // A call that nobody waits for does its work beside this code; what it writes still counts.
  const isBeside = !isAwaited(file, call) && callee.node.async;
  const handle = forms.isForConnections ? handleOfReceiver(file, call) : 'unknown';
  const isLed = forms.leading !== undefined && forms.leading !== callee;
  for (const effect of isLed ? [] : inner.effects) {
    // veto: the caller passes the list that the called function loads only where it is missing
    if (isSparedBy(call, callee.node, effect)) continue;
    // veto: the called function contains a pause, and the call only follows a failure
    if (effect.env === 'timer' && isBackOff(call, root)) continue;
    const known = substituted(effect, file, call, callee);
    const seen = known && throughForms(known, forms, callee, handle);
    if (seen && (!isBeside || seen.op !== 'read')) addEffect(code, seen, call);
  }
  if (inner.unknownResult) addUnknown(code, call, inner.unknownResult);
  for (const called of inner.parameterCalls) {
    const isNew = isFirst(inner.parameterCalls, called);
    if (called.isCaptured)
      addCaptured(code, called, { call, callee, keeps: inner.memoryWrites.size > 0 });
    else addPassed(code, called, { call, callee, isNew });
  }
  if (!isBeside) {
    found.unknown ??= inner.unknown;
    // veto: the call only follows a failure, so its pauses and its rejections do not count
    const isOrdinary = !isBackOff(call, root);
    found.mayVeto ||= inner.mayVeto && isOrdinary;
    found.sleeps ||= inner.sleeps && isOrdinary;
  }
  addMemory(code, inner, (it) => callerLocation(file, it, { call, fn: callee.node, scope }));
}

/** A method that a subclass has in place of one that does nothing outside, as hooks do: it is called somewhere in the code. */
function addOverride(code: Code, { own, inherited }: Override, call: Call): void {
  // no veto: the call in the inherited method has the one that stands for all.
  if (formsOfCall(code, inherited)?.leading) return;
  const known: View = { extent: 'known', declared: code.view.declared };
  const before =
    inherited.kind === 'function' ? waitedFor(code.behaviourOf(inherited, known)) : undefined;
  // veto: the method that the subclass replaces has effects of its own, or unresolved ones
  const isHook = before?.unknown === undefined && (before?.effects ?? []).length === 0;
  if (own && isHook) addFunction(code, own, true);
  else addUnknown(code, call, { file: code.file, node: call });
}

/** A promise that is waited for at `place`, and was started elsewhere: that of a parameter by the caller. */
export function addOpaque(code: Code, promise: Node, place: Node): void {
  const { file, scope, found } = code;
  const given = parameterNamed(file, bare(promise), scope);
  if (!given) return addUnknownAt(code, place);
  const noted = { place: { file, node: place }, isHandedOn: false, isPromise: true } as const;
  note(found.parameterCalls, { ...given, ...noted });
}

/** What the callee waits for was started by the argument, and counts where that stands. */
function addAwaitedArgument(code: Code, called: ParameterCall, call: Call, fn: FunctionNode): void {
  const { file } = code;
  // no veto: what is not waited for only computes.
  if (!isAwaited(file, call)) return;
  const args = passedBy(call, fn);
  // no veto: nothing is waited for.
  if (isLeftOut(args, called)) return;
  const argument = givenFor(args, called);
  if (!argument) return addUnknownAt(code, call);
  if (isOpaque(file, argument) && !isStartedOnce(file, argument)) addOpaque(code, argument, call);
}

interface Passing {
  readonly call: Call;
  readonly callee: FunctionValue;
  /** No other part of the callee has called it. */
  readonly isNew: boolean;
}

/** What the callee was given to call is called here; a function that it calls at several places is looked at for the first. */
function addPassed(code: Code, called: ParameterCall, { call, callee, isNew }: Passing): void {
  const { file, found } = code;
  if (called.isPromise) return addAwaitedArgument(code, called, call, callee.node);
  const waiter = called.isHandedOn ? waiterOf(file, call) : isAwaited(file, call) && 'code';
  const passed = passedInCall(code, passedBy(call, callee.node), called);
  if (passed?.kind === 'method') {
    const seen = substituted(passed.does, file, call, callee);
    if (seen && (waiter || seen.op !== 'read')) addEffect(code, seen, call);
    return;
  }
  if (!passed) {
    if (waiter) addOtherwise(code, called, waiter === 'caller');
  } else if (passed.kind === 'functions') {
    for (const fn of isNew ? passed.of : []) addFunction(code, fn, waiter === 'code');
  } else if (waiter) {
    const place = called.member === undefined ? { file, node: call } : called.place;
    const { otherwise } = called;
    note(found.parameterCalls, { ...passed.of, place, isHandedOn: waiter === 'caller', otherwise });
  }
}

/** What a call gives to be called; a parameter of the code that nobody calls here is what all of its callers give. */
function passedInCall(
  { file, scope, isCallee }: Code,
  args: ReturnType<typeof passedBy>,
  called: ParameterCall,
): Passed | undefined {
  const passed = passedTo(file, args, called, scope);
  const whole = called.member === undefined ? args[called.index] : undefined;
  if (isCallee || passed?.kind !== 'parameter' || !whole) return passed;
  const of = functionsAt(file, whole);
  return of ? { kind: 'functions', of } : passed;
}

/** What the caller at hand has passed is not understood: it is what all callers pass, or it could do anything. */
function addOtherwise(code: Code, { otherwise, place }: ParameterCall, isHandedOn: boolean): void {
  const { found } = code;
  if (otherwise) for (const fn of otherwise) addFunction(code, fn, !isHandedOn);
  else if (isHandedOn) found.unknownResult ??= place;
  else found.unknown ??= place;
}

/**
 * What a function that was returned to the caller calls is what the call that made it was given; what a method calls, what its
 * object was made with. Where it changes what is around it (`keeps`), later calls may be answered by that.
 */
function addCaptured(
  code: Code,
  called: ParameterCall,
  {
    call,
    callee,
    keeps,
  }: { readonly call: Call; readonly callee: FunctionValue; readonly keeps: boolean },
): void {
  const { file, scope, found } = code;
  const waiter = called.isHandedOn ? waiterOf(file, call) : isAwaited(file, call) && 'code';
  // no veto: what is not waited for only computes.
  if (!waiter) return;
  const isHandedOn = waiter === 'caller';
  const maker = makerOf(callee, called.fn);
  if (!maker && isOfSameMaker(code, called.fn, call)) {
    const isCaptured = called.fn === scope ? undefined : true;
    return note(found.parameterCalls, { ...called, isHandedOn, isCaptured });
  }
  const { passed, scope: givenIn } = maker ? givenByMaker(maker, called) : NOTHING_GIVEN;
  const isAnsweredOnce = code.isAnsweredOnce || called.isAnsweredOnce === true;
  if (passed?.kind === 'functions') {
    const kept = { ...code, isAnsweredOnce: isAnsweredOnce || keeps };
    for (const fn of passed.of) addFunction(kept, fn, !isHandedOn);
  } else if (passed?.kind === 'method') {
    const seen = substituted(passed.does, file, call, callee);
    if (seen) addEffect({ ...code, isAnsweredOnce }, seen, call);
  } else if (passed && givenIn === scope) {
    const { place, otherwise } = called;
    note(found.parameterCalls, { ...passed.of, place, isHandedOn, otherwise });
  } else addOtherwise(code, called, isHandedOn);
}

/** Code within `fn`, or a method that calls another one of its own object: what made the one has made the other. */
function isOfSameMaker({ scope }: Code, fn: FunctionNode, call: Call): boolean {
  if (contains(fn, scope)) return true;
  const owner = isConstructor(fn) ? classAround(fn)?.node : undefined;
  const isOwn = receiverOf(call)?.type === 'ThisExpression';
  return owner !== undefined && isOwn && classAround(scope)?.node === owner;
}

/** Which elements it is given is not known, and which connection. */
function addNamedCallback(code: Code, call: Call, library: LibraryCall | undefined): void {
  const named = namedCallbackOf(code.file, call, library);
  if (named?.fn) addFunction(code, named.fn, named.isWaitedFor);
  else if (named?.isWaitedFor) addUnknownAt(code, call);
}

/** Functions that make each other are followed this far. */
const FARTHEST_MAKER = 4;

/** A function that something else calls, with arguments that are not known. */
function addFunction(code: Code, fn: FunctionValue, isWaitedFor: boolean, distance = 0): void {
  const { found, view } = code;
  const inner = code.behaviourOf(fn, { extent: view.extent, declared: view.declared });
  addMemory(code, inner, (it) => (it.startsWith('parameter ') ? undefined : it));
  const isBeside = !isWaitedFor && fn.node.async;
  for (const effect of inner.effects) {
    if (!isBeside || effect.op !== 'read') addEffect(code, unbound(effect, fn.node));
  }
  if (isBeside) return;
  const open = inner.parameterCalls.filter((it) => !addMade(code, it, fn, distance));
  found.unknown ??= waitedFor({ ...inner, parameterCalls: open }).unknown;
  found.mayVeto ||= inner.mayVeto;
  found.sleeps ||= inner.sleeps;
}

/** What a function that something else calls was made to call: `retry(checked(load))`. */
function addMade(code: Code, called: ParameterCall, fn: FunctionValue, distance: number): boolean {
  const maker = called.isCaptured && distance < FARTHEST_MAKER ? makerOf(fn, called.fn) : undefined;
  const { passed, scope } = maker ? givenByMaker(maker, called) : NOTHING_GIVEN;
  if (passed?.kind === 'functions') {
    for (const it of passed.of) addFunction(code, it, true, distance + 1);
    return true;
  }
  // no veto: what is given by nobody, or on a connection, is resolved where it is called.
  if (passed?.kind !== 'parameter' || scope !== code.scope) return false;
  const { place, isHandedOn, otherwise } = called;
  note(code.found.parameterCalls, { ...passed.of, place, isHandedOn, otherwise });
  return true;
}
