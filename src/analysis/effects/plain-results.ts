import type { TSESTree } from '@typescript-eslint/utils';
import type { FileFacts } from '../file/file.ts';
import type { DeclaredValue } from '../file/value.ts';

/**
 * Whether a function of which only the type is resolved returns no promise, as its type declares: there is nothing to wait for.
 * `void` and `unknown` leave that open.
 */
export function givesPlainValue({ file, returns }: DeclaredValue): boolean {
  return returns !== undefined && isPlain(file, returns);
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
  const definition =
    typeName.type === 'Identifier' ? file.variableOf(typeName)?.defs[0]?.node : undefined;
  // The entity of `Repository<Entity>`; a function's own parameter may stand for a promise.
  const owner = definition?.type === 'TSTypeParameter' ? definition.parent.parent : undefined;
  return owner !== undefined && OWNERS.has(owner.type);
}

const OWNERS: ReadonlySet<string> = new Set([
  ...['ClassDeclaration', 'ClassExpression', 'TSInterfaceDeclaration', 'TSTypeAliasDeclaration'],
]);
