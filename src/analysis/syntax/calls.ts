import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type FunctionNode, isFunction, isNamed, type Node, walkStatements } from './ast.ts';

export type Call =
  TSESTree.CallExpression | TSESTree.NewExpression | TSESTree.TaggedTemplateExpression;

export function isCall(node: { readonly type: string }): node is Call {
  return (
    node.type === 'CallExpression' ||
    node.type === 'NewExpression' ||
    node.type === 'TaggedTemplateExpression'
  );
}

export function argumentsOf(call: Call): readonly TSESTree.CallExpressionArgument[] {
  return call.type === 'TaggedTemplateExpression' ? call.quasi.expressions : call.arguments;
}

/** The arguments for the function's parameters: a tag gets the text before the values, and `this` may be among them. */
export function passedBy(
  call: Call,
  { params }: FunctionNode,
): readonly TSESTree.CallExpressionArgument[] {
  if (call.type === 'TaggedTemplateExpression') return [call.quasi, ...call.quasi.expressions];
  if (!isNamed(params[0], 'this')) return call.arguments;
  return [(receiverOf(call) ?? call.callee) as TSESTree.Expression, ...call.arguments];
}

/** `user` of `user.touch()`. */
export function receiverOf(call: Call): Node | undefined {
  const callee = bare(calleeOf(call));
  return callee.type === 'MemberExpression' ? callee.object : undefined;
}

/** Whether a spread may stand for the argument at `index`, and what follows it for any other. */
export function isSpreadUpTo(
  args: readonly TSESTree.CallExpressionArgument[],
  index: number,
): boolean {
  return args.slice(0, index + 1).some((it) => it.type === 'SpreadElement');
}

export function calleeOf(call: Call): Node {
  return call.type === 'TaggedTemplateExpression' ? call.tag : call.callee;
}

/** Every expression that a function can return. */
export function returnedExpressions(node: Node): readonly TSESTree.Expression[] {
  if (!isFunction(node)) return [];
  const body = bodyOf(node);
  if (body.type !== 'BlockStatement') return [body];
  const returned: TSESTree.Expression[] = [];
  walkStatements(body, (it) => {
    if (it.type === 'ReturnStatement' && it.argument) returned.push(it.argument);
  });
  return returned;
}
