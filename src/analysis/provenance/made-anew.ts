import { query } from '../../engine/query.ts';
import { bare, type ClassNode, dottedName, walk } from '../syntax/ast.ts';
import { valueOf } from './value-of.ts';
import type { FileFacts } from '../file/file.ts';

/** Whether a class makes others of itself from what they are given, as one for a transaction: `new Users(tx)`, `new this.constructor(tx)`. */
export function makesItself(file: FileFacts | undefined, node: ClassNode): boolean {
  // no veto: without a file, there is nothing to remember it by.
  if (!file) return isMadeWithin(node);
  return isMadeByItself(file, node);
}

const isMadeByItself = query(
  'makes itself',
  (file: FileFacts, node: ClassNode): boolean => {
    const parent = node.superClass ? valueOf(file, node.superClass) : undefined;
    const isInherited = parent?.kind === 'class' && makesItself(parent.file, parent.node);
    return isInherited || isMadeWithin(node);
  },
  { whileCyclic: false },
);

function isMadeWithin({ body, id }: ClassNode): boolean {
  let found = false;
  walk(body, (it) => {
    // no veto: nothing is made.
    if (it.type !== 'NewExpression' || it.arguments.length === 0) return;
    const callee = bare(it.callee);
    if (callee.type === 'Identifier' && callee.name === id?.name) found = true;
    if (dottedName(callee) === 'this.constructor') found = true;
  });
  return found;
}
