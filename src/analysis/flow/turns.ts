import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from '../syntax/names.ts';
import {
  bare,
  defaultOf,
  type FunctionNode,
  isLoop,
  type Node,
  propertyName,
  undefaulted,
  walk,
  walkOwn,
} from '../syntax/ast.ts';
import { givenFor, isLeftOut, type Part } from '../provenance/given-parts.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import { argumentsOf, type Call } from '../syntax/calls.ts';
import { conditionsOn } from '../syntax/conditions.ts';
import { executorTimer } from './executors.ts';
import type { FileFacts } from '../file/file.ts';
import { sqlOf } from '../provenance/sql-text.ts';
import type { FunctionValue } from '../file/value.ts';
import { quantityOf } from '../values/values.ts';
import { type Arguments, certainOf, literalQuantity, type Quantity } from '../values/quantity.ts';

/** How a yield is spelled, which is what messages call it. */
export type Turn =
  | 'setImmediate'
  | 'setTimeout 0'
  | 'scheduler.yield'
  | 'process.nextTick'
  | 'queueMicrotask'
  | 'Promise.resolve';

/** A promise that does nothing but wait. */
export interface Pause {
  /** The call or `new Promise` that makes the promise. */
  readonly node: Node;
  /** 'sleep' for a time; 'timer' and 'immediate' for one turn of the event loop; 'tick' lets no I/O run at all. */
  readonly kind: 'sleep' | 'timer' | 'immediate' | 'tick';
  /** Milliseconds; 1 for 'timer', because Node.js raises 0 to 1. */
  readonly duration: Quantity;
  readonly turn: Turn | undefined;
  /** Something other than time can end it: an AbortSignal. */
  readonly abort: Node | undefined;
  /** The wrapper decides by itself whether it waits: a rate limiter. */
  readonly isConditional: boolean;
  /** The functions of the project that it was followed through, outermost first. */
  readonly through: readonly FunctionValue[];
  /** The statement waits in the database, which holds a connection as well. */
  readonly isQuery: boolean;
}

const DEEPEST = 5;
const NONE: Arguments = new Map();

/** The pause that an expression is, when it is nothing else: `sleep(100)`, `new Promise((r) => setTimeout(r, 100))`. */
export function pauseOf(file: FileFacts, node: Node): Pause | undefined {
  return pauseOfBare(file, bare(node));
}

const pauseOfBare = query(
  'pause',
  (file: FileFacts, node: Node): Pause | undefined => pauseAt({ file, args: NONE, depth: 0 }, node),
  { whileCyclic: undefined, isCompared: false },
);

/** The time that a timer lets pass before it starts something: `setTimeout(run, 100)`, `setImmediate(run)`. */
export function timerCallPause(
  file: FileFacts,
  call: TSESTree.CallExpression,
  time: Node | undefined = call.arguments[1],
): Pause | undefined {
  const callee = valueOf(file, call.callee);
  if (callee.kind !== 'global') return undefined;
  if (callee.name.endsWith('setImmediate')) {
    return pause(call, 'immediate', literalQuantity(0), 'setImmediate');
  }
  return timerPause(call, time ? quantityOf(file, time) : literalQuantity(0));
}

interface At {
  readonly file: FileFacts;
  readonly args: Arguments;
  readonly depth: number;
}

function pauseAt(at: At, whole: Node): Pause | undefined {
  const node = bare(whole);
  // no veto: ends wrappers that call each other.
  if (at.depth > DEEPEST) return undefined;
  switch (node.type) {
    case 'AwaitExpression':
      return pauseAt(at, node.argument);
    case 'NewExpression':
      return promisePause(at, node);
    case 'CallExpression':
    case 'TaggedTemplateExpression':
      return callPause(at, node);
    default:
      return undefined;
  }
}

function pause(
  node: Node,
  kind: Pause['kind'],
  duration: Quantity,
  turn?: Turn,
  abort?: Node,
): Pause {
  return {
    node,
    kind,
    duration,
    turn,
    abort,
    isConditional: false,
    through: [],
    isQuery: false,
  };
}

/** A timer of 0 or 1 ms is a turn of the event loop, not a time that somebody chose. */
function timerPause(node: Node, duration: Quantity, abort?: Node): Pause {
  const value = certainOf(duration);
  return value !== undefined && value <= 1
    ? pause(node, 'timer', { ...duration, value: 1 }, 'setTimeout 0', abort)
    : pause(node, 'sleep', duration, undefined, abort);
}

