import type { FileFacts } from '../file/file.ts';
import { bare, type Node } from '../syntax/ast.ts';

/** The identifiers that declare what a class, a function, an object literal or a call's result is called. */
export function declarationsOf(file: FileFacts, node: Node): readonly Node[] {
  const found: Node[] = 'id' in node && node.id ? [node.id as Node] : [];
  for (let it = node, parent = it.parent; parent; it = parent, parent = it.parent) {
    if (parent.type === 'VariableDeclarator' && parent.init === it) {
      if (parent.id.type === 'Identifier') found.push(parent.id);
      break;
    }
    if (parent.type === 'AssignmentExpression' && parent.right === it) {
      const declared =
        parent.left.type === 'Identifier' ? file.variableOf(parent.left)?.defs[0]?.name : undefined;
      if (declared) found.push(declared as Node);
    } else if (parent.type !== 'LogicalExpression' && bare(parent) !== bare(node)) {
      // What is made stands for the whole of `known ?? new Pool()`.
      break;
    }
  }
  return found;
}
