import type { TSESTree } from '@typescript-eslint/utils';
import { queryOfFile } from '../../engine/query.ts';
import type { FileFacts } from '../file/file.ts';
import { type FunctionNode, type Node, propertyName } from '../syntax/ast.ts';
import { graphqlDecorators, graphqlServers } from '../model/entries.ts';
import { nameOfFunction } from '../syntax/function-names.ts';
import { decoratorsOf, isImportedAs } from './entries.ts';
import { importedPackages } from './imported-packages.ts';

/** A function that a GraphQL server runs for a field of each object of its type. */
export interface FieldResolver {
  readonly fn: FunctionNode;
  /** The parameter with the object that has the field. */
  readonly parent: TSESTree.Parameter;
  /** The parameters with what the request asks for, which is the same for all parents. */
  readonly given: readonly TSESTree.Parameter[];
  /** The field. */
  readonly name: string;
}

/** A type of which a request has one object. */
const ROOTS = /^(?:Query|Mutation|Subscription)$/;

/** The resolvers of a file that get a parent, but for those of root types. */
export const fieldResolversOf = queryOfFile(
  'field resolvers',
  (file: FileFacts): readonly FieldResolver[] =>
    file.nodes
      .all('FunctionExpression', 'ArrowFunctionExpression')
      .flatMap((fn) => resolverAt(file, fn) ?? []),
  { whileCyclic: [] },
);

function resolverAt(file: FileFacts, fn: FunctionNode): FieldResolver | undefined {
  const parent = parentOfMethod(fn) ?? parentOfMember(file, fn);
  if (!parent) return undefined;
  const given = fn.params.filter((it, index) =>
    decoratorsOf(parent).length > 0 ? isDecoratedBy(it, /^Args?$/) : index === 1,
  );
  return { fn, parent, given, name: nameOfFunction(fn) };
}

/** `@ResolveField() author(@Parent() post: Post)`, `@FieldResolver() author(@Root() post: Post)` */
function parentOfMethod(fn: FunctionNode): TSESTree.Parameter | undefined {
  // no veto: the shape of a method.
  if (fn.parent.type !== 'MethodDefinition') return undefined;
  if (!isDecoratedBy(fn.parent, /^(?:ResolveField|ResolveProperty|FieldResolver)$/))
    return undefined;
  // A server passes the parent first; a decorator of any parameter replaces that order.
  if (fn.params.every((it) => decoratorsOf(it).length === 0)) return fn.params[0];
  return fn.params.find((it) => isDecoratedBy(it, /^(?:Parent|Root)$/));
}

function isDecoratedBy(node: Node, names: RegExp): boolean {
  return decoratorsOf(node).some((it) => isImportedAs(it, names, graphqlDecorators));
}

/** `{ Query: { … }, Post: { author: (post) => … } }`, `fields: { author: { type, resolve: (post) => … } }` */
function parentOfMember(file: FileFacts, fn: FunctionNode): TSESTree.Parameter | undefined {
  const [parent] = fn.params;
  const property = fn.parent;
  // no veto: the shape of a member.
  if (!parent || property.type !== 'Property' || property.value !== fn) return undefined;
  const type = property.parent.parent;
  // no veto: a property of a pattern is a name.
  if (property.parent.type !== 'ObjectExpression' || !type) return undefined;
  if (isTypeOfMap(file, type) || isAnnotated(file, property.parent)) return parent;
  return undefined;
}

/** A property of a map of resolvers, which has the root types, too. */
function isTypeOfMap(file: FileFacts, type: Node): boolean {
  // no veto: the shape of a map.
  if (type.type !== 'Property' || type.parent.type !== 'ObjectExpression') return false;
  // veto: a request has one object of a root type
  if (ROOTS.test(propertyName(type) ?? '')) return false;
  const isMap = type.parent.properties.some(
    (it) => it.type === 'Property' && ROOTS.test(propertyName(it) ?? ''),
  );
  return isMap && hasServer(file);
}

function hasServer(file: FileFacts): boolean {
  const imported = importedPackages(file);
  return graphqlServers.some(
    (it) => imported.includes(it) || file.modules?.versionOf(it, file.path) !== undefined,
  );
}

/** `const Post: PostResolvers = { … }`, `{ … } satisfies Resolvers['Post']`: types that are generated from a schema. */
function isAnnotated(file: FileFacts, object: TSESTree.ObjectExpression): boolean {
  const type = annotationOf(object);
  const text = type ? file.textOf(type) : '';
  const [, name] =
    /^(?:\w+\.)*(\w+)Resolvers\b|Resolvers(?:<[^>]*>)?\[['"](\w+)['"]\]/.exec(text) ?? [];
  return name !== undefined && !ROOTS.test(name) && hasServer(file);
}

function annotationOf({ parent }: TSESTree.ObjectExpression): Node | undefined {
  if (parent.type === 'TSSatisfiesExpression' || parent.type === 'TSAsExpression') {
    return parent.typeAnnotation;
  }
  if (parent.type !== 'VariableDeclarator') return undefined;
  return parent.id.typeAnnotation?.typeAnnotation;
}
