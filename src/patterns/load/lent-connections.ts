import { bare, functionAround, isFunction, type Node, rootOf } from '../../analysis/syntax/ast.ts';
import { returnedExpressions } from '../../analysis/syntax/calls.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import { type LiveScope, lentIn } from '../pools/live-scopes.ts';

/** The scope in which a function around the node borrows what a name means: the connection, or an object made around it. */
export function lentUnder(
  file: FileFacts,
  variable: Variable | undefined,
  node: Node,
): LiveScope | undefined {
  // no veto: a name that nothing declares.
  if (!variable) return undefined;
  for (let fn = functionAround(node); fn; fn = functionAround(fn)) {
    const scope = lentIn(file, fn).find((it) => it.names.includes(variable));
    if (scope) return scope;
  }
  return undefined;
}

/** An object around the one connection of a scope: `orders` of `inUnit(async ({ orders }) => …)`. */
export interface LentObject {
  readonly name: string;
  readonly scope: LiveScope;
}

/** What an element calls, where that is such an object. */
export function lentObjectAt(file: FileFacts, element: Node): LentObject | undefined {
  const result = isFunction(element) ? returnedExpressions(element)[0] : element;
  const call = result && bare(result);
  const root = call?.type === 'CallExpression' ? rootOf(call.callee) : undefined;
  // no veto: the shape of a call.
  if (root?.type !== 'Identifier') return undefined;
  const scope = lentUnder(file, file.variableOf(root), element);
  return scope?.isWrapped ? { name: root.name, scope } : undefined;
}
