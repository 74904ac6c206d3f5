import type { TSESTree } from '@typescript-eslint/utils';
import type { Name, Variable } from './names.ts';
import { type Node, walk, walkOwn } from './ast.ts';

interface Named {
  variableOf(name: Name): Variable | undefined;
}

/** Whether code in `node` names one of these variables. */
export function mentions(
  file: Named,
  node: Node,
  variables: Pick<ReadonlySet<Variable>, 'has' | 'size'>,
): boolean {
  return variables.size > 0 && mentionsSome(file, node, (it) => variables.has(it));
}

/** The variables that `node` names, without those that only a function in it names: a pattern gives these no value. */
export function variablesIn(file: Named, node: Node): readonly Variable[] {
  const found: Variable[] = [];
  walkOwn(node, (it) => {
    const variable = it.type === 'Identifier' ? file.variableOf(it) : undefined;
    if (variable) found.push(variable);
  });
  return found;
}

/** Whether code in `node` names a variable of which `isMeant` holds. */
export function mentionsSome(
  file: Named,
  node: Node,
  isMeant: (variable: Variable, name: TSESTree.Identifier) => boolean,
): boolean {
  let found = false;
  walk(node, (it) => {
    const variable = it.type === 'Identifier' ? file.variableOf(it) : undefined;
    found ||= variable !== undefined && isMeant(variable, it as TSESTree.Identifier);
    return !found;
  });
  return found;
}
