import { query } from '../../engine/query.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { FileFacts } from '../file/file.ts';
import type { FunctionValue } from '../file/value.ts';
import { bare, dottedName, isLoop, type Node, walkOwn } from '../syntax/ast.ts';

/**
 * The one expression that the function awaits or returns; undefined when there are several, and when it repeats or fails on
 * purpose. Of most called functions, nothing else is asked.
 */
export function onlyWaitOf({ file, node }: FunctionValue): Node | undefined {
  const body = bodyOf(node);
  if (body.type !== 'BlockStatement') return body;
  return onlyWaitIn(file, body);
}

const onlyWaitIn = query(
  'only wait',
  (_: FileFacts, body: Node): Node | undefined => {
    const waits: Node[] = [];
    let isOther = false;
    walkOwn(body, (node) => {
      if (isLoop(node) || node.type === 'YieldExpression') isOther = true;
      // no veto: spares the rest of the walk.
      if (isOther || waits.length > 1) return false;
      if (node.type === 'AwaitExpression') {
        waits.push(node.argument);
        return false;
      }
      const returned = node.type === 'ReturnStatement' ? node.argument : null;
      if (returned && bare(returned).type !== 'AwaitExpression' && !isOver(returned))
        waits.push(returned);
      return true;
    });
    return isOther || waits.length !== 1 ? undefined : waits[0];
  },
  { whileCyclic: undefined },
);

/** `Promise.resolve()` */
function isOver(node: Node): boolean {
  const it = bare(node);
  return it.type === 'CallExpression' && dottedName(it.callee) === 'Promise.resolve';
}
