import { valueOf } from './value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, importedName, calledName, type Node, propertyName } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';

/**
 * The argument of `util.promisify(fn)`, or of a library's `promisify(fn)` or `promisifyAll(object)`; undefined for any other
 * call. The last returns the object itself, with a `readAsync` for each `read`.
 */
export function promisifiedArgument(
  file: FileFacts,
  call: TSESTree.CallExpression,
): TSESTree.Expression | undefined {
  const [argument] = call.arguments;
  if (!argument || argument.type === 'SpreadElement') return undefined;
  const callee = bare(call.callee);
  return isPromisify(file, callee) || isOfLibrary(file, callee) ? argument : undefined;
}

function isOfLibrary(file: FileFacts, callee: Node): boolean {
  // no veto: spares asking what everything else is.
  if (!/^promisify(?:All)?$/.test(calledName(callee) ?? '')) return false;
  const value = valueOf(file, callee);
  return value.kind === 'callable' && value.signature.promisifies === true;
}

function isPromisify(file: FileFacts, callee: Node): boolean {
  if (callee.type === 'MemberExpression') {
    return propertyName(callee) === 'promisify' && isUtil(file, bare(callee.object));
  }
  if (callee.type !== 'Identifier') return false;
  const [definition] = file.variableOf(callee)?.defs ?? [];
  if (definition?.type === 'ImportBinding') {
    return (
      definition.parent?.type === 'ImportDeclaration' &&
      isUtilName(definition.parent.source.value) &&
      importedName(definition.node) === 'promisify'
    );
  }
  const init = definition?.type === 'Variable' ? definition.node.init : undefined;
  if (!init) return false;
  return callee.name === 'promisify'
    ? isUtil(file, bare(init)) || isPromisify(file, bare(init))
    : isPromisify(file, bare(init));
}

function isUtil(file: FileFacts, node: Node): boolean {
  if (node.type === 'CallExpression') {
    const [source] = node.arguments;
    return (
      node.callee.type === 'Identifier' &&
      node.callee.name === 'require' &&
      source?.type === 'Literal' &&
      isUtilName(source.value)
    );
  }
  if (node.type !== 'Identifier') return false;
  const [definition] = file.variableOf(node)?.defs ?? [];
  if (definition?.type === 'ImportBinding') {
    return (
      definition.parent?.type === 'ImportDeclaration' && isUtilName(definition.parent.source.value)
    );
  }
  const init = definition?.type === 'Variable' ? definition.node.init : undefined;
  return init ? isUtil(file, bare(init)) : false;
}

function isUtilName(source: unknown): boolean {
  return source === 'util' || source === 'node:util';
}
