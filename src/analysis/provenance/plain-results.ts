import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../file/file.ts';
import type { DeclaredValue, Value } from '../file/value.ts';
import type { FunctionNode } from '../syntax/ast.ts';
import { mutual } from './mutual.ts';

/**
 * Whether a function of which only the type is resolved returns no promise, as its type declares: there is nothing to wait for.
 * `void` and `unknown` leave that open.
 */
export function givesPlainValue({ file, returns }: DeclaredValue): boolean {
  return returns !== undefined && isPlain(file, returns);
}

/** The same of a function with a body: what calls in it return is no promise either. */
export function returnsPlainValue(file: FileFacts, { returnType }: FunctionNode): boolean {
  // Espree knows no types, and Babel writes null.
  return Boolean(returnType) && isPlain(file, returnType!.typeAnnotation);
}

const PLAIN: ReadonlySet<string> = new Set([
  ...['TSArrayType', 'TSBigIntKeyword', 'TSBooleanKeyword', 'TSLiteralType', 'TSNullKeyword'],
  ...['TSNumberKeyword', 'TSStringKeyword', 'TSTemplateLiteralType', 'TSTupleType'],
  ...['TSTypeLiteral', 'TSTypePredicate', 'TSUndefinedKeyword'],
]);

function isPlain(file: FileFacts, type: TSESTree.TypeNode): boolean {
  if (type.type === 'TSUnionType') return type.types.every((it) => isPlain(file, it));
  if (type.type !== 'TSTypeReference') return PLAIN.has(type.type);
  const { typeName } = type;
  if (typeName.type === 'Identifier' && BUILT_IN.has(typeName.name) && !file.variableOf(typeName))
    return true;
  const definition =
    typeName.type === 'Identifier' ? file.variableOf(typeName)?.defs[0]?.node : undefined;
  // The entity of `Repository<Entity>`; a function's own parameter may stand for a promise.
  const owner = definition?.type === 'TSTypeParameter' ? definition.parent.parent : undefined;
  if (owner) return OWNERS.has(owner.type);
  return isData(file, mutual.typeValue(file, type));
}

/** An object without a method `then`. */
function isData(file: FileFacts, value: Value): boolean {
  if (value.kind === 'array' || value.kind === 'holder') return true;
  if (value.kind !== 'instance' && value.kind !== 'interface') return false;
  return mutual.memberOf(value, 'then', { file, node: value.node }).kind === 'unknown';
}

const BUILT_IN: ReadonlySet<string> = new Set([
  ...['Buffer', 'Date', 'Error', 'RegExp', 'URL', 'Uint8Array'],
]);

const OWNERS: ReadonlySet<string> = new Set([
  ...['ClassDeclaration', 'ClassExpression', 'TSInterfaceDeclaration', 'TSTypeAliasDeclaration'],
]);
