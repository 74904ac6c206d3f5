import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  childrenOf,
  contains,
  functionAround,
  isClass,
  isFunction,
  isLoop,
  type Node,
  walk,
} from './ast.ts';
import { isAwaited } from './awaited.ts';
import {
  argumentsOf,
  type Call,
  calleeOf,
  type LibraryCall,
  libraryCallAs,
  passedBy,
} from './calls.ts';
import {
  type DeclaredCalls,
  declaredOperation,
  keyOfDeclared,
  NOTHING_DECLARED,
} from './declared-calls.ts';
import {
  awaitedEffect,
  declaredEffect,
  type Effect,
  libraryEffect,
  substituted,
  unbound,
} from './effects.ts';
import type { FileFacts } from './file.ts';
import {
  isInlineIdiom,
  isThroughLimiter,
  namedCallbackOf,
  runsInline,
} from './inline-callbacks.ts';
import {
  argumentLocation,
  type Location,
  locationOf,
  variableLocation,
  writtenLocation,
} from './memory.ts';
import { settledEffects } from './settled-builders.ts';
import { alternativesOf, type FunctionValue, type LibraryValue, type Value } from './value.ts';

/** What happens when a piece of code runs, callees included. */
export interface Behaviour {
  /** Waiting calls to the outside, in source order. */
  readonly effects: readonly Effect[];
  /** The first thing that could do anything: an awaited call that nobody can resolve. */
  readonly unknown: Place | undefined;
  readonly memoryWrites: ReadonlySet<Location>;
  readonly memoryReads: ReadonlySet<Location>;
  /** It can fail on what it finds (`throw` outside a catch, findOrThrow): it may guard what follows. */
  readonly mayVeto: boolean;
  readonly sleeps: boolean;
}

export interface Place {
  readonly file: FileFacts;
  readonly node: Node;
}

const NOTHING: Behaviour = {
  effects: [],
  unknown: undefined,
  memoryWrites: new Set(),
  memoryReads: new Set(),
  mayVeto: false,
  sleeps: false,
};

/** More effects than this in one function say nothing that a reader could check. */
const MAX_EFFECTS = 60;

/** What a call of the function does; a function that calls itself adds nothing new to itself. */
export function behaviourOfFunction(fn: FunctionValue): Behaviour {
  return ofFunction(fn, WHOLE);
}

/** What running the expression or statement does, as seen from the function around it. */
export function behaviourOf(file: FileFacts, node: Node, scope: Node): Behaviour {
  return collect(file, node, scope, WHOLE);
}

/**
 * The same for those who have no use for a part: undefined as soon as one call could do anything.
 * Most code calls something unknown early, so this asks far less of other files.
 */
export function knownBehaviourOf(
  file: FileFacts,
  node: Node,
  scope: Node,
  declared = NOTHING_DECLARED,
): Behaviour | undefined {
  const behaviour = collect(file, node, scope, { extent: 'known', declared });
  return behaviour.unknown ? undefined : behaviour;
}

export function knownBehaviourOfFunction(
  fn: FunctionValue,
  declared = NOTHING_DECLARED,
): Behaviour | undefined {
  const behaviour = ofFunction(fn, { extent: 'known', declared });
  return behaviour.unknown ? undefined : behaviour;
}

interface View {
  /** 'known' stops at the first unknown call; what it has found by then is no answer. */
  readonly extent: 'whole' | 'known';
  readonly declared: DeclaredCalls;
}

const WHOLE: View = { extent: 'whole', declared: NOTHING_DECLARED };

function ofFunction(fn: FunctionValue, view: View): Behaviour {
  const { file, node } = fn;
  return file.remember(
    file.keyFor(node, `=behaviour ${view.extent}${keyOfDeclared(view.declared)}`),
    () => collect(file, node.body, node, view),
    NOTHING,
    { ...NOTHING, unknown: { file, node } },
  );
}

interface Collected {
  readonly effects: Effect[];
  unknown: Place | undefined;
  readonly memoryWrites: Set<Location>;
  readonly memoryReads: Set<Location>;
  mayVeto: boolean;
  sleeps: boolean;
}

