import type { TSESTree } from '@typescript-eslint/utils';
import { bare, dottedName, functionAround, isFunction, type Node, propertyName } from './ast.ts';
import { returnedExpressions } from './calls.ts';
import { builderEffect, type Effect } from './effects.ts';
import type { FileFacts } from './file.ts';

/**
 * The effects of query builders that run at `node` without an `await` of their own: the elements of `Promise.all`, and
 * what an async function returns, for which its own promise waits.
 */
export function settledEffects(file: FileFacts, node: Node): readonly Effect[] {
  return settledAt(node).flatMap((it) => builderEffect(file, it) ?? []);
}

function settledAt(node: Node): readonly Node[] {
  if (node.type === 'ReturnStatement') {
    return node.argument && functionAround(node)?.async ? [node.argument] : [];
  }
  const { parent } = node;
  const isBody = parent?.type === 'ArrowFunctionExpression' && parent.body === node;
  return [
    ...(isBody && parent.async && node.type !== 'BlockStatement' ? [node] : []),
    ...(node.type === 'CallExpression' && isJoin(node) ? elementsOf(node.arguments[0]) : []),
  ];
}

function isJoin({ callee }: TSESTree.CallExpression): boolean {
  return /^Promise\.(?:all|allSettled|any|race)$/.test(dottedName(callee) ?? '');
}

/** `[a, b]`, or what each element of `rows.map((row) => …)` comes to. */
function elementsOf(list: Node | undefined): readonly Node[] {
  const it = list && bare(list);
  if (it?.type === 'ArrayExpression') return it.elements.filter((element) => element !== null);
  if (it?.type !== 'CallExpression') return [];
  const callee = bare(it.callee);
  const [fn] = it.arguments;
  const isMap = callee.type === 'MemberExpression' && propertyName(callee) === 'map';
  return isMap && isFunction(fn) && !fn.async ? returnedExpressions(fn) : [];
}
