import { bare, functionAround, isFunction, type Node } from '../syntax/ast.ts';
import { isAwaited } from '../flow/awaited.ts';
import { argumentsOf, type Call, calleeOf } from '../syntax/calls.ts';
import { aliasOf } from './handle.ts';
import type { State, Tour } from './state.ts';
import { endsAt, startsAt } from '../syntax/places.ts';

/**
 * `await work(client)` of a function that was passed in, after which the code continues with the client (`COMMIT`): it lends
 * the client for the call, and releases it itself. The last call may be the release.
 */
export function isLentToCallback(tour: Tour, node: Call, state: State): boolean {
  const callee = bare(calleeOf(node));
  const [definition] =
    (callee.type === 'Identifier' ? tour.file.variableOf(callee)?.defs : undefined) ?? [];
  if (definition?.type !== 'Parameter' || !isAwaited(tour.file, node)) return false;
  const given = argumentsOf(node).map((it) => aliasOf(tour, state, it));
  // veto: the callback receives no connection, or receives the function that releases it as well
  if (!given.includes('handle') || given.includes('releaser')) return false;
  const fn = functionAround(node);
  return [...state.aliases].some(
    ([variable, alias]) =>
      alias === 'handle' &&
      variable.references.some(({ identifier }) => {
        const use = identifier as Node;
        const isAfter = startsAt(use) > endsAt(node) && functionAround(use) === fn;
        return isAfter && use.parent?.type === 'MemberExpression' && !isAfterFailure(use);
      }),
  );
}

function isAfterFailure(node: Node): boolean {
  for (let it = node.parent; it && !isFunction(it); it = it.parent) {
    if (it.type === 'CatchClause') return true;
  }
  return false;
}
