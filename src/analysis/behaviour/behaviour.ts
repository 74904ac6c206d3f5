import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import {
  bare,
  functionAround,
  type FunctionNode,
  getterOf,
  isClass,
  isFunction,
  type Node,
} from '../syntax/ast.ts';
import type { Place } from '../file/place.ts';
import { isAwaited, isLeftRunning, waiterOf } from '../flow/awaited.ts';
import { type Collected, nothingYet } from './blank.ts';
import { keyOfView, type View, WHOLE } from './views.ts';
import { type LibraryCall, libraryCallAs } from '../provenance/library-calls.ts';
import { type Call, calleeOf, passedBy } from '../syntax/calls.ts';
import { chosenByKey } from '../effects/chosen-calls.ts';
import { declaredOperation, NOTHING_DECLARED } from '../effects/declared-calls.ts';
import {
  awaitedEffect,
  declaredEffect,
  type Effect,
  libraryEffect,
  substituted,
  unbound,
} from '../effects/effects.ts';
import { isSparedBy } from '../effects/given-values.ts';
import { childrenThatRun, flagsLeftOut } from '../effects/left-out-flags.ts';
import { isOpenedFirst } from '../effects/lazy-openings.ts';
import { isCacheFill, isKept } from '../effects/cache-fills.ts';
import { onLoan, seenFromOutside } from '../connections/loans.ts';
import { asReads } from '../connections/read-transactions.ts';
import type { FileFacts } from '../file/file.ts';
import { isCopied } from '../effects/held-builders.ts';
import {
  isInlineIdiom,
  isThroughLimiter,
  namedCallbackOf,
  runsInline,
} from '../flow/inline-callbacks.ts';
import {
  builderLocation,
  callerLocation,
  type Location,
  locationOf,
  writtenLocation,
} from '../effects/memory.ts';
import { settledEffects } from '../effects/settled-builders.ts';
import { callsOverridden } from '../effects/overrides.ts';
import { mayDoMore } from '../effects/pipes.ts';
import {
  isFirst,
  note,
  parameterCalled,
  type ParameterCall,
  passedTo,
} from '../effects/parameter-calls.ts';
import { withFills } from './read-through.ts';
import { agreedForms } from './agreed-forms.ts';
import { isBackOff, isPause, isSettling, isSleep, settles } from '../flow/promise-timers.ts';
import { givesHandleAway, isOpaque, lendsHandle } from '../effects/unknown-calls.ts';
import { alternativesOf, type FunctionValue, UNKNOWN, type Value } from '../file/value.ts';

/** The effects of a piece of code, callees included. */
export interface Behaviour {
  /** Waiting calls to the outside, in source order. */
  readonly effects: readonly Effect[];
  /** The first call that could have any effect: an awaited call that is unresolved. */
  readonly unknown: Place | undefined;
  /** The same of what a function that is not async returns: that is waited for only by a caller who waits for the function. */
  readonly unknownResult: Place | undefined;
  /** Functions among its arguments that it calls, and awaits or passes on. */
  readonly parameterCalls: readonly ParameterCall[];
  readonly memoryWrites: ReadonlySet<Location>;
  /** Those of the locations with more changes than a filled cache (cache-fills.ts). */
  readonly memoryChanges: ReadonlySet<Location>;
  readonly memoryReads: ReadonlySet<Location>;
  /** It can fail on its data (`throw` outside a catch, findOrThrow): it may guard the code after it. */
  readonly mayVeto: boolean;
  readonly sleeps: boolean;
}

const NOTHING: Behaviour = nothingYet();

/** More effects than this in one function say nothing that a reader could check. */
const MAX_EFFECTS = 60;

/** The effects of a call of the function; a function that calls itself adds nothing new to itself. */
export function behaviourOfFunction(fn: FunctionValue): Behaviour {
  return waitedFor(ofFunction(fn, WHOLE));
}

/** The effects of running the expression or statement, as seen from the function around it. */
export function behaviourOf(file: FileFacts, node: Node, scope: Node): Behaviour {
  return waitedFor(collect(file, node, scope, WHOLE));
}

