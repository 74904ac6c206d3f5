import { bare, type FunctionNode, isFunction, type Node, propertyName } from '../syntax/ast.ts';
import { aliasOf, isHandle, memberOnHandle, releases } from './handle.ts';
import type { State, Tour } from './state.ts';
import { type Outcome, outcomesOf } from './summaries.ts';

/** `client.query = (...args) => …`: only the owner of the handle runs its methods. */
export function isMethodOfHandle(tour: Tour, node: Node, state: State): boolean {
  const target = targetOf(node);
  return target?.type === 'MemberExpression' && isHandle(tour, state, target.object);
}

/** `client.release = () => …`. */
export function isGivenAsRelease(tour: Tour, node: Node): boolean {
  const target = targetOf(node);
  return target?.type === 'MemberExpression' && isNameOfRelease(tour, propertyName(target));
}

/** `client.end` of a pool's client, which is no release, may become one where code replaces it. */
export function isNameOfRelease(tour: Tour, name: string | undefined): boolean {
  return releases(tour, name) && !memberOnHandle(tour, name)?.keepsPlace;
}

/** What a value is assigned to. */
function targetOf(node: Node): Node | undefined {
  let it = node;
  while (it.parent && bare(it.parent) === bare(it)) it = it.parent;
  const { parent } = it;
  return parent?.type === 'AssignmentExpression' && parent.right === it ? parent.left : undefined;
}

/**
 * The replacement of the handle's release also releases it: the release itself, or a function that reaches it on every path.
 */
export function isRelease(tour: Tour, value: Node, state: State): boolean {
  if (aliasOf(tour, state, value) === 'releaser') return true;
  const node = bare(value);
  return (
    isFunction(node) && outcomesWhenCalled(tour, node, state).every((it) => it.phase === 'released')
  );
}

export function outcomesWhenCalled(
  tour: Tour,
  node: FunctionNode,
  state: State,
): readonly Outcome[] {
  const callee = { kind: 'function', file: tour.file, node } as const;
  return outcomesOf(tour, { node, callees: [callee] }, state);
}
