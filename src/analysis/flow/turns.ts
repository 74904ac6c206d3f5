import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type FunctionNode, type Node, propertyName, walk } from '../syntax/ast.ts';
import { partGivenTo } from '../provenance/given-fields.ts';
import { givenFor } from '../provenance/given-parts.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import { argumentsOf, type Call } from '../syntax/calls.ts';
import { conditionsOn } from '../syntax/conditions.ts';
import { boundArguments } from './bound-arguments.ts';
import { executorTimer } from './executors.ts';
import { onlyWaitOf } from './only-waits.ts';
import type { FileFacts } from '../file/file.ts';
import type { Place } from '../file/place.ts';
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
  /** Where that is stated: in a function that does not get it from its caller. */
  readonly time: Place | undefined;
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
  const found = timerPause(call, time ? quantityOf(file, time) : literalQuantity(0));
  return statedAt(file, time, found);
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
    time: undefined,
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
      return statedAt(
        at.file,
        timer.time,
        timerPause(
          node,
          timer.time ? quantityOf(at.file, timer.time, at.args) : literalQuantity(0),
          timer.abort,
        ),
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
      return statedAt(
        at.file,
        call.arguments[0],
        timerPause(call, argumentTime(at, call, 0), undefined),
      );
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
    const found = timerPause(call, { ...time, value }, abortOption(argumentsOf(call)));
    return unit === 'ms' ? statedAt(at.file, argumentsOf(call)[argument!], found) : found;
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
  const abort = abortGiven(at.file, call, inner);
  const stated = statedBy(at, call, callee, inner);
  return { ...inner, ...stated, node: call, abort, through: [callee, ...inner.through] };
}

function statedAt(file: FileFacts, node: Node | undefined, found: Pause): Pause {
  return node ? { ...found, time: { file, node } } : found;
}

/** Where the time is stated, and what it is, as the call gives it to its function. */
function statedBy(
  { file, args }: At,
  call: TSESTree.CallExpression,
  callee: FunctionValue,
  { time, duration }: Pause,
): Pick<Pause, 'time' | 'duration'> {
  const part =
    time?.file === callee.file ? partGivenTo(time.file, time.node, callee.node) : undefined;
  if (!part) return { time, duration };
  const node = givenFor(call.arguments, part);
  if (!node) return { time: undefined, duration };
  return {
    time: { file, node },
    duration: duration.value === undefined ? quantityOf(file, node, args) : duration,
  };
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
  const at: At = { file, args: NONE, depth: 0 };
  const args = boundArguments(at, call, callee);
  const inner = pauseAt({ file: callee.file, args, depth: 1 }, wait);
  return (
    inner && {
      ...inner,
      abort: abortGiven(file, call, inner),
      ...statedBy(at, call, callee, inner),
    }
  );
}

/** A wrapper that listens to a signal is abortable only where a caller gives it one. */
function abortGiven(
  file: FileFacts,
  call: TSESTree.CallExpression,
  { abort }: Pause,
): Node | undefined {
  return abort && call.arguments.find((it) => isSignal(file, it));
}

/** The pause that the only wait of a function is. */
function pauseOfWait(at: At, fn: FunctionNode, wait: Node): Pause | undefined {
  const inner = pauseAt(at, wait);
  if (!inner || wait === bodyOf(fn)) return inner;
  const conditions = conditionsOn(wait, bodyOf(fn));
  const isConditional = conditions.some((it) => !isAboutTime(at.file, it.test, fn));
  return { ...inner, isConditional: inner.isConditional || isConditional };
}

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
