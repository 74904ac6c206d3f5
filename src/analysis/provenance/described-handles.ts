import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  type ClassNode,
  importedName,
  isFunction,
  type Node,
  propertyName,
  walk,
} from '../syntax/ast.ts';
import { returnedExpressions } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { join, UNKNOWN, type Value } from '../file/value.ts';
import { libraryOf } from '../model/index.ts';
import type { Library, LibraryType } from '../model/schema.ts';
import { libraryType } from './library-values.ts';
import { valueOf } from './value-of.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';

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
  if (mayBeImplemented({ file, node }, library, names)) return UNKNOWN;
  return join(fitting.map(([name]) => libraryType(library, name)));
}

interface Described {
  readonly file: FileFacts;
  readonly node: TSESTree.TSInterfaceDeclaration;
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

function mayBeImplemented(
  { file, node }: Described,
  library: Library,
  names: readonly string[],
): boolean {
  const { modules, path } = file;
  const { name } = node.id;
  const files = modules?.filesNaming ? modules.filesNaming('type', name, path) : [file];
  // veto: too many files name the interface to search them for a class that implements it
  if (!files) return true;
  return [...new Set([file, ...files])].some((at) => {
    const { nodes } = at;
    const isIt = (written: Node) => isCalled(written, name) && mayBeIt(at, bare(written), file);
    const classes = nodes.all('ClassDeclaration', 'ClassExpression');
    const isWritten = nodes.all('VariableDeclarator').some(({ id, init }) => {
      const type = id.typeAnnotation?.typeAnnotation;
      return (
        init?.type === 'ObjectExpression' && type?.type === 'TSTypeReference' && isIt(type.typeName)
      );
    });
    return (
      isWritten ||
      nodes
        .all('TSInterfaceDeclaration')
        .some((it) => it.extends.some((one) => isIt(one.expression))) ||
      classes.some(
        (it) =>
          it.implements.some((one) => isIt(one.expression)) &&
          !names.every((method) => isHandedOn(at, it, method, library)),
      )
    );
  });
}

function isCalled(expression: Node, name: string): boolean {
  const it = bare(expression);
  return it.type === 'Identifier' && it.name === name;
}

/** Whether a name in a file may mean what `owner` declares: not where its own file, or the one that it is imported from, does. */
function mayBeIt(file: FileFacts, name: Node, owner: FileFacts): boolean {
  if (file === owner || name.type !== 'Identifier') return true;
  const [definition] = file.variableOf(name)?.defs ?? [];
  if (definition?.type !== 'ImportBinding') return definition === undefined;
  const { node, parent } = definition;
  const imported = importedName(node);
  const source = parent?.type === 'ImportDeclaration' ? parent.source.value : undefined;
  // no veto: the shape of an import.
  if (source === undefined || imported === undefined) return true;
  const target = file.modules?.resolve(source, file.path, imported);
  return (
    !target ||
    target === owner ||
    !target.nodes.all('TSInterfaceDeclaration').some(({ id }) => id.name === imported)
  );
}

/** `query(text) { return this.client.query(text); }`: a connection of the driver behind a class that gives it a name. */
function isHandedOn(file: FileFacts, owner: ClassNode, name: string, library: Library): boolean {
  const method = bodyOf(owner.body).find(
    (it) => it.type === 'MethodDefinition' && propertyName(it) === name,
  );
  const fn =
    method?.type === 'MethodDefinition' && isFunction(method.value) ? method.value : undefined;
  const [answer, ...others] = fn ? returnedExpressions(fn) : [];
  // no veto: the shape of such a method.
  if (!answer || others.length > 0) return false;
  const call = bare(answer.type === 'AwaitExpression' ? answer.argument : answer);
  const callee = call.type === 'CallExpression' ? bare(call.callee) : undefined;
  if (callee?.type !== 'MemberExpression') return false;
  const value = valueOf(file, callee.object);
  return value.kind === 'library' && value.library === library && fits(value.type, [name]);
}
