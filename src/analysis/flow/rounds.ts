import { valueOf } from '../provenance/value-of.ts';
import { collect } from '../../engine/regions.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  contains,
  type FunctionNode,
  isFunction,
  isLoop,
  type Node,
  propertyName,
  walk,
} from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { inlineCallOf } from './waits.ts';
import { groupsOf } from '../syntax/grouped.ts';

/** A place where a function starts its own next run. */
export interface Round {
  /** The call of the function itself, or the place where it is handed to a timer. */
  readonly node: Node;
  /** The timer call that delays the next run: `setTimeout(run, 100)`. */
  readonly timer: TSESTree.CallExpression | undefined;
  /** The run that starts it waits for it. */
  readonly isAwaited: boolean;
}

/**
 * Where `fn` runs itself again: awaited or returned calls of itself, timers that call it, also through one other
 * function of the file that sets the timer. Recursion over a tree (a call in a loop or a callback) is no round.
 */
export function roundsOf(file: FileFacts, fn: FunctionNode): readonly Round[] {
  const name = ownName(fn);
  // no veto: what has no name is not started by it.
  if (name === undefined) return [];
  const found = roundsByName(file, fn, name);
  return found.length > 0 ? found : roundsThroughScheduler(file, fn);
}

/**
 * Whether a timer starts each next run once this one is over, as `setInterval` would. In a `catch`, it only starts what has failed
 * again.
 */
export function isRescheduled(file: FileFacts, fn: FunctionNode): boolean {
  return roundsOf(file, fn).some(
    ({ node, timer, isAwaited }) => timer !== undefined && !isAwaited && !isInCatch(node, fn),
  );
}

function isInCatch(node: Node, fn: FunctionNode): boolean {
  for (let it = node; it !== fn && it.parent; it = it.parent) {
    // no veto: a measurement is no report.
    if (it.type === 'CatchClause') return true;
  }
  return false;
}

function roundsByName(file: FileFacts, fn: FunctionNode, name: string): readonly Round[] {
  const found: Round[] = [];
  // Functions inside each other would be walked again and again for nothing.
  if (!file.textOf(bodyOf(fn)).includes(name)) return found;
  walk(bodyOf(fn), (node) => {
    // no veto: what is called otherwise is not the function; spares the look.
    if (nameAt(node) !== name) return;
    // veto: the function of that name belongs to a different object, so the call is no recursion
    if (!mayBeOwn(file, node, fn)) return;
    // First what takes no look into other files.
    const round = roundAt(node, fn);
    if (round && isFunctionAt(file, node, fn)) found.push(round);
  });
  return found;
}

/** The name by which a function can call itself. */
function ownName(fn: FunctionNode): string | undefined {
  if (fn.type !== 'ArrowFunctionExpression' && fn.id) return fn.id.name;
  const { parent } = fn;
  if (parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition') {
    return propertyName(parent);
  }
  if (parent.type === 'Property') return propertyName(parent);
  if (parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier') {
    return parent.id.name;
  }
  if (parent.type === 'AssignmentExpression' && parent.left.type === 'MemberExpression') {
    return propertyName(parent.left);
  }
  return undefined;
}

function nameAt(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' ? propertyName(node) : undefined;
}

/** Whether it may be on what the function itself is: what that holds, asks for or is given is another (`this.next.run()`). */
function mayBeOwn(file: FileFacts, mention: Node, fn: FunctionNode): boolean {
  if (mention.type !== 'MemberExpression') return true;
  const object = bare(mention.object);
  if (object.type !== 'Identifier') return object.type === 'ThisExpression';
  const [def] = file.variableOf(object)?.defs ?? [];
  if (!def || !contains(fn, def.name)) return true;
  const init = def.node.type === 'VariableDeclarator' ? def.node.init : null;
  return init !== null && bare(init).type === 'ThisExpression';
}

function isFunctionAt(file: FileFacts, node: Node, fn: FunctionNode): boolean {
  const value = valueOf(file, node);
  return value.kind === 'function' && value.node === fn;
}

/** What a mention of the function means: a call that is waited for, a timer, or nothing of interest. */
function roundAt(mention: Node, fn: FunctionNode): Round | undefined {
  const handed = withBind(mention);
  const use = handed.parent!;
  if (use.type !== 'CallExpression') return undefined;
  const isTimers = isTimerCall(use) && use.arguments[0] === handed;
  if (!isTimers && use.callee !== mention) return undefined;
  const way = wayTo(use, fn, isTimers ? use : undefined);
  return way && (way.timer || way.isAwaited) ? { node: mention, ...way } : undefined;
}

