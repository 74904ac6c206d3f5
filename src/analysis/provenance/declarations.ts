import { queryOfFile } from '../../engine/query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { type FunctionNode, isClass, type Node, propertyName } from '../syntax/ast.ts';
import type { DeclaredEffect, DeclaredFunction } from '../file/declared.ts';
import type { FileFacts } from '../file/file.ts';
import { libraryNamed, packageOf, typeOf } from '../model/index.ts';
import type {
  Environment,
  Library,
  LibraryType,
  Member,
  Role,
  Signature,
} from '../model/schema.ts';
import type { Operation } from '../sql/operation.ts';
import { commentAbove } from '../syntax/comments.ts';
import type { CallableValue } from '../file/value.ts';

export const environments: readonly Environment[] = [
  ...(['db', 'redis', 'http', 'dns', 'fs', 'queue'] as const),
  ...(['email', 'proc', 'cpu', 'timer', 'lock', 'console'] as const),
];
export const operations: readonly Operation[] = ['read', 'write', 'sync'];

/** `db.read`, `none`; undefined for what means nothing. */
export function effectNamed(text: string): DeclaredEffect | 'none' | undefined {
  if (text === 'none') return text;
  const [env, op, ...others] = text.split('.');
  const effect = {
    env: environments.find((it) => it === env),
    op: operations.find((it) => it === op),
  };
  return effect.env && effect.op && others.length === 0 ? (effect as DeclaredEffect) : undefined;
}

/** Whether the library model has the type that a declaration names. */
export function isTypeName(text: string): boolean {
  const dot = text.lastIndexOf('.');
  const library = dot === -1 ? undefined : libraryNamed(text.slice(0, dot));
  return library !== undefined && typeOf(library, text.slice(dot + 1)) !== undefined;
}

/** One line of a comment: `@deadtime acquires pg.PoolClient`, `@deadtime releases client`, `@deadtime effect db.read`. */
const declaration = /@deadtime[ \t]+(acquires|releases|effect)[ \t]+([\w$@/.-]+)/g;

/** Functions of the project that are declared, and not followed: as those of a library of its own. */
const declared: Library = {
  ...{ name: 'declared', modules: [], verifiedWith: '', exports: {}, types: {} },
};

/**
 * What is declared of a package, as a library. `client.find` is a member of what the package exports as `client`, of what it
 * constructs, and of what it returns.
 */
export function declaredLibrary(
  specifier: string,
  functions: ReadonlyMap<string, DeclaredFunction>,
  version = '',
): Library {
  const root: DeclaredPart = { parts: new Map() };
  for (const [name, it] of functions) {
    let part = root;
    for (const step of name.split('.')) {
      const inner: DeclaredPart = part.parts.get(step) ?? { parts: new Map() };
      part.parts.set(step, inner);
      part = inner;
    }
    part.own = signatureOf(it, { isAsync: true, parameters: [] });
  }
  const types: Record<string, LibraryType> = {};
  const exports = membersOf(root, '', types);
  return { name: specifier, modules: [specifier], verifiedWith: version, exports, types };
}

interface DeclaredPart {
  readonly parts: Map<string, DeclaredPart>;
  own?: Signature;
}

function membersOf(
  { parts }: DeclaredPart,
  path: string,
  types: Record<string, LibraryType>,
): Record<string, Member> {
  const members = Array.from(parts, ([name, part]): [string, Member] => {
    if (part.parts.size === 0) return [name, part.own!];
    const type = `${path}${name}`.replaceAll('.', '_');
    types[type] = { members: membersOf(part, `${path}${name}.`, types) };
    return [name, { type, returns: type, construct: { returns: type }, ...part.own }];
  });
  return Object.fromEntries(members);
}

/** The package's declarations that apply to the version of it that the project of the file has. */
export function declaredLibraries(file: FileFacts, specifier: string): readonly Library[] {
  const all = file.modules?.declarations?.(file.path)?.packages.get(specifier) ?? [];
  return all.filter(
    ({ verifiedWith }) =>
      verifiedWith === '' ||
      verifiedWith === file.modules?.versionOf(packageOf(specifier), file.path),
  );
}

/** The declaration about a function of this file: a comment's or the configuration's. */
export function declaredFunctionAt(file: FileFacts, node: FunctionNode): CallableValue | undefined {
  return declaredIn(file).get(node);
}

