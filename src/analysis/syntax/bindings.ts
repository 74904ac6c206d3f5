import type { TSESTree } from '@typescript-eslint/utils';
import type { Variable } from './names.ts';

/** The expressions written to a variable after its declaration, or added to it, or undefined when one of them is not an expression (a loop variable, a pattern). */
export function writesTo(variable: Variable): readonly TSESTree.Expression[] | undefined {
  const written: TSESTree.Expression[] = [];
  for (const reference of variable.writes) {
    const parent = reference.identifier.parent;
    if (parent?.type !== 'AssignmentExpression') return undefined;
    written.push(parent.right);
  }
  return written;
}

/** A key for a variable among those of its file, for the trees of all hosts. */
export function variableKey(variable: Variable): string {
  return `${variable.name}@${variable.id}`;
}