function collect(file: FileFacts, root: Node, scope: Node, view: View): Behaviour {
  const found: Collected = {
    effects: [],
    unknown: undefined,
    memoryWrites: new Set(),
    memoryReads: new Set(),
    mayVeto: false,
    sleeps: false,
  };
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
      case 'YieldExpression':
        found.unknown ??= { file, node };
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
      case 'Identifier':
        addRead(node);
        break;
    }
    for (const effect of settledEffects(file, node)) add(effect);
    const written = writtenLocation(file, node, scope);
    if (written) found.memoryWrites.add(written);
    for (const child of childrenOf(node)) visit(child, caught);
  }

  function addRead(node: Node): void {
    const location = locationOf(file, node, scope);
    if (location) found.memoryReads.add(location);
  }

  function add(effect: Effect): void {
    if (found.effects.length < MAX_EFFECTS) found.effects.push(effect);
    else found.unknown ??= effect.at;
    if (effect.mayVeto) found.mayVeto = true;
  }

  function addCall(call: Call): void {
    const op = declaredOperation(call, view.declared);
    if (op !== undefined) {
      if (op === 'write' || isAwaited(file, call)) add(declaredEffect(file, call, op));
      return;
    }
    for (const callee of alternativesOf(file.valueOf(calleeOf(call)))) addCallOf(callee, call);
  }

  function addCallOf(callee: Value, call: Call): void {
    const library = libraryCallAs(file, call, callee);
    if (library) {
      if (library.signature.sleep || library.signature.yield)
        found.sleeps ||= !isBackOff(call, root);
      const effect = libraryEffect(file, call, library);
      if (effect) add(effect);
      const builder = changedBuilder(file, call, library.callee.receiver);
      if (builder) found.memoryWrites.add(builder);
      if (isThroughLimiter(library)) found.sleeps = true;
      addNamedCallback(call, library);
      return;
    }
    addNamedCallback(call, undefined);
    // What a called function expression does is visited where it stands.
    if (isFunction(bare(calleeOf(call)))) return;
    if (callee.kind === 'function') addProjectCall(callee, call);
    else if (callee.kind === 'global') {
      // Nothing after it runs, here or anywhere.
      if (callee.name === 'process.exit') found.unknown ??= { file, node: call };
      if (callee.name === 'setTimeout' && isSleep(file, call))
        found.sleeps ||= !isBackOff(call, root);
    } else if (callee.kind !== 'class' && !isInlineIdiom(file, call)) {
      if (isSettling(file, call)) return;
      if (isAwaited(file, call) || receivesHandle(file, call)) {
        found.unknown ??= { file, node: call };
      }
    }
  }

  /** Which elements it is given is not known, and which connection. */
  function addNamedCallback(call: Call, library: LibraryCall | undefined): void {
    const named = namedCallbackOf(file, call, library);
    if (!named) return;
    if (!named.fn) {
      if (named.isWaitedFor) found.unknown ??= { file, node: call };
      return;
    }
    const inner = ofFunction(named.fn, view);
    for (const location of inner.memoryWrites) {
      if (!location.startsWith('parameter ')) found.memoryWrites.add(location);
    }
    for (const location of inner.memoryReads) {
      if (!location.startsWith('parameter ')) found.memoryReads.add(location);
    }
    const isBeside = !named.isWaitedFor && named.fn.node.async;
    for (const effect of inner.effects) {
      if (!isBeside || effect.op !== 'read') add(unbound(effect, named.fn.node));
    }
    if (isBeside) return;
    found.unknown ??= inner.unknown;
    found.mayVeto ||= inner.mayVeto;
    found.sleeps ||= inner.sleeps;
  }

  function addProjectCall(callee: FunctionValue, call: Call): void {
    const inner = ofFunction(callee, view);
    // A call that nobody waits for does its work beside this code; what it writes still counts.
    const isBeside = !isAwaited(file, call) && callee.node.async;
    for (const effect of inner.effects) {
      const seen = substituted(effect, file, call, callee.node);
      if (seen && (!isBeside || seen.op !== 'read')) add(seen);
    }
    if (!isBeside) {
      found.unknown ??= inner.unknown;
      found.mayVeto ||= inner.mayVeto;
      found.sleeps ||= inner.sleeps && !isBackOff(call, root);
    }
    for (const [from, to] of [
      [inner.memoryWrites, found.memoryWrites],
      [inner.memoryReads, found.memoryReads],
    ] as const) {
      for (const location of from) {
        const seen = argumentLocation(file, location, passedBy(call), scope);
        if (seen) to.add(seen);
      }
    }
  }
}

