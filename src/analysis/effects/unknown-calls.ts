import { valueOf } from '../provenance/value-of.ts';
import { bare, type Node } from '../syntax/ast.ts';
import { isAwaited } from '../flow/awaited.ts';
import { argumentsOf, type Call } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { parameterCalled } from './parameter-calls.ts';

/** An awaited value that is neither a call nor a resolved promise: a promise that other code started. */
export function isOpaque(file: FileFacts, argument: Node): boolean {
  const it = bare(argument);
  switch (it.type) {
    case 'CallExpression':
    case 'NewExpression':
    case 'TaggedTemplateExpression':
    case 'ImportExpression':
    case 'ConditionalExpression':
    case 'LogicalExpression':
    case 'ArrayExpression':
    case 'ArrowFunctionExpression':
    case 'AwaitExpression':
    case 'BinaryExpression':
    case 'FunctionExpression':
    case 'Literal':
    case 'ObjectExpression':
    case 'TemplateLiteral':
    case 'UnaryExpression':
      return false;
    case 'Identifier': {
      const definition = file.variableOf(it)?.defs[0]?.node;
      return !(definition?.type === 'VariableDeclarator' && definition.init);
    }
    default:
      return true;
  }
}

/** `await work(client)` of a parameter: each caller resolves its own argument, and other callers do not matter to it. */
export function lendsHandle(file: FileFacts, call: Call, scope: Node): boolean {
  if (!parameterCalled(file, call, scope)) return false;
  return isAwaited(file, call) && receivesHandle(file, call);
}

/** A connection or pool passed to unresolved code: it may do anything with it. */
export function givesHandleAway(file: FileFacts, call: Call, scope: Node): boolean {
  return receivesHandle(file, call) && !lendsHandle(file, call, scope);
}

function receivesHandle(file: FileFacts, call: Call): boolean {
  return argumentsOf(call).some((it) => {
    const value = valueOf(file, it);
    return (
      value.kind === 'library' && value.type.role !== undefined && value.type.role !== 'builder'
    );
  });
}