function promisePause(at: At, node: TSESTree.NewExpression): Pause | undefined {
  const callee = valueOf(at.file, node.callee);
  const isPromise = callee.kind === 'global' && callee.name === 'Promise';
  if (!isPromise) return undefined;
  const timer = executorTimer(at.file, node);
  switch (timer?.name) {
    case 'setTimeout':
      return timerPause(
        node,
        timer.time ? quantityOf(at.file, timer.time, at.args) : literalQuantity(0),
        timer.abort,
      );
    case 'setImmediate':
      return pause(node, 'immediate', literalQuantity(0), 'setImmediate', timer.abort);
    case 'process.nextTick':
    case 'queueMicrotask':
      return pause(node, 'tick', literalQuantity(0), timer.name);
    default:
      return undefined;
  }
}

function callPause(
  at: At,
  call: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression,
): Pause | undefined {
  const { file } = at;
  if (call.type === 'CallExpression') {
    const callee = bare(call.callee);
    // `sleep(100).catch(noop)` waits as long as `sleep(100)`.
    if (
      callee.type === 'MemberExpression' &&
      /^(?:then|catch|finally)$/.test(propertyName(callee) ?? '')
    ) {
      return pauseAt({ ...at, depth: at.depth + 1 }, callee.object);
    }
  }
  const library = libraryPause(at, call);
  if (library || call.type !== 'CallExpression') return library;
  const callee = valueOf(file, call.callee);
  if (callee.kind === 'promisified' && callee.of.kind === 'global') {
    if (callee.of.name === 'setTimeout')
      return timerPause(call, argumentTime(at, call, 0), undefined);
    if (callee.of.name === 'setImmediate') {
      return pause(call, 'immediate', literalQuantity(0), 'setImmediate');
    }
  }
  if (
    callee.kind === 'global' &&
    callee.name === 'Promise.resolve' &&
    call.arguments.length === 0
  ) {
    return pause(call, 'tick', literalQuantity(0), 'Promise.resolve');
  }
  return callee.kind === 'function' ? wrapperPause(at, call, callee) : undefined;
}

function libraryPause(at: At, call: Call): Pause | undefined {
  const library = libraryCallOf(at.file, call);
  if (!library) return undefined;
  const { signature, callee } = library;
  if (signature.yield === 'immediate') {
    return pause(
      call,
      'immediate',
      literalQuantity(0),
      callee.name === 'yield' ? 'scheduler.yield' : 'setImmediate',
    );
  }
  if (signature.sleep && !signature.effect?.sync) {
    const { argument, unit } = signature.sleep;
    const time = argument === undefined ? undefined : argumentTime(at, call, argument);
    if (!time) return undefined;
    const factor = unit === 's' ? 1_000 : unit === 'us' ? 0.001 : 1;
    const value = time.value === undefined ? undefined : time.value * factor;
    return timerPause(call, { ...time, value }, abortOption(argumentsOf(call)));
  }
  return signature.effect?.env === 'db' ? queryPause(at, call) : undefined;
}

function argumentTime(at: At, call: Call, index: number): Quantity {
  const argument = argumentsOf(call)[index];
  return argument ? quantityOf(at.file, argument, at.args) : literalQuantity(0);
}

/** `setTimeout(100, undefined, { signal })`. */
function abortOption(args: readonly Node[]): Node | undefined {
  for (const argument of args) {
    if (argument.type !== 'ObjectExpression') continue;
    for (const property of argument.properties) {
      if (property.type === 'Property' && propertyName(property) === 'signal')
        return property.value;
    }
  }
  return undefined;
}

/** A statement that only sleeps in the server: `SELECT pg_sleep(0.1)`. */
function queryPause(at: At, call: Call): Pause | undefined {
  const match = /^\s*(?:select|do)\s+(?:pg_)?sleep\s*\(\s*([\d.]+)\s*\)\s*(?:;\s*)?$/i.exec(
    sqlOf(at.file, call) ?? '',
  );
  if (!match) return undefined;
  return {
    ...pause(call, 'sleep', literalQuantity(Number(match[1]) * 1_000)),
    isQuery: true,
  };
}

