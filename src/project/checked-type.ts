import type { CheckedType } from '../analysis/file/source.ts';

/** The little of a type checker that leads from a type to a library; one for each kind of API. */
export interface TypeView<Type> {
  /** Without null and undefined; for a type parameter, its constraint. */
  apparent(type: Type): Type | undefined;
  union(type: Type): readonly Type[] | undefined;
  intersection(type: Type): readonly Type[] | undefined;
  isArray(type: Type): boolean;
  argument(type: Type): Type | undefined;
  /** Its alias and its own name, each with the files that declare it. */
  names(type: Type): readonly DeclaredName[];
  bases(type: Type): readonly Type[];
}

export interface DeclaredName {
  readonly name: string;
  readonly files: readonly string[];
}

/** Deeper than this no promise, union or base type is followed. */
export const MAXIMUM_DEPTH = 6;

/** By where the type is declared, never by its text: the declaration's file lies in node_modules/(@types/)<package>. */
export function checkedType<Type>(
  view: TypeView<Type>,
  given: Type,
  depth = 0,
): CheckedType | undefined {
  if (depth > MAXIMUM_DEPTH) return undefined;
  const type = view.apparent(given);
  if (type === undefined) return undefined;
  const inner = (it: Type) => checkedType(view, it, depth + 1);
  const alternatives = view.union(type);
  if (alternatives) {
    const known = alternatives.map(inner).filter((it) => it !== undefined);
    return known.length === alternatives.length ? { kind: 'union', of: known } : undefined;
  }
  const parts = view.intersection(type);
  if (parts) return firstOf(parts, inner);
  const names = view.names(type);
  const wrapper = wrapperOf(view, type, names);
  if (wrapper) {
    const argument = view.argument(type);
    const of = argument && inner(argument);
    return of && { kind: wrapper, of };
  }
  // `class TenantPool extends Pool`: the project's own class is a pool too.
  return libraryObject(names) ?? firstOf(view.bases(type), inner);
}

function firstOf<Type>(
  types: readonly Type[],
  checked: (type: Type) => CheckedType | undefined,
): CheckedType | undefined {
  for (const it of types) {
    const found = checked(it);
    if (found) return found;
  }
  return undefined;
}

function wrapperOf<Type>(
  view: TypeView<Type>,
  type: Type,
  names: readonly DeclaredName[],
): 'promise' | 'array' | undefined {
  if (view.isArray(type)) return 'array';
  return names.at(-1)?.name === 'Promise' ? 'promise' : undefined;
}

function libraryObject(names: readonly DeclaredName[]): CheckedType | undefined {
  for (const { name, files } of names) {
    for (const file of files) {
      const modules = modulesOf(file);
      if (modules.length > 0) return { kind: 'object', modules, name };
    }
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
