import { valueOf } from '../../analysis/provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  childrenOf,
  dottedName,
  functionAround,
  isClass,
  isFunction,
  type Node,
  propertyName,
  type FunctionNode,
} from '../../analysis/syntax/ast.ts';
import { behaviourOfFunction, leadingForm } from '../../analysis/behaviour/behaviour.ts';
import { handleOfReceiver } from '../../analysis/effects/handles.ts';
import {
  parameterCalled,
  type ParameterCall,
  passedTo,
} from '../../analysis/effects/parameter-calls.ts';
import { isAfterFailure } from '../../analysis/syntax/conditions.ts';
import {
  isAwaited,
  isCombined,
  isLeftForLater,
  settlesGiven,
} from '../../analysis/flow/awaited.ts';
import type { Place } from '../../analysis/file/place.ts';
import { isKept } from '../../analysis/effects/cache-fills.ts';
import { type LibraryCall, libraryCallAs } from '../../analysis/provenance/library-calls.ts';
import { type Call, calleeOf, isCall, passedBy } from '../../analysis/syntax/calls.ts';
import {
  awaitedEffect,
  builderEffect,
  type Effect,
  libraryEffect,
  substituted,
} from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { isEach } from '../../analysis/flow/callbacks.ts';
import { namedCallbackOf, runsInline } from '../../analysis/flow/inline-callbacks.ts';
import { endsAt, startsAt } from '../../analysis/syntax/places.ts';
import { type Pause, pauseOf } from '../../analysis/flow/turns.ts';
import { alternativesOf, type FunctionValue } from '../../analysis/file/value.ts';

/** A wait on the ordinary path of code: neither after a failure, nor started without an await. */
export interface ReachedWait {
  readonly effect: Effect | undefined;
  /** Milliseconds are in its duration. One of both is there. */
  readonly pause: Pause | undefined;
  /** The calls that lead to it, outermost first; the last of them waits. */
  readonly chain: readonly Place[];
}

/** What to show a reader of it: the call in the code that was asked about, without its `await`. */
export function placeOf({ chain }: ReachedWait): Node {
  const { node } = chain[0]!;
  return node.type === 'AwaitExpression' ? node.argument : node;
}

/** Calls between the code that is asked about and the wait. */
const LONGEST_CHAIN = 8;

/** More of them in one function say nothing that a reader could check. */
const MOST_WAITS = 40;

/** What running `root`, callees included, waits for, in source order; of callees only what they wait for themselves. */
export function reachedWaitsIn(file: FileFacts, root: Node): readonly ReachedWait[] {
  return waitsIn(file, root, undefined);
}

/** `called`: `root` is the body of that function, which a call reaches. */
function waitsIn(
  file: FileFacts,
  root: Node,
  called: FunctionNode | undefined,
): readonly ReachedWait[] {
  const waits: ReachedWait[] = [];
  visit(root);
  return waits;

  function visit(node: Node): void {
    // no veto: bounds what is kept
    if (waits.length >= MOST_WAITS) return;
    // no veto: what is only made here is waited for by nobody here
    if (node !== root && (isClass(node) || (isFunction(node) && !runsInline(file, node)))) return;
    // veto: the wait is in a catch block, which runs only after a failure
    if (node.type === 'CatchClause') return;
    // veto: the code caches the result of this wait, so only the first call waits
    if (node.type === 'AssignmentExpression' && isKept(file, node)) return;
    const pause = isCall(node) ? pauseOf(file, node) : undefined;
    if (pause) {
      if (isTimed(pause) && isReached(file, node, root)) add({ pause }, node);
      return;
    }
    if (isCall(node) && isReached(file, node, root)) addCall(node);
    const effect = waitedEffect(file, node);
    if (effect && isReached(file, node, root)) add({ effect }, effect.at.node);
    for (const child of childrenOf(node)) visit(child);
  }

  function add(
    { effect, pause }: { readonly effect?: Effect; readonly pause?: Pause },
    node: Node,
    through: readonly Place[] = [],
  ): void {
    // no veto: bounds what a reader has to follow
    if (through.length >= LONGEST_CHAIN) return;
    waits.push({ effect, pause, chain: [{ file, node }, ...through] });
  }

  function addCall(call: Call): void {
    const isGiven = called !== undefined && parameterCalled(file, call, called) !== undefined;
    for (const callee of alternativesOf(valueOf(file, calleeOf(call)))) {
      // veto: the called function is a parameter, and a different caller may have passed the function
      if (isGiven && callee.kind === 'function') continue;
      const library = libraryCallAs(file, call, callee);
      const effect = library && libraryEffect(file, call, library);
      if (effect) add({ effect }, call);
      if (callee.kind === 'function' && !isFunction(bare(calleeOf(call)))) addCallOf(callee, call);
      const form = leadingForm(callee);
      if (form) addForm(form, call);
      addNamedCallback(call, library);
    }
  }

  function addCallOf(callee: FunctionValue, call: Call): void {
    for (const { effect, pause, chain } of waitsOfFunction(callee.file, callee.node)) {
      const seen = effect && substituted(effect, file, call, callee);
      if (seen) add({ effect: seen }, call, chain);
      else if (pause) add({ pause }, call, chain);
    }
    for (const it of behaviourOfFunction(callee).parameterCalls) addGivenMethod(callee, call, it);
  }

  /** `this.session.query(text)` of what was given as an interface: on whose connection, the giver decides. */
  function addForm(form: FunctionValue, call: Call): void {
    for (const { effect, chain } of waitsOfFunction(form.file, form.node)) {
      const seen = effect && substituted(effect, file, call, form);
      if (seen) add({ effect: { ...seen, handle: handleOfReceiver(file, call) } }, call, chain);
    }
  }

  /** `run(db, text)`, where `run` asks what it is given, of which it states no more than the method. */
  function addGivenMethod(callee: FunctionValue, call: Call, given: ParameterCall): void {
    // veto: the called function uses its parameter only after a failure
    if (isAfterFailure(given.place.node, callee.node)) return;
    const scope = functionAround(call) ?? file.ast;
    const passed = passedTo(file, passedBy(call, callee.node), given, scope);
    // no veto: functions are visited where they stand.
    if (passed?.kind !== 'method') return;
    const seen = substituted(passed.does, file, call, callee);
    if (seen) add({ effect: seen }, call, [given.place]);
  }

  /** `pMap(rows, save)`: on which connection it works, only whoever passes the rest knows. */
  function addNamedCallback(call: Call, library: LibraryCall | undefined): void {
    const named = namedCallbackOf(file, call, library);
    if (!named?.fn || !named.isWaitedFor) return;
    for (const { effect, pause, chain } of waitsOfFunction(named.fn.file, named.fn.node)) {
      if (pause || typeof effect!.handle === 'string') {
        add({ ...(effect ? { effect } : {}), ...(pause ? { pause } : {}) }, call, chain);
      }
    }
  }
}

