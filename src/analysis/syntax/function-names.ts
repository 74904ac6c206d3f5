import type { TSESTree } from '@typescript-eslint/utils';
import { functionAround, type FunctionNode, type Node, propertyName } from './ast.ts';

/** The names of the functions around a node, innermost first. */
export function functionNames(node: Node): readonly string[] {
  const names: string[] = [];
  for (let fn = functionAround(node); fn; fn = functionAround(fn)) {
    const name = nameOfFunction(fn);
    if (name) names.push(name);
  }
  return names;
}

export function nameOfFunction(fn: Node): string {
  if ((fn.type === 'FunctionDeclaration' || fn.type === 'FunctionExpression') && fn.id) {
    return fn.id.name;
  }
  const { parent } = fn;
  switch (parent?.type) {
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'Property':
      return propertyName(parent) ?? '';
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier' ? parent.id.name : '';
    default:
      return '';
  }
}

/** Where the name of a function is declared: its own, or that of the variable that holds it. */
export function nameNodeOf(fn: FunctionNode): TSESTree.Identifier | undefined {
  if (fn.type === 'FunctionDeclaration') return fn.id ?? undefined;
  const { parent } = fn;
  return parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier'
    ? parent.id
    : undefined;
}
