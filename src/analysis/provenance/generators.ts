import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type Node } from '../syntax/ast.ts';
import { exitsOf } from '../syntax/conditions.ts';
import type { FileFacts } from '../file/file.ts';
import { groupedIn } from '../syntax/grouped.ts';

/**
 * Whether a loop of the same file stops asking a generator for more by `break` or `return`: its `yield` does not come back
 * then, and only `finally` runs. Loops elsewhere, and those that an exception ends, are not known.
 */
export function isLeftEarly(file: FileFacts, generator: Node): boolean {
  const all = () => file.nodes.all('ForOfStatement');
  const left = groupedIn(file, '=generators left early', all, (it) => leftEarlyBy(file, it));
  return left.has(generator);
}

function leftEarlyBy(file: FileFacts, { right, body }: TSESTree.ForOfStatement): Node | undefined {
  const call = bare(right);
  if (call.type !== 'CallExpression') return undefined;
  if (!exitsOf(body).some((it) => it === 'break' || it === 'return')) return undefined;
  const callee = file.valueOf(call.callee);
  return callee.kind === 'function' ? callee.node : undefined;
}
