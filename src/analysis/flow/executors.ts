import { valueOf } from '../provenance/value-of.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, contains, isFunction, type Node, propertyName, walk } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { nameNodeOf } from '../syntax/function-names.ts';

/** A promise that only a timer resolves. */
export interface ExecutorTimer {
  readonly name: 'setTimeout' | 'setImmediate' | 'process.nextTick' | 'queueMicrotask';
  readonly call: Node;
  readonly time: Node | undefined;
  /** The signal that ends the wait early. */
  readonly abort: Node | undefined;
}

const TIMERS = new Set(['setTimeout', 'setImmediate', 'process.nextTick', 'queueMicrotask']);

/**
 * The timer behind `new Promise((resolve) => setTimeout(resolve, ms))`, also with the work that the timer's callback
 * starts. Undefined when anything else can resolve the promise: then it waits for that, and the timer is a time-out.
 */
export function executorTimer(
  file: FileFacts,
  promise: TSESTree.NewExpression,
): ExecutorTimer | undefined {
  const [argument] = promise.arguments;
  if (!argument) return undefined;
  const executor = bare(argument);
  if (!isFunction(executor)) {
    // `new Promise(setImmediate)`: the executor's first parameter is the timer's callback.
    const name = timerName(file, executor);
    return name && name !== 'setTimeout'
      ? { name, call: promise, time: undefined, abort: undefined }
      : undefined;
  }
  const resolve = executor.params[0];
  if (resolve?.type !== 'Identifier') return undefined;
  const variable = file.variableOf(resolve);
  let timer: ExecutorTimer | undefined;
  let abort: Node | undefined;
  let isOther = false;
  const body = bodyOf(executor);
  for (const { identifier } of variable?.references ?? []) {
    for (const use of usesOf(file, identifier as Node, body)) {
      const found = timerAround(file, use, body);
      if (found) {
        if (timer && timer.call !== found.call) isOther = true;
        timer = found;
      } else if (isAbortHandling(file, use, body)) {
        abort ??= use;
      } else isOther = true;
    }
  }
  if (!timer || isOther) return undefined;
  return { ...timer, abort: abort ?? abortListener(body) };
}

/** Where it is used: in a function with a name, `const done = () => { clearTimeout(timer); resolve(); }`, wherever that is. */
function usesOf(file: FileFacts, node: Node, body: Node): readonly Node[] {
  if (isAbortHandling(file, node, body)) return [node];
  for (let it: Node | undefined = node; it && it !== body; it = it.parent) {
    const name = isFunction(it) ? nameNodeOf(it) : undefined;
    const variable = name && file.variableOf(name);
    if (!variable) continue;
    const uses = variable.references
      .filter((use) => !use.init)
      .map((use) => use.identifier as Node);
    return uses.filter((use) => !isTakenBack(use));
  }
  return [node];
}

/** `signal.removeEventListener('abort', done)`: it is called no longer. */
function isTakenBack({ parent }: Node): boolean {
  const callee = parent?.type === 'CallExpression' ? bare(parent.callee) : undefined;
  return (
    callee?.type === 'MemberExpression' &&
    /^(?:removeEventListener|removeListener|off)$/.test(propertyName(callee) ?? '')
  );
}

/** The outermost timer call whose callback the node is in (or is). */
function timerAround(file: FileFacts, node: Node, root: Node): ExecutorTimer | undefined {
  let found: ExecutorTimer | undefined;
  for (
    let it = node, parent = it.parent;
    parent && contains(root, parent);
    it = parent, parent = it.parent
  ) {
    if (parent.type !== 'CallExpression' || parent.arguments[0] !== it) continue;
    const name = timerName(file, bare(parent.callee));
    if (name) found = { name, call: parent, time: parent.arguments[1], abort: undefined };
  }
  return found;
}

function timerName(file: FileFacts, node: Node): ExecutorTimer['name'] | undefined {
  const value = valueOf(file, node);
  if (value.kind !== 'global') return undefined;
  const name = value.name.replace(/^(?:globalThis|global|window|self)\./, '');
  return TIMERS.has(name) ? (name as ExecutorTimer['name']) : undefined;
}

/** `signal.addEventListener('abort', …)` and `if (signal.aborted) return resolve()`. */
function isAbortHandling(file: FileFacts, node: Node, root: Node): boolean {
  for (let it: Node | undefined = node; it && it !== root; it = it.parent) {
    if (it.type === 'IfStatement' && /abort/i.test(file.textOf(it.test))) return true;
    if (it.type === 'CallExpression' && isListener(it)) return true;
  }
  return false;
}

function isListener(call: TSESTree.CallExpression): boolean {
  const callee = bare(call.callee);
  const [event] = call.arguments;
  return (
    callee.type === 'MemberExpression' &&
    /^(?:addEventListener|once|on)$/.test(propertyName(callee) ?? '') &&
    event?.type === 'Literal' &&
    event.value === 'abort'
  );
}

/** A listener that rejects: the wait may end early too. */
function abortListener(body: Node): Node | undefined {
  let found: Node | undefined;
  walk(body, (node) => {
    if (node.type === 'CallExpression' && isListener(node)) found ??= node;
  });
  return found;
}
