import type { TSESTree } from '@typescript-eslint/utils';
import type { ScopeManager, Variable } from '@typescript-eslint/scope-manager';
import type { Node } from './ast.ts';

/** Which variable a name means. */
export interface Bindings {
  /** undefined for globals and unresolved names. */
  variableOf(name: TSESTree.Identifier | TSESTree.JSXIdentifier): Variable | undefined;
}

export function bindingsOf(manager: ScopeManager): Bindings {
  const variables = new Map<Node, Variable>();
  for (const scope of manager.scopes) {
    for (const reference of scope.references) {
      if (reference.resolved && reference.resolved.defs.length > 0) {
        variables.set(reference.identifier, reference.resolved);
      }
    }
    for (const variable of scope.variables) {
      for (const identifier of variable.identifiers) variables.set(identifier, variable);
    }
  }
  return { variableOf: (name) => variables.get(name) };
}

/** The expressions written to a variable after its declaration, or added to it, or undefined when one of them is not an expression (a loop variable, a pattern). */
export function writesTo(variable: Variable): readonly TSESTree.Expression[] | undefined {
  const written: TSESTree.Expression[] = [];
  for (const reference of variable.references) {
    if (!reference.isWrite() || reference.init) continue;
    const parent = reference.identifier.parent;
    if (parent?.type !== 'AssignmentExpression') return undefined;
    written.push(parent.right);
  }
  return written;
}

/** A key for a variable among those of its file; ids of their own have the variables of only one scope manager. */
export function variableKey(variable: Variable): string {
  return `${variable.name}@${variable.defs[0]?.name.range[0] ?? ''}`;
}
