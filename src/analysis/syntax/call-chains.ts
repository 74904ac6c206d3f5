import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type Node } from './ast.ts';

/** `knex('users').insert(row)`: the calls of a chain, the last one first. */
export function chainOf(node: Node): readonly TSESTree.CallExpression[] {
  const calls: TSESTree.CallExpression[] = [];
  let it = bare(node);
  for (;;) {
    if (it.type === 'AwaitExpression') it = bare(it.argument);
    else if (it.type === 'MemberExpression') it = bare(it.object);
    else if (it.type === 'CallExpression') {
      calls.push(it);
      it = bare(it.callee);
    } else return calls;
  }
}

/** `db('ships').insert(row)` around `db('ships')`. */
export function wholeChain(start: Node): Node {
  let it = start;
  for (;;) {
    const { parent } = it;
    const isLink = parent?.type === 'MemberExpression' && parent.object === it;
    const call = isLink ? parent.parent : undefined;
    if (call?.type !== 'CallExpression' || call.callee !== parent) return it;
    it = call;
  }
}
