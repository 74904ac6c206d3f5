import { bare, contains, type FunctionNode, type Node, propertyName } from '../syntax/ast.ts';
import { isHandle, releases } from './handle.ts';
import type { State, Tour } from './state.ts';

const ENDS = /^(?:end|finish)$/;

/**
 * The query whose stream `fn` listens to, when `fn` is called only at the end and no other code could release the handle: a
 * stream that fails never ends.
 */
export function onlyStreamEndedBy(tour: Tour, state: State, fn: FunctionNode): Node | undefined {
  const call = fn.parent;
  if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return undefined;
  // no veto: what else takes an event and a function
  if (!/^(?:on|once|addListener)$/.test(propertyName(call.callee) ?? '')) return undefined;
  const [event] = call.arguments;
  // no veto: an event's name
  if (event?.type !== 'Literal') return undefined;
  if (!ENDS.test(String(event.value))) return undefined;
  if (tour.subject.handle.library.endsAfterErrors) return undefined;
  const query = sourceOf(tour, state, call.callee.object);
  return query && !isHeldElsewhere(tour, state, fn) ? query : undefined;
}

/** The call on the handle that a stream comes from: `client.query(…)` in `client.query(…).on(…).pipe(…)`. */
function sourceOf(tour: Tour, state: State, stream: Node): Node | undefined {
  let made: Node | undefined;
  for (let it: Node = bare(stream); ;) {
    if (isHandle(tour, state, it)) return made;
    if (it.type === 'CallExpression') {
      made = it;
      it = bare(it.callee);
    } else if (it.type === 'MemberExpression') {
      it = bare(it.object);
    } else if (it.type === 'Identifier') {
      const definition = tour.file.variableOf(it)?.defs[0]?.node;
      // no veto: only what is declared here has come from anywhere
      if (definition?.type !== 'VariableDeclarator' || !definition.init) return undefined;
      // no veto: a declaration that names itself would be followed for ever
      if (contains(definition, it)) return undefined;
      it = bare(definition.init);
    } else return undefined;
  }
}

/** Whether anything but queries is done with the handle outside of `fn`: a release, another listener, a call that takes it. */
function isHeldElsewhere(tour: Tour, state: State, fn: FunctionNode): boolean {
  return [...state.aliases.keys()].some((variable) =>
    variable.references.some(({ identifier, init }) => {
      const it = identifier as Node;
      if (init || contains(fn, it)) return false;
      const member = it.parent;
      // Passed to somebody.
      if (member?.type !== 'MemberExpression') return true;
      return releases(tour, propertyName(member));
    }),
  );
}
