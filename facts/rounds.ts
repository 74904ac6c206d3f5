import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  type FunctionNode,
  isClass,
  isFunction,
  isLoop,
  isNamed,
  type Node,
  propertyName,
  walk,
} from './ast.ts';
import type { FileFacts } from './file.ts';

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
  if (name === undefined || !fn.body) return [];
  const found: Round[] = [];
  walk(fn.body, (node) => {
    if (isClass(node)) return false;
    if (node.type === 'Identifier' && node.name === name && isSelf(file, node, fn)) {
      const round = roundAt(node, fn);
      if (round) found.push(round);
    } else if (
      node.type === 'MemberExpression' &&
      propertyName(node) === name &&
      isSelf(file, node, fn)
    ) {
      const round = roundAt(node, fn);
      if (round) found.push(round);
    }
    return true;
  });
  return found.length > 0 ? found : roundsThroughScheduler(file, fn);
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

function isSelf(file: FileFacts, node: Node, fn: FunctionNode): boolean {
  // A property's own name is a part of the member expression around it.
  if (node.type === 'Identifier' && isPropertyName(node)) return false;
  const value = file.valueOf(node);
  if (value.kind === 'function') return value.node === fn;
  if (node.type !== 'Identifier') return false;
  const [definition] = file.variableOf(node)?.defs ?? [];
  return definition?.node === fn;
}

function isPropertyName(node: TSESTree.Identifier): boolean {
  const { parent } = node;
  return (
    (parent.type === 'MemberExpression' && parent.property === node && !parent.computed) ||
    (parent.type === 'Property' && parent.key === node && !parent.shorthand)
  );
}

/** What a mention of the function means: a call that is waited for, a timer, or nothing of interest. */
function roundAt(mention: Node, fn: FunctionNode): Round | undefined {
  const handed = withBind(mention);
  const use = handed.parent!;
  if (use.type !== 'CallExpression') return undefined;
  let timer = isTimerCall(use) && use.arguments[0] === handed ? use : undefined;
  if (!timer && use.callee !== mention) return undefined;

  let isAwaited = false;
  for (let it: Node = use, parent = it.parent!; it !== fn.body; it = parent, parent = it.parent!) {
    if (isLoop(parent) && it === parent.body) return undefined;
    if (isFunction(it) && parent.type === 'CallExpression' && parent.callee !== it) {
      if (isTimerCall(parent) && parent.arguments[0] === it) timer ??= parent;
      else if (!isPromiseMethod(parent)) return undefined;
    } else if (isFunction(it) && parent.type !== 'CallExpression' && !isPromise(parent)) {
      return undefined;
    }
    if (parent.type === 'AwaitExpression' || parent.type === 'ReturnStatement') {
      if (!isInsideFunction(parent, fn)) isAwaited = true;
    }
  }
  if (fn.body!.type !== 'BlockStatement' && !timer) isAwaited = true;
  return timer || isAwaited ? { node: mention, timer, isAwaited } : undefined;
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

function isInsideFunction(node: Node, fn: FunctionNode): boolean {
  for (let it: Node | undefined = node.parent; it && it !== fn; it = it.parent) {
    if (isFunction(it)) return true;
  }
  return false;
}

function isBind(node: Node): boolean {
  const it = bare(node);
  return it.type === 'MemberExpression' && propertyName(it) === 'bind';
}

function isPromiseMethod(call: TSESTree.CallExpression): boolean {
  const callee = bare(call.callee);
  return (
    callee.type === 'MemberExpression' &&
    /^(?:then|catch|finally)$/.test(propertyName(callee) ?? '')
  );
}

function isPromise(node: Node): boolean {
  return node.type === 'NewExpression' && isNamed(node.callee, 'Promise');
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
  if (!/setTimeout|setImmediate/.test(file.text)) return found;
  walk(fn.body!, (node) => {
    if (isClass(node)) return false;
    if (node.type !== 'CallExpression' || found.length > 0) return true;
    const callee = file.valueOf(node.callee);
    if (callee.kind !== 'function' || callee.file !== file || callee.node === fn) return true;
    const timer = timerFor(file, callee.node, fn);
    if (timer && !isInsideLoop(node, fn)) found.push({ node, timer, isAwaited: false });
    return true;
  });
  return found;
}

/** The timer that `scheduler` sets for `fn` as the only thing it does. */
function timerFor(
  file: FileFacts,
  scheduler: FunctionNode,
  fn: FunctionNode,
): TSESTree.CallExpression | undefined {
  if (!scheduler.body || scheduler.body.type !== 'BlockStatement') return undefined;
  let found: TSESTree.CallExpression | undefined;
  walk(scheduler.body, (node) => {
    if (found || !isTimerCall(node)) return !found;
    const [callback] = node.arguments;
    if (callback && calls(file, callback, fn)) found = node;
    return !found;
  });
  return found;
}

function calls(file: FileFacts, callback: Node, fn: FunctionNode): boolean {
  if (!isFunction(callback)) {
    const it = bare(callback);
    const target =
      it.type === 'CallExpression' && isBind(it.callee)
        ? (bare(it.callee) as TSESTree.MemberExpression).object
        : it;
    const value = file.valueOf(target);
    return value.kind === 'function' && value.node === fn;
  }
  let found = false;
  walk(callback.body, (node) => {
    if (node.type !== 'CallExpression') return;
    const value = file.valueOf(node.callee);
    found ||= value.kind === 'function' && value.node === fn;
  });
  return found;
}

function isInsideLoop(node: Node, fn: FunctionNode): boolean {
  for (let it: Node | undefined = node.parent; it && it !== fn; it = it.parent) {
    if (isLoop(it)) return true;
  }
  return false;
}
