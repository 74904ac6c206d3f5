import { valueOf } from './value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, dottedName, type Node, propertyName, undefaulted } from '../syntax/ast.ts';
import { writesTo } from '../syntax/bindings.ts';
import { returnedExpressions } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { isRequire } from './loaded-members.ts';
import {
  awaited,
  type DeclaredSignature,
  type FunctionValue,
  join,
  promiseOf,
  UNKNOWN,
  type Value,
} from '../file/value.ts';
import { mutual } from './mutual.ts';

type Arguments = readonly TSESTree.CallExpressionArgument[];

/**
 * The result of a function that depends on its arguments: `retry(() => pool.connect())`, `singleton('db', create)`. By its type
 * parameters (`<T>(work: () => Promise<T>): Promise<T>`), else by its returns.
 */
export function higherOrderResult(file: FileFacts, fn: FunctionValue, args: Arguments): Value {
  if (fn.node.params.length === 0 || args.length === 0 || fn.node.generator) return UNKNOWN;
  const typed = genericResult(file, fn.node, args);
  if (typed.kind !== 'unknown') return typed;
  const returned = join(
    returnedExpressions(fn.node).map((it) => returnedValue(file, fn, args, it, 0)),
  );
  if (returned.kind === 'unknown' || returned.kind === 'nullish') return UNKNOWN;
  return fn.node.async ? promiseOf(awaited(returned)) : returned;
}

/** The result of a generic signature for these arguments: `<T>(work: () => Promise<T>): Promise<T>`. */
export function genericResult(file: FileFacts, node: DeclaredSignature, args: Arguments): Value {
  const name = typeParameterName(node.returnType?.typeAnnotation);
  if (!name || !node.typeParameters?.params.some((it) => it.name.name === name)) return UNKNOWN;
  const isPromised =
    node.returnType?.typeAnnotation !== undefined && isPromise(node.returnType.typeAnnotation);
  for (const [i, parameter] of node.params.entries()) {
    const argument = args[i];
    if (!argument || argument.type === 'SpreadElement') return UNKNOWN;
    const target = undefaulted(parameter);
    const type = 'typeAnnotation' in target ? target.typeAnnotation?.typeAnnotation : undefined;
    if (!type) continue;
    const isCalled = type.type === 'TSFunctionType';
    const given = isCalled ? type.returnType?.typeAnnotation : (type as TSESTree.TypeNode);
    if (typeParameterName(given) !== name) continue;
    const value = valueOf(file, argument);
    const result = isCalled ? mutual.resultFor(file, value, [], argument) : value;
    return isPromised ? promiseOf(awaited(result)) : result;
  }
  return UNKNOWN;
}

/** The `T` of `T`, `Promise<T>` and `T | undefined`. */
function typeParameterName(type: TSESTree.TypeNode | undefined): string | undefined {
  if (type?.type === 'TSUnionType') {
    return type.types.map(typeParameterName).find((it) => it !== undefined);
  }
  if (type?.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return undefined;
  return isPromise(type) ? typeParameterName(type.typeArguments?.params[0]) : type.typeName.name;
}

function isPromise(type: TSESTree.TypeNode): boolean {
  return (
    type.type === 'TSTypeReference' &&
    type.typeName.type === 'Identifier' &&
    type.typeName.name === 'Promise'
  );
}

/** A returned expression with the arguments in place of the parameters: `fn()`, `await fn()`, `const result = await fn()`, `pool.connect()`. */
function returnedValue(
  file: FileFacts,
  fn: FunctionValue,
  args: Arguments,
  expression: Node,
  depth: number,
): Value {
  const it = bare(expression);
  const inner = (node: Node): Value => returnedValue(file, fn, args, node, depth + 1);
  if (depth > 4) return UNKNOWN;
  if (it.type === 'AwaitExpression') return awaited(inner(it.argument));
  if (it.type === 'CallExpression' && it.callee.type === 'Identifier') {
    const argument = argumentFor(fn, args, it.callee);
    if (argument) return mutual.resultFor(file, valueOf(file, argument), [], argument);
    const specifier = isRequire(fn.file, it) ? specifierFor(fn, args, it.arguments[0]) : undefined;
    if (specifier !== undefined) return mutual.importedValue(file, specifier, 'require');
  }
  if (it.type === 'CallExpression' && it.callee.type === 'MemberExpression') {
    const { object } = it.callee;
    const name = propertyName(it.callee);
    const argument = object.type === 'Identifier' ? argumentFor(fn, args, object) : undefined;
    if (argument && name !== undefined) {
      const method = mutual.memberOf(valueOf(file, argument), name, {
        file: fn.file,
        node: it.callee,
      });
      // Only libraries' methods: a method of the project's own may ask for its argument's in turn, without an end.
      if (method.kind === 'callable') return mutual.resultFor(fn.file, method, it.arguments, it);
    }
  }
  if (it.type === 'Identifier') {
    const argument = argumentFor(fn, args, it);
    if (argument) return valueOf(file, argument);
    const variable = fn.file.variableOf(it);
    const [definition] = variable?.defs ?? [];
    if (
      definition?.type === 'Variable' &&
      definition.node.init &&
      definition.node.id === definition.name &&
      writesTo(variable!)?.length === 0
    ) {
      return inner(definition.node.init);
    }
  }
  return valueOf(fn.file, it);
}

/** The package that `require(name)`, or `require(require.resolve(name, …))`, is asked for: a path would start at the file that asks. */
function specifierFor(
  fn: FunctionValue,
  args: Arguments,
  node: Node | undefined,
): string | undefined {
  if (node?.type === 'CallExpression') {
    const isResolved = dottedName(node.callee) === 'require.resolve';
    return isResolved ? specifierFor(fn, args, node.arguments[0]) : undefined;
  }
  if (node?.type !== 'Identifier') return undefined;
  const [definition] = fn.file.variableOf(node)?.defs ?? [];
  const init = definition?.type === 'Variable' ? definition.node.init : undefined;
  if (init) return specifierFor(fn, args, init);
  const argument = argumentFor(fn, args, node);
  const text = argument?.type === 'Literal' ? argument.value : undefined;
  return typeof text === 'string' && !text.startsWith('.') ? text : undefined;
}

/** The argument that a name in the function's body stands for. */
function argumentFor(
  { file, node }: FunctionValue,
  args: Arguments,
  name: TSESTree.Identifier,
): TSESTree.Expression | undefined {
  const variable = file.variableOf(name);
  const index = node.params.findIndex(
    (it) => it.type === 'Identifier' && variable?.defs[0]?.name === it,
  );
  const argument = index === -1 ? undefined : args[index];
  return argument?.type === 'SpreadElement' ? undefined : argument;
}
