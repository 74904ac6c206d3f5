import type { TSESTree } from '@typescript-eslint/utils';
import { bare } from '../syntax/ast.ts';
import { argumentsOf, type Call } from '../provenance/calls.ts';
import type { FileFacts } from '../file.ts';

/** An awaited thing that is not a call and not a known promise: a promise that somebody else started. */
export function isOpaque(file: FileFacts, argument: TSESTree.Expression): boolean {
  const it = bare(argument);
  switch (it.type) {
    case 'CallExpression':
    case 'NewExpression':
    case 'TaggedTemplateExpression':
    case 'ImportExpression':
    case 'ConditionalExpression':
    case 'LogicalExpression':
    case 'ArrayExpression':
    case 'Literal':
      return false;
    case 'Identifier': {
      const definition = file.variableOf(it)?.defs[0]?.node;
      return !(definition?.type === 'VariableDeclarator' && definition.init);
    }
    default:
      return true;
  }
}

/** A connection or pool handed to code that nobody can see: it may do anything with it. */
export function receivesHandle(file: FileFacts, call: Call): boolean {
  return argumentsOf(call).some((it) => {
    const value = file.valueOf(it);
    return (
      value.kind === 'library' && value.type.role !== undefined && value.type.role !== 'builder'
    );
  });
}
