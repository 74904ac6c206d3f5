import { isFunction, type Node } from '../../analysis/syntax/ast.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Variable } from '../../analysis/syntax/names.ts';

/** The variable that an awaited value, or the first part of it, goes to: `{ rows: [job] }` gives `job`. */
export function resultVariable(file: FileFacts, node: Node): Variable | undefined {
  for (let it: Node = node, parent = it.parent; parent; it = parent, parent = it.parent) {
    if (parent.type === 'VariableDeclarator') return variableIn(file, parent.id);
    if (parent.type === 'AssignmentExpression') return variableIn(file, parent.left);
    if (isFunction(parent)) return undefined;
  }
  return undefined;
}

function variableIn(file: FileFacts, pattern: Node): Variable | undefined {
  switch (pattern.type) {
    case 'Identifier':
      return file.variableOf(pattern);
    case 'ArrayPattern':
      return pattern.elements[0] ? variableIn(file, pattern.elements[0]) : undefined;
    case 'ObjectPattern': {
      const [property] = pattern.properties;
      return property?.type === 'Property' ? variableIn(file, property.value) : undefined;
    }
    case 'AssignmentPattern':
      return variableIn(file, pattern.left);
    default:
      return undefined;
  }
}
