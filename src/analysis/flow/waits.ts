import { valueOf } from '../provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  dottedName,
  functionAround,
  type FunctionNode,
  isNamed,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { isAwaited } from './awaited.ts';
import type { FileFacts } from '../file/file.ts';
import { endsAt, startsAt } from '../syntax/places.ts';

/**
 * Whether `root` (a loop's body, a function) goes on only when the call at `node` is done, through promise executors, links of
 * promise chains and the callbacks of libraries.
 */
export function isWaitedFor(file: FileFacts, node: Node, root: Node): boolean {
  let it = node;
  for (let fn = functionAround(it); fn && isInside(fn, root); fn = functionAround(it)) {
    const outer = callAround(file, fn);
    if (!outer) return false;
    // A called function expression answers when it is done, and that only if it waits itself.
    // no veto: those that ask look for an await around the call, too.
    if (bare(outer.callee) === fn && !isAwaited(file, it)) return false;
    it = outer;
  }
  return it.type === 'AwaitExpression' || isAwaited(file, it);
}

/** The call that runs the function while it is under way: an executor, a link of a chain, a library's callback. */
export function callAround(
  file: FileFacts,
  fn: FunctionNode,
): TSESTree.CallExpression | TSESTree.NewExpression | undefined {
  const { parent } = fn;
  const call = inlineCallOf(fn);
  if (call || parent.type !== 'CallExpression') return call;
  return valueOf(file, parent.callee).kind === 'callable' ? parent : undefined;
}

/**
 * The expression that runs the function as a part of itself: a promise, a link of a chain, or a call of the function
 * expression.
 */
export function inlineCallOf(
  fn: FunctionNode,
): TSESTree.CallExpression | TSESTree.NewExpression | undefined {
  const { parent } = fn;
  if (parent.type === 'NewExpression') {
    return isNamed(parent.callee, 'Promise') ? parent : undefined;
  }
  if (parent.type !== 'CallExpression') return undefined;
  const callee = bare(parent.callee);
  const isLink =
    callee.type === 'MemberExpression' &&
    /^(?:then|catch|finally)$/.test(propertyName(callee) ?? '');
  return isLink || callee === fn ? parent : undefined;
}

/** Whether the call at `node` is one of several concurrent ones: an argument of `Promise.all`, an element of its array. */
export function isSideBySide(node: Node, root: Node): boolean {
  for (let it = node.parent; it && it !== root; it = it.parent) {
    if (it.type !== 'CallExpression') continue;
    const callee = bare(it.callee);
    const isPromise = callee.type === 'MemberExpression' && isNamed(callee.object, 'Promise');
    if (isPromise) return true;
  }
  return false;
}

/** Whether the promise of the call at `node` goes into a list, to be waited for with others: `jobs.push(save(it))`. */
export function isCollectedPromise(node: Node, root: Node): boolean {
  for (let it = node.parent; it && it !== root; it = it.parent) {
    if (it.type === 'AwaitExpression') return false;
    if (it.type !== 'CallExpression') continue;
    const callee = bare(it.callee);
    if (callee.type !== 'MemberExpression') return false;
    if (/^(?:push|unshift)$/.test(propertyName(callee) ?? '')) return true;
  }
  return false;
}

function isInside(node: Node, root: Node): boolean {
  return node !== root && startsAt(root) <= startsAt(node) && endsAt(node) <= endsAt(root);
}

/**
 * Whether code goes on with what `node` gives: not where it is a statement of its own, also behind `await`, `void`,
 * `.catch(…)` or in a `Promise.all` that is one.
 */
export function isAnswerUsed(node: Node): boolean {
  let it = node;
  for (let { parent } = it; parent; { parent } = it) {
    if (!handsOn(parent, it)) return parent.type !== 'ExpressionStatement';
    it = parent;
  }
  return true;
}

function handsOn(parent: Node, child: Node): boolean {
  switch (parent.type) {
    case 'AwaitExpression':
    case 'ChainExpression':
    case 'ArrayExpression':
      return true;
    case 'UnaryExpression':
      return parent.operator === 'void';
    case 'MemberExpression':
      return parent.object === child && /^(?:catch|finally)$/.test(propertyName(parent) ?? '');
    case 'CallExpression':
      return parent.callee === child || /^Promise\.all/.test(dottedName(parent.callee) ?? '');
    default:
      return false;
  }
}
