import type { TSESTree } from '@typescript-eslint/utils';
import type ts from 'typescript';
import type { CheckedType, Types } from '../facts/source.ts';

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
    typesOf(asked) {
      const checker = program.getTypeChecker();
      return asked.map((it) => {
        const node = nodes.get(it);
        return node && typeAt(checker, node);
      });
    },
  };
}

/** A checker can fail on a program that is broken or incomplete; then it knows nothing. */
function typeAt(checker: ts.TypeChecker, node: ts.Node): CheckedType | undefined {
  try {
    return checkedType(checker, checker.getTypeAtLocation(node), 0);
  } catch {
    return undefined;
  }
}

/** Deeper than this no promise, union or base type is followed. */
const MAXIMUM_DEPTH = 6;

/**
 * By where the type is declared, never by its text: the declaration's file lies in node_modules/(@types/)<package>.
 * Only methods of the checker and plain properties are used: the API's constants would need TypeScript itself.
 */
function checkedType(
  checker: ts.TypeChecker,
  given: ts.Type,
  depth: number,
): CheckedType | undefined {
  if (depth > MAXIMUM_DEPTH) return undefined;
  const type = checker.getApparentType(checker.getNonNullableType(given));
  if (type.isUnion()) {
    const parts = type.types.map((it) => checkedType(checker, it, depth + 1));
    const known = parts.filter((it) => it !== undefined);
    return known.length === parts.length ? { kind: 'union', of: known } : undefined;
  }
  if (type.isIntersection()) {
    for (const it of type.types) {
      const part = checkedType(checker, it, depth + 1);
      if (part) return part;
    }
    return undefined;
  }
  const wrapper = wrapperOf(checker, type);
  if (wrapper) {
    const [argument] = checker.getTypeArguments(type as ts.TypeReference);
    const of = argument && checkedType(checker, argument, depth + 1);
    return of && { kind: wrapper, of };
  }
  return declaredType(type) ?? baseType(checker, type, depth);
}

function wrapperOf(checker: ts.TypeChecker, type: ts.Type): 'promise' | 'array' | undefined {
  if (checker.isArrayType(type)) return 'array';
  return type.symbol?.name === 'Promise' ? 'promise' : undefined;
}

function declaredType(type: ts.Type): CheckedType | undefined {
  for (const symbol of [type.aliasSymbol, type.symbol]) {
    for (const declaration of symbol?.declarations ?? []) {
      const modules = modulesOf(declaration.getSourceFile().fileName);
      if (symbol && modules.length > 0) return { kind: 'object', modules, name: symbol.name };
    }
  }
  return undefined;
}

/** `class TenantPool extends Pool`: the project's own class is a pool too. */
function baseType(checker: ts.TypeChecker, type: ts.Type, depth: number): CheckedType | undefined {
  if (!type.isClassOrInterface()) return undefined;
  for (const it of checker.getBaseTypes(type)) {
    const base = checkedType(checker, it, depth + 1);
    if (base) return base;
  }
  return undefined;
}

/** The specifiers that may import from a declaration file, the most specific first. */
function modulesOf(fileName: string): string[] {
  const inside = fileName.split('/node_modules/').at(-1);
  if (inside === undefined || inside === fileName) return [];
  const path = inside
    .replace(/^@types\//, '')
    .replace(/^([^/]+)__/, '@$1/')
    .replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '')
    .replace(/\/index$/, '');
  const parts = path.split('/');
  const shortest = path.startsWith('@') ? 2 : 1;
  const modules: string[] = [];
  for (let length = parts.length; length >= shortest; length--) {
    modules.push(parts.slice(0, length).join('/'));
  }
  return modules;
}