/** `return reject(error)`: the executor's own way to answer. */
function isSettling(file: FileFacts, call: Call): boolean {
  const callee = bare(calleeOf(call));
  const definition = callee.type === 'Identifier' ? file.variableOf(callee)?.defs[0] : undefined;
  return (
    definition?.type === 'Parameter' &&
    definition.node.parent?.type === 'NewExpression' &&
    isGlobal(file, definition.node.parent.callee, 'Promise')
  );
}

/** Builders collect what is called on them: two chains on one variable are two changes of it. */
function changedBuilder(
  file: FileFacts,
  call: Call,
  receiver: LibraryValue | undefined,
): Location | undefined {
  const callee = bare(calleeOf(call));
  if (receiver?.type.role !== 'builder' || callee.type !== 'MemberExpression') return undefined;
  const object = bare(callee.object);
  const variable = object.type === 'Identifier' ? file.variableOf(object) : undefined;
  return variable && variableLocation(file, variable);
}

function isGlobal(file: FileFacts, node: Node, name: string): boolean {
  const value = file.valueOf(node);
  return value.kind === 'global' && value.name === name;
}

/** A wait to which only a failure in `root` leads: in a catch clause, or in a loop whose `try` returns when it succeeds. */
function isBackOff(call: Node, root: Node): boolean {
  for (let it = call; it !== root; it = it.parent!) {
    const parent = it.parent!;
    if (parent.type === 'CatchClause') return true;
    if (isLoop(parent) && parent.body.type === 'BlockStatement') {
      return parent.body.body.some(
        (statement) =>
          statement.type === 'TryStatement' &&
          !contains(statement, call) &&
          statement.block.body.at(-1)?.type === 'ReturnStatement',
      );
    }
  }
  return false;
}

/** `setTimeout(resolve, ms)` in an executor, which only a promise's runs here; a timer that rejects is a time limit, not a wait. */
function isSleep(file: FileFacts, call: Call): boolean {
  const executor = functionAround(call);
  const resolve = executor?.params[0];
  if (executor?.parent.type !== 'NewExpression' || resolve?.type !== 'Identifier') return false;
  const [callback] = argumentsOf(call);
  if (!callback) return false;
  const variable = file.variableOf(resolve);
  let resolves = false;
  walk(callback, (node) => {
    if (node.type === 'Identifier' && file.variableOf(node) === variable) resolves = true;
  });
  return resolves;
}

/** An awaited thing that is not a call and not a known promise: a promise that somebody else started. */
function isOpaque(file: FileFacts, argument: TSESTree.Expression): boolean {
  const it = bare(argument);
  switch (it.type) {
    case 'CallExpression':
    case 'NewExpression':
    case 'TaggedTemplateExpression':
    case 'ImportExpression':
    case 'ConditionalExpression':
    case 'LogicalExpression':
    case 'ArrayExpression':
    case 'Literal':
      return false;
    case 'Identifier': {
      const definition = file.variableOf(it)?.defs[0]?.node;
      return !(definition?.type === 'VariableDeclarator' && definition.init);
    }
    default:
      return true;
  }
}

/** A connection or pool handed to code that nobody can see: it may do anything with it. */
function receivesHandle(file: FileFacts, call: Call): boolean {
  return argumentsOf(call).some((it) => {
    const value = file.valueOf(it);
    return (
      value.kind === 'library' && value.type.role !== undefined && value.type.role !== 'builder'
    );
  });
}