const DECLARING = /@deadtime/;

const NONE: ReadonlyMap<Node, CallableValue> = new Map();

const declaredIn = queryOfFile(
  'declared functions',
  (file: FileFacts): ReadonlyMap<Node, CallableValue> => {
    const byName = file.modules?.declarations?.(file.path)?.functions.get(file.path);
    const comments = file.says(DECLARING)
      ? file.source.comments.filter((it) => it.value.search(declaration) !== -1)
      : [];
    if (!byName && comments.length === 0) return NONE;
    const found = new Map<Node, CallableValue>();
    for (const node of file.nodes.all(
      'FunctionDeclaration',
      'FunctionExpression',
      'ArrowFunctionExpression',
    )) {
      const name = qualifiedName(node);
      // no veto: nobody can call it.
      if (name === undefined) continue;
      const comment = commentAbove(file, comments, node);
      const recorded = byName?.get(name);
      const isStale = recorded?.about?.matches(file.textOf(node)) === false;
      const said = {
        ...(isStale ? {} : recorded),
        ...(comment && declarationsIn(comment.value)),
      };
      if (Object.keys(said).length === 0) continue;
      const { async: isAsync, params: parameters } = node;
      found.set(node, callableOf(name, said, { isAsync, parameters }));
    }
    return found;
  },
  { whileCyclic: NONE },
);

function declarationsIn(comment: string): DeclaredFunction {
  const said: { -readonly [Name in keyof DeclaredFunction]: DeclaredFunction[Name] } = {};
  for (const [, verb, text] of comment.matchAll(declaration)) {
    if (verb === 'releases') said.releases = text!;
    else if (verb === 'acquires' && isTypeName(text!)) said.acquires = text!;
    else if (verb === 'effect') {
      const effect = effectNamed(text!);
      if (effect) said.effect = effect;
    }
  }
  return said;
}

/** `query`, `Store.query`; undefined for a function without such a name. */
export function qualifiedName(node: FunctionNode): string | undefined {
  const { parent } = node;
  if (node.type === 'FunctionDeclaration') return node.id?.name;
  if (parent.type === 'VariableDeclarator') {
    return parent.id.type === 'Identifier' ? parent.id.name : undefined;
  }
  const isMember = parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition';
  const name = isMember || parent.type === 'Property' ? propertyName(parent) : undefined;
  const owner = parent.parent;
  // no veto: nobody can call it.
  if (name === undefined || !owner) return undefined;
  if (isMember) {
    const { parent: type } = owner;
    return type && isClass(type) && type.id ? `${type.id.name}.${name}` : name;
  }
  const { parent: declarator } = owner;
  return declarator?.type === 'VariableDeclarator' && declarator.id.type === 'Identifier'
    ? `${declarator.id.name}.${name}`
    : name;
}

function callableOf(name: string, said: DeclaredFunction, fn: DeclaredShape): CallableValue {
  return {
    ...{ kind: 'callable', library: declared, name, receiver: undefined },
    signature: signatureOf(said, fn),
  };
}

interface DeclaredShape {
  readonly isAsync: boolean;
  readonly parameters: readonly TSESTree.Parameter[];
}

function signatureOf(
  { effect, acquires, releases, assumed }: DeclaredFunction,
  fn: DeclaredShape,
): Signature {
  const index =
    typeof releases === 'string'
      ? fn.parameters.findIndex((it) => it.type === 'Identifier' && it.name === releases)
      : releases;
  return {
    ...(effect && effect !== 'none' && { effect }),
    ...(acquires !== undefined && {
      returns: fn.isAsync ? `Promise<${acquires}>` : acquires,
      acquires: kindOf(acquires),
    }),
    ...(index !== undefined && index >= 0 && { releases: index }),
    ...(assumed !== undefined && { assumed: `the answer about \`${assumed}\` is right` }),
  };
}

const kinds: Partial<Record<Role, NonNullable<Signature['acquires']>>> = {
  transaction: 'transaction',
  session: 'session',
  channel: 'channel',
  lock: 'lock',
};

function kindOf(typeName: string): NonNullable<Signature['acquires']> {
  const dot = typeName.lastIndexOf('.');
  const library = libraryNamed(typeName.slice(0, dot));
  const role = library && typeOf(library, typeName.slice(dot + 1))?.role;
  return (role && kinds[role]) ?? 'connection';
}
