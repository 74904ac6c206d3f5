import type { TSESTree } from '@typescript-eslint/utils';
import type ts from 'typescript';
import type { CheckedType, Types } from '../analysis/file/source.ts';
import { checkedType, type TypeView } from './checked-type.ts';

/** What ESLint's `parserServices` hold where a program was made for the file. */
export interface TypedServices {
  readonly program?: ts.Program | null | undefined;
  readonly esTreeNodeToTSNodeMap?: { get(node: TSESTree.Node): ts.Node | undefined } | undefined;
}

/** The type checker that ESLint has loaded, or undefined where it has none (oxlint, untyped configurations). */
export function typesFromServices(services: TypedServices | undefined): Types | undefined {
  const { program, esTreeNodeToTSNodeMap: nodes } = services ?? {};
  // In a single run the parser makes a program of one file, without its imports, for configurations that have no types.
  if (!program || !nodes || program.getCompilerOptions().noResolve) return undefined;
  return {
    typeOf(asked) {
      const node = nodes.get(asked);
      return node && typeAt(program.getTypeChecker(), node);
    },
  };
}

/** A checker can fail on a program that is broken or incomplete; then it has no answer. */
export function typeAt(checker: ts.TypeChecker, node: ts.Node): CheckedType | undefined {
  try {
    return checkedType(viewOf(checker), checker.getTypeAtLocation(node));
  } catch {
    return undefined;
  }
}

/** Only methods of the checker and plain properties are used: the API's constants would need TypeScript itself. */
function viewOf(checker: ts.TypeChecker): TypeView<ts.Type> {
  return {
    apparent: (type) => checker.getApparentType(checker.getNonNullableType(type)),
    union: (type) => (type.isUnion() ? type.types : undefined),
    intersection: (type) => (type.isIntersection() ? type.types : undefined),
    isArray: (type) => checker.isArrayType(type),
    argument: (type) => checker.getTypeArguments(type as ts.TypeReference)[0],
    names: (type) =>
      // A type may have no symbol, even where its own type has one.
      [type.aliasSymbol, type.symbol as ts.Symbol | undefined].flatMap((symbol) =>
        symbol ? [{ name: symbol.name, files: filesOf(symbol) }] : [],
      ),
    bases: (type) => (type.isClassOrInterface() ? checker.getBaseTypes(type) : []),
  };
}

function filesOf(symbol: ts.Symbol): readonly string[] {
  return (symbol.declarations ?? []).map((it) => it.getSourceFile().fileName);
}