/**
 * How a run of `fn` comes to a place in it, and whether it waits there; undefined where a loop repeats the place, or a
 * function around it runs nobody knows when.
 */
function wayTo(
  place: Node,
  fn: FunctionNode,
  ownTimer?: TSESTree.CallExpression,
): Pick<Round, 'timer' | 'isAwaited'> | undefined {
  let timer = ownTimer;
  // Nothing waits for what a timer runs, but for a promise that it resolves.
  let isDetached = timer !== undefined;
  let isAwaited = false;
  for (let it = place, parent = it.parent!; it !== bodyOf(fn); it = parent, parent = it.parent!) {
    if (isLoop(parent) && it === parent.body) return undefined;
    if (isFunction(it)) {
      isAwaited = false;
      if (isTimerCall(parent) && parent.arguments[0] === it) {
        timer ??= parent;
        isDetached = true;
      } else if (!inlineCallOf(it)) return undefined;
      else if (parent.type === 'NewExpression') isDetached = false;
    }
    if (parent.type === 'AwaitExpression' || parent.type === 'ReturnStatement') {
      isAwaited ||= !isDetached;
    }
  }
  return { timer, isAwaited: isAwaited || (bodyOf(fn).type !== 'BlockStatement' && !timer) };
}

/** `this.run.bind(this)` for `this.run`, or the mention itself. */
function withBind(mention: Node): Node {
  const member = mention.parent!;
  return member.type === 'MemberExpression' &&
    member.object === mention &&
    propertyName(member) === 'bind' &&
    member.parent.type === 'CallExpression' &&
    member.parent.callee === member
    ? member.parent
    : mention;
}

function isBind(node: Node): boolean {
  const it = bare(node);
  return it.type === 'MemberExpression' && propertyName(it) === 'bind';
}

/** `setTimeout(…)` or `setImmediate(…)`, on the global object or not. */
function isTimerCall(node: Node): node is TSESTree.CallExpression {
  if (node.type !== 'CallExpression') return false;
  const callee = bare(node.callee);
  const name =
    callee.type === 'Identifier'
      ? callee.name
      : callee.type === 'MemberExpression'
        ? propertyName(callee)
        : undefined;
  return name === 'setTimeout' || name === 'setImmediate';
}

/** `tick() { …; this.schedule() }` with `schedule() { setTimeout(() => this.tick(), 100) }`. */
function roundsThroughScheduler(file: FileFacts, fn: FunctionNode): readonly Round[] {
  const found: Round[] = [];
  const timers = timersRunning(file, fn);
  // To know what each call in a function calls takes many looks into other files.
  // no veto: without a timer nothing is found.
  if (timers.length === 0) return found;
  walk(bodyOf(fn), (node) => {
    if (node.type !== 'CallExpression') return;
    const callee = valueOf(file, node.callee);
    // no veto: a scheduler elsewhere knows nothing of this function.
    if (callee.kind !== 'function' || callee.file !== file) return;
    const timer = timers.find((it) => contains(callee.node, it) && wayTo(it, callee.node));
    if (timer && wayTo(node, fn)) found.push({ node, timer, isAwaited: false });
  });
  return found;
}

const timersOf: (file: FileFacts) => readonly TSESTree.CallExpression[] = collect(
  'timers',
  (_: FileFacts, { all }) => all('CallExpression').filter(isTimerCall),
);

/** Those that run a function, or one that calls it. */
function timersRunning(file: FileFacts, fn: FunctionNode): readonly TSESTree.CallExpression[] {
  return (timersByFunction(file).get(fn) ?? []).map((it) => it.timer);
}

const timersByFunction = groupsOf(
  'timers by function',
  (file: FileFacts) =>
    timersOf(file).flatMap((timer) => {
      const [callback] = timer.arguments;
      const run = new Set(callback ? functionsRunBy(file, callback) : []);
      return [...run].map((it) => ({ timer, fn: it }));
    }),
  (it) => it.fn,
);

function functionsRunBy(file: FileFacts, callback: Node): readonly FunctionNode[] {
  const run: Node[] = [];
  if (isFunction(callback)) {
    walk(bodyOf(callback), (it) => {
      if (it.type === 'CallExpression') run.push(it.callee);
    });
  } else {
    const it = bare(callback);
    const isBound = it.type === 'CallExpression' && isBind(it.callee);
    run.push(isBound ? (bare(it.callee) as TSESTree.MemberExpression).object : it);
  }
  return run.flatMap((it) => {
    const value = valueOf(file, it);
    return value.kind === 'function' ? [value.node] : [];
  });
}
