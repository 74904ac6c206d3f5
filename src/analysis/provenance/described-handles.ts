import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type Node, propertyName, walk } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import { join, UNKNOWN, type Value } from '../file/value.ts';
import { libraryOf } from '../model/index.ts';
import type { Library, LibraryType } from '../model/schema.ts';
import { libraryType } from './library-values.ts';

/**
 * What an interface of the project describes by the results of a driver: `query(…): Promise<QueryResult<R>>` of pg is a method of its
 * pool and of its connections. Nothing where a class, another interface or an object of the project is one: that may do something else.
 */
export function describedHandle(file: FileFacts, node: TSESTree.TSInterfaceDeclaration): Value {
  const methods = node.body.body.map(methodOf);
  const names = methods.flatMap((it) => it?.name ?? []);
  if (names.length === 0 || names.length < methods.length) return UNKNOWN;
  const [library, ...others] = new Set(
    methods.flatMap((it) => (it?.result ? librariesIn(file, it.result) : [])),
  );
  // no veto: it describes nothing, or a mixture.
  if (!library || others.length > 0) return UNKNOWN;
  const fitting = Object.entries(library.types).filter(([, type]) => fits(type, names));
  // no veto: a part of something else, such as a cursor.
  if (fitting.length === 0) return UNKNOWN;
  if (mayBeImplemented(file, node.id.name)) return UNKNOWN;
  return join(fitting.map(([name]) => libraryType(library, name)));
}

interface Method {
  readonly name: string | undefined;
  readonly result: Node | undefined;
}

function methodOf(member: TSESTree.TypeElement): Method | undefined {
  if (member.type === 'TSMethodSignature')
    return { name: propertyName(member), result: member.returnType };
  if (member.type !== 'TSPropertySignature') return undefined;
  const type = member.typeAnnotation?.typeAnnotation;
  return type?.type === 'TSFunctionType'
    ? { name: propertyName(member), result: type.returnType }
    : undefined;
}

/** Those from which the names in a type are imported. */
function librariesIn(file: FileFacts, type: Node): readonly Library[] {
  const found: Library[] = [];
  walk(type, (it) => {
    const definition = it.type === 'Identifier' ? file.variableOf(it)?.defs[0] : undefined;
    const source =
      definition?.type === 'ImportBinding' ? definition.parent?.source.value : undefined;
    const library = source === undefined ? undefined : libraryOf(source);
    if (library) found.push(library);
  });
  return found;
}

function fits({ role, members = {} }: LibraryType, names: readonly string[]): boolean {
  return (role === 'pool' || role === 'connection') && names.every((it) => it in members);
}

function mayBeImplemented(file: FileFacts, name: string): boolean {
  const { modules, path } = file;
  const files = modules?.filesNaming ? modules.filesNaming('type', name, path) : [file];
  // veto: too many to look at
  if (!files) return true;
  return [file, ...files].some(({ nodes }) => {
    const classes = nodes.all('ClassDeclaration', 'ClassExpression');
    const parents = [
      ...classes.flatMap((it) => it.implements),
      ...nodes.all('TSInterfaceDeclaration').flatMap((it) => it.extends),
    ];
    const isWritten = nodes.all('VariableDeclarator').some(({ id, init }) => {
      const type = id.typeAnnotation?.typeAnnotation;
      return (
        init?.type === 'ObjectExpression' &&
        type?.type === 'TSTypeReference' &&
        isCalled(type.typeName, name)
      );
    });
    return isWritten || parents.some(({ expression }) => isCalled(expression, name));
  });
}

function isCalled(expression: Node, name: string): boolean {
  const it = bare(expression);
  return it.type === 'Identifier' && it.name === name;
}
