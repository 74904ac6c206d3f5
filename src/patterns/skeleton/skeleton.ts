import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  childrenOf,
  type FunctionNode,
  isClass,
  isFunction,
  type LoopNode,
  type Node,
  propertyName,
} from '../../analysis/syntax/ast.ts';
import { behaviourOf } from '../../analysis/behaviour/behaviour.ts';
import { libraryCallOf } from '../../analysis/provenance/library-calls.ts';
import { isCall } from '../../analysis/syntax/calls.ts';
import { checkoutCostOf } from '../pools/checkout-cost.ts';
import { completes } from '../../analysis/syntax/conditions.ts';
import { awaitedEffect, type Effect, libraryEffect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { implementationsOf } from '../../analysis/provenance/implementations.ts';
import { loopsOf } from '../../analysis/flow/loops.ts';
import { lineOf } from '../../analysis/ownership/witness.ts';
import type { IoStep, SkeletonStep, Unreadable } from './shape.ts';
import { type Pause, pauseOf, timerCallPause } from '../../analysis/flow/turns.ts';
import type { FunctionValue } from '../../analysis/file/value.ts';
import { scopeAround } from '../../analysis/loops/variants.ts';
import { nameOfCall } from '../pauses/work.ts';

/** More steps than that are no shape that a reader recognises. */
const MOST_STEPS = 150;

/** Calls of the project's own functions are followed this far. */
const DEEPEST = 4;

/** The waits of running `roots` sequentially, in order; `flagged` are the nodes of the finding. */
export function skeletonStepsOf(
  file: FileFacts,
  roots: readonly Node[],
  flagged: ReadonlySet<Node>,
): readonly SkeletonStep[] | Unreadable {
  const found: Found = { count: 0, unreadable: undefined };
  const reading: Reading = { file, flagged, callers: [], line: undefined, found };
  const steps = roots.flatMap((it) => stepsOf(reading, it));
  if (found.count > MOST_STEPS) return { unreadable: `it has more than ${MOST_STEPS} steps` };
  return found.unreadable === undefined ? steps : { unreadable: found.unreadable };
}

interface Found {
  count: number;
  /** The first reason; the walk goes on and its result is thrown away. */
  unreadable: string | undefined;
}

/** The function that is being read. */
interface Reading {
  readonly file: FileFacts;
  readonly flagged: ReadonlySet<Node>;
  /** The functions whose calls led here. */
  readonly callers: readonly FunctionNode[];
  /** In the first file, of the call that led here. */
  readonly line: number | undefined;
  readonly found: Found;
}

function stepsOf(reading: Reading, node: Node): readonly SkeletonStep[] {
  // no veto: it is unreadable already.
  if (reading.found.count > MOST_STEPS) return [];
  switch (node.type) {
    case 'IfStatement':
      return branchSteps(reading, node, node.consequent, node.alternate);
    case 'ConditionalExpression':
      return branchSteps(reading, node, node.consequent, node.alternate);
    case 'LogicalExpression':
      return logicalSteps(reading, node, (side) => stepsOf(reading, side));
    case 'ForStatement':
    case 'ForOfStatement':
    case 'ForInStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return loopSteps(reading, node);
    case 'TryStatement':
      return [node.block, node.finalizer].flatMap((it) => (it ? stepsOf(reading, it) : []));
    case 'SwitchStatement':
      return switchSteps(reading, node);
    case 'AwaitExpression':
      return waitSteps(reading, node.argument, node);
    case 'ReturnStatement':
      // Whoever called the function waits for what it returns.
      return node.argument ? returnedSteps(reading, node.argument) : [];
    case 'YieldExpression':
      reading.found.unreadable ??= 'it is a generator: its reader sets the pace';
      return [];
    case 'CallExpression':
      return [...childSteps(reading, node), ...plainCallSteps(reading, node)];
    default:
      return isFunction(node) || isClass(node) ? [] : childSteps(reading, node);
  }
}

function childSteps(reading: Reading, node: Node): readonly SkeletonStep[] {
  return childrenOf(node).flatMap((it) => stepsOf(reading, it));
}

function step<const T extends Omit<SkeletonStep, 'line' | 'isFlagged'>>(
  { file, flagged, line, found }: Reading,
  node: Node,
  parts: T,
): T & { readonly line: number; readonly isFlagged: boolean } {
  found.count++;
  return { ...parts, line: line ?? lineOf(file, node), isFlagged: flagged.has(node) };
}

function branchSteps(
  reading: Reading,
  node: TSESTree.IfStatement | TSESTree.ConditionalExpression,
  consequent: Node,
  alternate: Node | null,
  read: (side: Node) => readonly SkeletonStep[] = (side) => stepsOf(reading, side),
): readonly SkeletonStep[] {
  const test = stepsOf(reading, node.test);
  const then = read(consequent);
  const otherwise = alternate ? read(alternate) : [];
  const thenLeaves = !completes(consequent);
  const otherwiseLeaves = alternate !== null && !completes(alternate);
  // Guards that only leave are ways that a run does not take.
  if (then.length + otherwise.length === 0) return test;
  const parts = { kind: 'branch', then, otherwise, thenLeaves, otherwiseLeaves } as const;
  return [...test, step(reading, node, parts)];
}

/** `found ?? (await ask())`: the right side is a way that may be taken. */
function logicalSteps(
  reading: Reading,
  node: TSESTree.LogicalExpression,
  read: (side: Node) => readonly SkeletonStep[],
): readonly SkeletonStep[] {
  const then = read(node.right);
  if (then.length === 0) return read(node.left);
  const sides = { then, otherwise: [], thenLeaves: false, otherwiseLeaves: false };
  return [...read(node.left), step(reading, node, { kind: 'branch', ...sides })];
}

function loopSteps(reading: Reading, node: LoopNode): readonly SkeletonStep[] {
  if (node.type === 'ForOfStatement' && node.await) {
    reading.found.unreadable ??= 'it reads a stream, which sets its own pace';
    return [];
  }
  const parts = {
    ForStatement: ['test', 'body', 'update'],
    ForOfStatement: ['body'],
    ForInStatement: ['body'],
    WhileStatement: ['test', 'body'],
    DoWhileStatement: ['body', 'test'],
  }[node.type] as readonly string[];
  const sides = node as unknown as Readonly<Record<string, Node | null>>;
  const body = parts.flatMap((it) => (sides[it] ? stepsOf(reading, sides[it]) : []));
  const before = 'right' in node ? stepsOf(reading, node.right) : [];
  if (body.length === 0) return before;
  const count = loopsOf(reading.file).find((it) => it.node === node)?.bound;
  return [...before, step(reading, node, { kind: 'loop', count, isConcurrent: false, body })];
}

/** One case of several is taken: the first that waits. */
function switchSteps(reading: Reading, node: TSESTree.SwitchStatement): readonly SkeletonStep[] {
  const cases = node.cases.map((it) => it.consequent.flatMap((line) => stepsOf(reading, line)));
  return [...stepsOf(reading, node.discriminant), ...(cases.find((it) => it.length > 0) ?? [])];
}

/** A call that nobody waits for: only what it gives back, or the timer that starts the next round. */
function plainCallSteps(reading: Reading, node: TSESTree.CallExpression): readonly SkeletonStep[] {
  const { file, flagged } = reading;
  if (flagged.has(node)) {
    const pause = timerCallPause(file, node);
    if (pause) return [pauseStep(reading, node, pause)];
  }
  const releases = libraryCallOf(file, node)?.signature.releases !== undefined;
  return releases ? [step(reading, node, { kind: 'release' })] : [];
}

function returnedSteps(reading: Reading, argument: Node): readonly SkeletonStep[] {
  const it = bare(argument);
  // A value that was there is returned as it is.
  if (!isCall(it) && it.type !== 'ConditionalExpression' && it.type !== 'LogicalExpression') {
    return stepsOf(reading, argument);
  }
  return waitSteps(reading, argument, argument);
}

/** What waiting for `argument` waits for; `whole` is the await. */
function waitSteps(reading: Reading, argument: Node, whole: Node): readonly SkeletonStep[] {
  const { file, found } = reading;
  const it = bare(argument);
  const pause = pauseOf(file, it);
  if (pause) return [pauseStep(reading, whole, pause)];
  const read = (side: Node) => waitSteps(reading, side, whole);
  switch (it.type) {
    case 'AwaitExpression':
      return stepsOf(reading, it);
    case 'ConditionalExpression':
      return branchSteps(reading, it, it.consequent, it.alternate, read);
    case 'LogicalExpression':
      return logicalSteps(reading, it, read);
    case 'CallExpression':
    case 'NewExpression':
    case 'TaggedTemplateExpression':
      return callSteps(reading, it, whole);
    case 'Literal':
    case 'ArrayExpression':
    case 'ObjectExpression':
      return stepsOf(reading, it);
    default: {
      const effect = whole.type === 'AwaitExpression' ? awaitedEffect(file, whole) : undefined;
      if (effect) return ioSteps(reading, whole, [effect]);
      found.unreadable ??= `it waits for ${nameOfCall(it)}, which was started elsewhere`;
      return [];
    }
  }
}

function callSteps(
  reading: Reading,
  call: TSESTree.CallExpression | TSESTree.NewExpression | TSESTree.TaggedTemplateExpression,
  whole: Node,
): readonly SkeletonStep[] {
  const { file, callers } = reading;
  if (call.type === 'CallExpression') {
    const combined = combinedSteps(reading, call, whole) ?? chainedSteps(reading, call, whole);
    if (combined) return combined;
    const [callee, ...others] = implementationsOf(file, call) ?? [];
    if (callee && others.length === 0 && canFollow(callee, callers)) {
      return [...childSteps(reading, call), ...followed(reading, call, whole, callee)];
    }
  }
  const before = childSteps(reading, call);
  const library = libraryCallOf(file, call);
  if (library?.signature.acquires === 'connection') {
    const { roundTrips } = checkoutCostOf(library.callee.receiver);
    return [
      ...before,
      step(reading, flaggedOf(reading, call, whole), { kind: 'checkout', roundTrips }),
    ];
  }
  if (library?.signature.releases !== undefined) {
    return [...before, step(reading, whole, { kind: 'release' })];
  }
  const own =
    (library && libraryEffect(file, call, library)) ??
    (whole.type === 'AwaitExpression' ? awaitedEffect(file, whole) : undefined);
  if (own) return [...before, ...ioSteps(reading, flaggedOf(reading, call, whole), [own])];
  const { effects, unknown } = behaviourOf(file, whole, scopeAround(file, whole));
  if (effects.length > 0) return ioSteps(reading, flaggedOf(reading, call, whole), effects);
  return unknown ? [...before, unknownStep(reading, call, whole)] : before;
}

/** A finding may be about the call or about the await around it. */
function flaggedOf({ flagged }: Reading, call: Node, whole: Node): Node {
  return flagged.has(call) ? call : whole;
}

function canFollow({ node }: FunctionValue, callers: readonly FunctionNode[]): boolean {
  return callers.length < DEEPEST && !callers.includes(node);
}

function followed(
  reading: Reading,
  call: TSESTree.CallExpression,
  whole: Node,
  { file, node }: FunctionValue,
): readonly SkeletonStep[] {
  const { flagged, callers, found } = reading;
  const line = reading.line ?? lineOf(reading.file, call);
  const inner: Reading = { file, flagged, callers: [...callers, node], line, found };
  const body = bodySteps(inner, node);
  const parts = { kind: 'call', label: nameOfCall(call), body } as const;
  return body.length > 0 ? [step(reading, flaggedOf(reading, call, whole), parts)] : [];
}

function bodySteps(reading: Reading, fn: FunctionNode): readonly SkeletonStep[] {
  const body = bodyOf(fn);
  return body.type === 'BlockStatement' ? stepsOf(reading, body) : returnedSteps(reading, body);
}

/** `Promise.all([a(), b()])` and `Promise.all(rows.map(fn))`; undefined for any other call. */
function combinedSteps(
  reading: Reading,
  call: TSESTree.CallExpression,
  whole: Node,
): readonly SkeletonStep[] | undefined {
  const callee = bare(call.callee);
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return undefined;
  if (callee.object.name !== 'Promise' || !/^all(?:Settled)?$/.test(propertyName(callee) ?? '')) {
    return undefined;
  }
  const argument = call.arguments[0] && bare(call.arguments[0]);
  if (
    argument?.type === 'ArrayExpression' &&
    argument.elements.every((it) => it && isCall(bare(it)))
  ) {
    const branches = argument.elements.map((it) => waitSteps(reading, it!, it!));
    return [step(reading, whole, { kind: 'together', branches })];
  }
  const callback = argument?.type === 'CallExpression' ? argument.arguments[0] : undefined;
  if (argument?.type === 'CallExpression' && isFunction(callback) && isMap(argument)) {
    const body = bodySteps(reading, callback);
    const count = loopsOf(reading.file).find((it) => it.body === bodyOf(callback))?.bound;
    return [step(reading, whole, { kind: 'loop', count, isConcurrent: true, body })];
  }
  reading.found.unreadable ??= 'it waits for promises that were started elsewhere';
  return [];
}

/** `ask().then(use)`: what is asked, then what the link waits for; what a `catch` does is for failures. */
function chainedSteps(
  reading: Reading,
  call: TSESTree.CallExpression,
  whole: Node,
): readonly SkeletonStep[] | undefined {
  const callee = bare(call.callee);
  if (callee.type !== 'MemberExpression') return undefined;
  const method = propertyName(callee);
  if (method !== 'then' && method !== 'catch' && method !== 'finally') return undefined;
  const callback = call.arguments[0];
  const rest = method !== 'catch' && isFunction(callback) ? bodySteps(reading, callback) : [];
  return [...waitSteps(reading, callee.object, whole), ...rest];
}

function isMap({ callee }: TSESTree.CallExpression): boolean {
  const it = bare(callee);
  return it.type === 'MemberExpression' && propertyName(it) === 'map';
}

function pauseStep(reading: Reading, node: Node, { kind, duration }: Pause): SkeletonStep {
  return kind === 'sleep'
    ? step(reading, node, { kind: 'sleep', ms: duration.value })
    : step(reading, node, { kind: 'yield', how: kind });
}

const DESTINATIONS: Readonly<Partial<Record<Effect['env'], IoStep['to']>>> = {
  db: 'database',
  redis: 'database',
  lock: 'database',
  fs: 'disk',
  http: 'service',
  dns: 'service',
  email: 'service',
  queue: 'service',
  proc: 'service',
};

/** Most of an answer's body has come with its head. */
const BODY = /^(?:json|text|blob|bytes|arrayBuffer|formData)$/;

function ioSteps(
  reading: Reading,
  node: Node,
  effects: readonly Effect[],
): readonly SkeletonStep[] {
  return effects.flatMap(({ env, handle, library, method, at }) => {
    const to = DESTINATIONS[env];
    if (to === undefined || (env === 'http' && BODY.test(method))) return [];
    const call = at.node.type === 'AwaitExpression' ? at.node.argument : at.node;
    const name = nameOfCall(call);
    const label = name === 'the call' ? `${library} ${method}` : name;
    const on = handle === 'pool' ? 'pool' : 'connection';
    return [step(reading, node, { kind: 'io', label, to, on })];
  });
}

function unknownStep(reading: Reading, call: Node, whole: Node): SkeletonStep {
  const label = nameOfCall(call);
  return step(reading, flaggedOf(reading, call, whole), {
    kind: 'io',
    label,
    to: 'unknown',
    on: 'pool',
  });
}
