import { bare, type ClassNode, walk } from '../syntax/ast.ts';

/** Whether a class makes others of itself from what they are given, as one for a transaction: `new Users(tx)`. */
export function makesItself({ body, id }: ClassNode): boolean {
  let found = false;
  walk(body, (it) => {
    // no veto: nothing is made.
    if (it.type !== 'NewExpression' || it.arguments.length === 0) return;
    const callee = bare(it.callee);
    if (callee.type === 'Identifier' && callee.name === id?.name) found = true;
  });
  return found;
}
