import { valueOf } from './value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type Node } from '../syntax/ast.ts';
import { exitsOf } from '../syntax/conditions.ts';
import type { FileFacts } from '../file/file.ts';
import { groupsOf } from '../syntax/grouped.ts';

/**
 * Whether a loop of the same file stops a generator by `break` or `return`: its `yield` does not return then, and only
 * `finally` runs. Loops elsewhere, and loops that an exception ends, are unresolved.
 */
export function isLeftEarly(file: FileFacts, generator: Node): boolean {
  return loopsByGeneratorLeft(file).has(generator);
}

const loopsByGeneratorLeft = groupsOf(
  'generators left early',
  (file: FileFacts) => file.nodes.all('ForOfStatement'),
  (it, file) => leftEarlyBy(file, it),
);

function leftEarlyBy(file: FileFacts, { right, body }: TSESTree.ForOfStatement): Node | undefined {
  const call = bare(right);
  if (call.type !== 'CallExpression') return undefined;
  if (!exitsOf(body).some((it) => it === 'break' || it === 'return')) return undefined;
  const callee = valueOf(file, call.callee);
  return callee.kind === 'function' ? callee.node : undefined;
}