/** A function of the project whose only effect is a pause. */
function wrapperPause(
  at: At,
  call: TSESTree.CallExpression,
  callee: FunctionValue,
): Pause | undefined {
  const { file, node } = callee;
  const wait = onlyWaitOf(callee);
  if (!wait) return undefined;
  let args: Arguments | undefined;
  const inside: At = {
    file,
    // Most functions that wait for one thing do not wait for a time.
    get args() {
      return (args ??= boundArguments(at, call, callee));
    },
    depth: at.depth + 1,
  };
  const inner = pauseOfWait(inside, node, wait);
  if (!inner) return undefined;
  // A wrapper that listens to a signal is abortable only where a caller gives it one.
  const abort = inner.abort && call.arguments.find((it) => isSignal(at.file, it));
  return { ...inner, node: call, abort, through: [callee, ...inner.through] };
}

function isSignal(file: FileFacts, node: Node): boolean {
  return /signal|abort|token|cancel/i.test(file.textOf(node));
}

/** The pause that a wait in the body of `callee` is in a call of it, which may give its time. */
export function pauseInCall(
  file: FileFacts,
  call: TSESTree.CallExpression,
  callee: FunctionValue,
  wait: Node,
): Pause | undefined {
  const args = boundArguments({ file, args: NONE, depth: 0 }, call, callee);
  return pauseAt({ file: callee.file, args, depth: 1 }, wait);
}

/** What the wrapper's parameters are at this call: the arguments, or their defaults. */
function boundArguments(
  at: At,
  call: TSESTree.CallExpression,
  { file, node }: FunctionValue,
): Arguments {
  const bound = new Map<Variable, Quantity>();
  const bind = (target: Node, part: Part, fallback: Node | undefined) => {
    const variable = target.type === 'Identifier' ? file.variableOf(target) : undefined;
    const given = variable && givenFor(call.arguments, part);
    if (given) bound.set(variable, quantityOf(at.file, given, at.args));
    else if (variable && fallback && isLeftOut(call.arguments, part))
      bound.set(variable, quantityOf(file, fallback));
  };
  for (const [index, parameter] of node.params.entries()) {
    const target = undefaulted(parameter);
    bind(target, { fn: node, index, member: undefined }, defaultOf(parameter));
    for (const it of partsOf(target)) {
      const member = propertyName(it);
      if (member !== undefined)
        bind(undefaulted(it.value), { fn: node, index, member }, defaultOf(it.value));
    }
  }
  return bound;
}

/** `everyMs` of `({ everyMs = 50 }) => …`. */
function partsOf(target: Node): readonly TSESTree.Property[] {
  if (target.type !== 'ObjectPattern') return [];
  return target.properties.filter((it) => it.type === 'Property');
}

/** The pause that the only wait of a function is. */
function pauseOfWait(at: At, fn: FunctionNode, wait: Node): Pause | undefined {
  const inner = pauseAt(at, wait);
  if (!inner || wait === bodyOf(fn)) return inner;
  const conditions = conditionsOn(wait, bodyOf(fn));
  const isConditional = conditions.some((it) => !isAboutTime(at.file, it.test, fn));
  return { ...inner, isConditional: inner.isConditional || isConditional };
}

/**
 * The one expression that the function awaits or returns; undefined when there are several, and when it repeats or fails on
 * purpose. Of most functions that are called, this is all that anybody asks.
 */
function onlyWaitOf({ file, node }: FunctionValue): Node | undefined {
  const body = bodyOf(node);
  if (body.type !== 'BlockStatement') return body;
  return onlyWaitIn(file, body);
}

const onlyWaitIn = query(
  'only wait',
  (_: FileFacts, body: Node): Node | undefined => {
    const waits: Node[] = [];
    let isOther = false;
    walkOwn(body, (node) => {
      if (isLoop(node) || node.type === 'YieldExpression') isOther = true;
      // no veto: spares the rest of the walk.
      if (isOther || waits.length > 1) return false;
      if (node.type === 'AwaitExpression') {
        waits.push(node.argument);
        return false;
      }
      if (node.type === 'ReturnStatement' && node.argument) {
        if (bare(node.argument).type !== 'AwaitExpression') waits.push(node.argument);
      }
      return true;
    });
    return isOther || waits.length !== 1 ? undefined : waits[0];
  },
  { whileCyclic: undefined },
);

/** `if (ms <= 0) return;` asks about the time only. */
function isAboutTime(file: FileFacts, test: Node | undefined, fn: FunctionNode): boolean {
  if (!test) return false;
  let isOwn = true;
  walk(test, (node) => {
    if (node.type === 'CallExpression' || node.type === 'ThisExpression') isOwn = false;
    if (node.type !== 'Identifier') return;
    const [definition] = file.variableOf(node)?.defs ?? [];
    if (definition && !(definition.type === 'Parameter' && definition.node === fn)) isOwn = false;
  });
  return isOwn;
}
