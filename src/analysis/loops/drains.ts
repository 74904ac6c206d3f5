import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type Node } from '../syntax/ast.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import type { FileFacts } from '../file/file.ts';
import { leavesEarly } from './shapes.ts';
import { loopsOf } from '../flow/loops.ts';

/** `while ((id = await redis.lpop(key)))`: a queue emptied one element a round trip. */
export interface Drain {
  readonly node: TSESTree.AwaitExpression;
  readonly method: string;
  /** The command that takes many. */
  readonly bulk: string;
}

const BULK: Readonly<Record<string, string>> = {
  lpop: 'LPOP with a count, or LMPOP',
  rpop: 'RPOP with a count, or LMPOP',
  spop: 'SPOP with a count',
  zpopmin: 'ZPOPMIN with a count',
  zpopmax: 'ZPOPMAX with a count',
};

export function drainsOf(file: FileFacts): readonly Drain[] {
  return loopsOf(file).flatMap((loop): Drain[] => {
    const { node } = loop;
    if (node.type !== 'WhileStatement') return [];
    // What would be taken too many would be lost.
    if (leavesEarly(file, loop)) return [];
    const take = awaitIn(node.test);
    const call = take && bare(take.argument);
    // no veto: nothing is taken.
    if (!take || call?.type !== 'CallExpression') return [];
    const method = libraryCallOf(file, call)?.callee.name ?? '';
    const bulk = BULK[method.toLowerCase()];
    // A second argument is a count already.
    if (!bulk || call.arguments.length > 1) return [];
    return [{ node: take, method, bulk }];
  });
}

/** The await of `(x = await …)`, bare or compared with what an empty queue gives. */
function awaitIn(test: Node): TSESTree.AwaitExpression | undefined {
  const it = bare(test);
  switch (it.type) {
    case 'AwaitExpression':
      return it;
    case 'AssignmentExpression':
      return awaitIn(it.right);
    case 'BinaryExpression':
      return awaitIn(it.left);
    default:
      return undefined;
  }
}