const NONE: readonly ReachedWait[] = [];

const waitsOfFunction = query(
  'reached waits',
  (file: FileFacts, node: FunctionNode): readonly ReachedWait[] =>
    waitsIn(file, bodyOf(node), node),
  { whileCyclic: NONE, tooDeep: () => NONE },
);

/** A pause for a time: not a turn of the event loop, a limit that often lets pass at once, or a query. */
function isTimed({ kind, isConditional, isQuery }: Pause): boolean {
  return kind === 'sleep' && !isConditional && !isQuery;
}

/** The effect of a builder that is awaited here, or that a function or `Promise.all` gives to whoever waits. */
function waitedEffect(file: FileFacts, node: Node): Effect | undefined {
  if (node.type === 'AwaitExpression') return awaitedEffect(file, node);
  const { parent } = node;
  const isResult =
    parent?.type === 'ReturnStatement' ||
    parent?.type === 'ArrayExpression' ||
    (parent?.type === 'CallExpression' && isCall(node) && settlesGiven(file, parent, node)) ||
    (parent?.type === 'ArrowFunctionExpression' && bodyOf(parent) === node);
  return isResult ? builderEffect(file, node) : undefined;
}

/** Whether `root` goes on only when the call is done: it is awaited, and so is each call whose callback it stands in. */
function isReached(file: FileFacts, call: Node, root: Node): boolean {
  for (let it = call; ;) {
    // veto: the code does not await this call, or the call whose callback contains it
    if (it.type !== 'AwaitExpression' && it !== root && !isAwaited(file, it)) return false;
    // veto: the promise goes into a list that the code awaits later, outside of this block
    if (isLeftForLater(file, it, root)) return false;
    const fn = functionAround(it);
    // veto: the call is inside Promise.race or Promise.any, which may end before the call does
    if (isRaced(it, fn)) return false;
    // no veto: the end of the way
    if (!fn || bodyOf(fn) === root || !isInside(fn, root)) return true;
    const outer = fn.parent;
    // no veto: a function that is only declared is no part of the way
    if (!isCall(outer)) return false;
    const isOverAll = isEach(methodOf(outer) ?? '') && calleeOf(outer) !== fn;
    // veto: an array method starts a call per element, and the code does not await the promises
    if (isOverAll && !isCombined(file, outer)) return false;
    it = outer;
  }
}

function methodOf(call: Call): string | undefined {
  const callee = bare(calleeOf(call));
  return callee.type === 'MemberExpression' ? propertyName(callee) : undefined;
}

function isInside(node: Node, root: Node): boolean {
  return startsAt(root) <= startsAt(node) && endsAt(node) <= endsAt(root);
}

/** `Promise.race([work, sleep(1000)])` waits for whichever is first. */
function isRaced(node: Node, fn: Node | undefined): boolean {
  for (let it = node.parent; it && it !== fn; it = it.parent) {
    if (it.type === 'CallExpression' && isRace(it)) return true;
  }
  return false;
}

function isRace({ callee }: TSESTree.CallExpression): boolean {
  return /^Promise\.(?:race|any)$/.test(dottedName(callee) ?? '');
}