/** The same, and undefined as soon as one call could do anything: most code calls such a thing early, so this asks less of other files. */
export function knownBehaviourOf(
  file: FileFacts,
  node: Node,
  scope: Node,
  declared = NOTHING_DECLARED,
): Behaviour | undefined {
  const behaviour = waitedFor(collect(file, node, scope, { extent: 'known', declared }));
  return behaviour.unknown ? undefined : behaviour;
}

/** The same of an iteration of a loop statement with a next iteration: a query in a `return` runs once. */
export function knownBehaviourOfRound(
  file: FileFacts,
  body: Node,
  scope: Node,
): Behaviour | undefined {
  const view: View = { extent: 'known', declared: NOTHING_DECLARED };
  const behaviour = waitedFor(collect(file, body, scope, view, functionAround(body)));
  return behaviour.unknown ? undefined : behaviour;
}

export function knownBehaviourOfFunction(
  fn: FunctionValue,
  declared = NOTHING_DECLARED,
): Behaviour | undefined {
  const behaviour = waitedFor(ofFunction(fn, { extent: 'known', declared }));
  return behaviour.unknown ? undefined : behaviour;
}

/** As seen by those who wait for the result, too, and do not know what callers pass. */
function waitedFor(behaviour: Behaviour): Behaviour {
  const { unknown, unknownResult, parameterCalls } = behaviour;
  const place = unknownResult ?? parameterCalls[0]?.place;
  const isLazy = behaviour.effects.some((it) => it.isUnsent);
  // To wait for an observable is not to subscribe to it.
  const effects = isLazy ? behaviour.effects.filter((it) => !it.isUnsent) : behaviour.effects;
  return { ...behaviour, effects, unknown: unknown ?? place };
}

const behaviourIn = query(
  'behaviour',
  (file: FileFacts, node: FunctionNode, view: View): Behaviour => {
    const { reached, ...found } = collect(file, bodyOf(node), node, view);
    const filled = asReads(file, node, withFills(file, reached));
    return { ...found, effects: seenFromOutside(file, node, filled) };
  },
  {
    whileCyclic: NOTHING,
    isCompared: false,
    tooDeep: (file: FileFacts, node: FunctionNode) => ({ ...NOTHING, unknown: { file, node } }),
    keyOf: keyOfView,
  },
);

function ofFunction({ file, node }: FunctionValue, view: View): Behaviour {
  return behaviourIn(file, node, view);
}

