import type { TSESTree } from '@typescript-eslint/utils';
import { bare, dottedName, isNamed, type Node, propertyName } from './ast.ts';

/** A list built by calling a function for each element of another list: `xs.map(fn)`, `Array.from(xs, fn)`. */
export interface Mapping {
  readonly over: TSESTree.Expression;
  readonly fn: TSESTree.CallExpressionArgument;
}

export function mappingOf(call: TSESTree.CallExpression): Mapping | undefined {
  const callee = bare(call.callee);
  if (callee.type !== 'MemberExpression') return undefined;
  const [first, second] = call.arguments;
  const isFrom = isArrayFrom(callee);
  if (!isFrom && !/^(?:map|flatMap)$/.test(propertyName(callee) ?? '')) return undefined;
  const over = isFrom ? first : callee.object;
  const fn = isFrom ? second : first;
  return over && over.type !== 'SpreadElement' && fn ? { over, fn } : undefined;
}

/** The list with the same elements, where an expression only copies one: `[...xs]`, `Array.from(xs)`. */
export function copiedBy(node: Node): TSESTree.Expression | undefined {
  const it = bare(node);
  if (it.type === 'ArrayExpression') {
    const [only, ...others] = it.elements;
    return only?.type === 'SpreadElement' && others.length === 0 ? only.argument : undefined;
  }
  if (it.type !== 'CallExpression' || it.arguments.length !== 1) return undefined;
  const [list] = it.arguments;
  const isSame = list!.type !== 'SpreadElement' && keepsElements(bare(it.callee));
  return isSame ? (list as TSESTree.Expression) : undefined;
}

/** `Array.from(xs)`, `Object.freeze(xs)` */
function keepsElements(callee: Node): boolean {
  return isArrayFrom(callee) || /^Object\.(?:freeze|seal)$/.test(dottedName(callee) ?? '');
}

function isArrayFrom(callee: Node): boolean {
  return (
    callee.type === 'MemberExpression' &&
    propertyName(callee) === 'from' &&
    isNamed(callee.object, 'Array')
  );
}