/** Without what is in a `return` of the function `left`. */
function collect(
  file: FileFacts,
  root: Node,
  scope: Node,
  view: View,
  left?: FunctionNode,
): Collected {
  const found = nothingYet();
  let isAnsweredOnce = false;
  let isBeside = false;
  visit(root, false);
  return found;

  function visit(node: Node, caught: boolean): void {
    // no veto: the answer is no already.
    if (found.unknown && view.extent === 'known') return;
    if (node !== root && (isClass(node) || (isFunction(node) && !runsInline(file, node)))) return;
    switch (node.type) {
      case 'CallExpression':
      case 'NewExpression':
      case 'TaggedTemplateExpression':
        addCall(node);
        break;
      case 'AwaitExpression': {
        const effect = awaitedEffect(file, node);
        if (effect) add(effect);
        else if (isOpaque(file, node.argument)) found.unknown ??= { file, node };
        break;
      }
      case 'ForOfStatement':
        if (node.await) found.unknown ??= { file, node };
        break;
      case 'AssignmentExpression':
        // no veto: all within is answered once.
        if (isAnsweredOnce) break;
        if (!isKept(file, node)) break;
        isAnsweredOnce = true;
        visit(node.right, caught);
        isAnsweredOnce = false;
        visit(node.left, caught);
        return noteWrite(node);
      case 'ExpressionStatement':
        // no veto: what is around it is left running already.
        if (isBeside) break;
        if (!isLeftRunning(file, node, root)) break;
        isBeside = true;
        visit(node.expression, true);
        isBeside = false;
        return;
      case 'YieldExpression':
        found.unknown ??= { file, node };
        break;
      case 'ReturnStatement':
        if (left && functionAround(node) === left) return;
        break;
      case 'ThrowStatement':
        if (!caught) found.mayVeto = true;
        break;
      case 'TryStatement':
        visit(node.block, caught || node.handler !== null);
        // What a catch clause throws is the failure that was under way, not a decision about data.
        if (node.handler) visit(node.handler.body, true);
        if (node.finalizer) visit(node.finalizer, caught);
        return;
      case 'MemberExpression':
        if (node.object.type === 'ThisExpression') addRead(node);
        break;
      case 'ThisExpression':
      case 'Identifier':
        if (node.type === 'Identifier' || node.parent.type !== 'MemberExpression') addRead(node);
        break;
    }
    for (const effect of settledEffects(file, node)) add(effect);
    noteWrite(node);
    for (const child of childrenThatRun(file, node, view.flags)) visit(child, caught);
  }

  function noteWrite(node: Node): void {
    const written = writtenLocation(file, node, scope);
    if (!written) return;
    found.memoryWrites.add(written);
    if (!isCacheFill(file, node)) found.memoryChanges.add(written);
  }

  function addRead(node: Node): void {
    // no veto: the copy is made at once, and its question is another.
    if (isCopied(node)) return;
    const location = locationOf(file, node, scope);
    if (location) found.memoryReads.add(location);
    const getter = getterOf(node);
    if (getter) addMemory(ofFunction({ kind: 'function', file, node: getter }, view), (it) => it);
  }

  function add(given: Effect, call?: Call): void {
    // What it reads, nobody waits for; what it writes still counts.
    if (isBeside && given.op === 'read') return;
    const seen = onLoan(file, root, given, call);
    // Whoever asks later is answered from memory.
    const effect = isAnsweredOnce ? { ...seen, memo: true } : seen;
    if (found.effects.length < MAX_EFFECTS) {
      found.effects.push(effect);
      found.reached.push({ effect, call });
    } else found.unknown ??= effect.at;
    if (effect.mayVeto) found.mayVeto = true;
  }

  function addCall(call: Call): void {
    const op = declaredOperation(call, view.declared);
    if (op !== undefined) {
      if (op === 'write' || isAwaited(file, call)) add(declaredEffect(file, call, op));
      return;
    }
    const chosen = lendsHandle(file, call, scope) ? [UNKNOWN] : chosenByKey(file, call);
    const before = found.effects.length;
    for (const callee of chosen ?? alternativesOf(valueOf(file, calleeOf(call))))
      addCallOf(callee, call);
    // What one of them writes, another need not.
    if (chosen && found.effects.slice(before).some((it) => it.op !== 'read'))
      found.unknown ??= { file, node: call };
  }

  function addCallOf(callee: Value, call: Call): void {
    const library = libraryCallAs(file, call, callee);
    if (library) {
      // veto: a wait that only a failure leads to
      if (isPause(library) && isBackOff(call, root)) return;
      found.sleeps ||= isPause(library) || isThroughLimiter(library);
      const effect = libraryEffect(file, call, library);
      if (effect && !isOpenedFirst(file, call, library)) add(effect, call);
      const builder = builderLocation(file, call, library.callee.receiver);
      if (builder) {
        found.memoryWrites.add(builder);
        found.memoryChanges.add(builder);
      }
      if (library.signature.observables === 'pipes' && mayDoMore(file, call))
        found.unknown ??= { file, node: call };
      addNamedCallback(call, library);
      return;
    }
    addNamedCallback(call, undefined);
    // What a called function expression does is visited where it stands.
    if (isFunction(bare(calleeOf(call)))) return;
    const forms = callee.kind === 'function' ? [callee] : agreedForms(callee, view.declared);
    if (forms) for (const form of forms) addProjectCall(form, call);
    else if (callee.kind === 'global') {
      // Nothing after it runs, here or anywhere.
      if (callee.name === 'process.exit') found.unknown ??= { file, node: call };
      if (callee.name === 'setTimeout' && isSleep(file, call))
        found.sleeps ||= !isBackOff(call, root);
    } else if (callee.kind !== 'class' && !isInlineIdiom(file, call) && !isSettling(file, call)) {
      addUnknown(call, { file, node: call });
      // Last, because what it is given may come from other files.
      found.unknown ??= givesHandleAway(file, call, scope) ? { file, node: call } : undefined;
    }
  }

  /** A call that could do anything, if somebody waits for it: what nobody waits for only computes. */
  function addUnknown(call: Call, place: Place): void {
    const waiter = waiterOf(file, call) ?? (settles(file, call) ? 'code' : undefined);
    const parameter = waiter && place.node === call && parameterCalled(file, call, scope);
    if (parameter)
      note(found.parameterCalls, { ...parameter, place, isHandedOn: waiter === 'caller' });
    else if (waiter === 'code') found.unknown ??= place;
    else if (waiter === 'caller') found.unknownResult ??= place;
  }

  /** What the callee was given to call is called here; a function that it calls at several places is looked at for the first. */
  function addPassed(
    called: ParameterCall,
    call: Call,
    callee: FunctionValue,
    isNew: boolean,
  ): void {
    const waiter = called.isHandedOn ? waiterOf(file, call) : isAwaited(file, call) && 'code';
    const passed = passedTo(file, passedBy(call, callee.node), called, scope);
    if (passed?.kind === 'method') {
      const seen = substituted(passed.does, file, call, callee);
      if (seen && (waiter || seen.op !== 'read')) add(seen, call);
      return;
    }
    if (!passed) {
      if (waiter === 'code') found.unknown ??= called.place;
      if (waiter === 'caller') found.unknownResult ??= called.place;
      return;
    }
    if (passed.kind === 'functions') {
      for (const fn of isNew ? passed.of : []) addFunction(fn, waiter === 'code');
    } else if (waiter) {
      const place = called.member === undefined ? { file, node: call } : called.place;
      note(found.parameterCalls, { ...passed.of, place, isHandedOn: waiter === 'caller' });
    }
  }

  /** Which elements it is given is not known, and which connection. */
  function addNamedCallback(call: Call, library: LibraryCall | undefined): void {
    const named = namedCallbackOf(file, call, library);
    if (named?.fn) addFunction(named.fn, named.isWaitedFor);
    else if (named?.isWaitedFor) found.unknown ??= { file, node: call };
  }

  /** A function that something else calls, with arguments that are not known. */
  function addFunction(fn: FunctionValue, isWaitedFor: boolean): void {
    const inner = ofFunction(fn, { extent: view.extent, declared: view.declared });
    addMemory(inner, (it) => (it.startsWith('parameter ') ? undefined : it));
    const isBeside = !isWaitedFor && fn.node.async;
    for (const effect of inner.effects) {
      if (!isBeside || effect.op !== 'read') add(unbound(effect, fn.node));
    }
    if (isBeside) return;
    found.unknown ??= waitedFor(inner).unknown;
    found.mayVeto ||= inner.mayVeto;
    found.sleeps ||= inner.sleeps;
  }

  function addMemory(inner: Behaviour, seenAs: (it: Location) => Location | undefined): void {
    for (const kind of ['memoryWrites', 'memoryChanges', 'memoryReads'] as const)
      for (const it of inner[kind]) {
        const seen = seenAs(it);
        if (seen) found[kind].add(seen);
      }
  }

  function addProjectCall(callee: FunctionValue, call: Call): void {
    // veto: methods of a subclass
    if (callsOverridden(callee)) addUnknown(call, { file, node: call });
    const inner = ofFunction(callee, { ...view, flags: flagsLeftOut(call, callee) });
    // A call that nobody waits for does its work beside this code; what it writes still counts.
    const isBeside = !isAwaited(file, call) && callee.node.async;
    for (const effect of inner.effects) {
      // veto: what a call is given need not be asked for
      if (isSparedBy(call, callee.node, effect)) continue;
      const seen = substituted(effect, file, call, callee);
      if (seen && (!isBeside || seen.op !== 'read')) add(seen, call);
    }
    if (inner.unknownResult) addUnknown(call, inner.unknownResult);
    for (const called of inner.parameterCalls)
      addPassed(called, call, callee, isFirst(inner.parameterCalls, called));
    if (!isBeside) {
      found.unknown ??= inner.unknown;
      found.mayVeto ||= inner.mayVeto;
      found.sleeps ||= inner.sleeps && !isBackOff(call, root);
    }
    addMemory(inner, (it) => callerLocation(file, it, { call, fn: callee.node, scope }));
  }
}
