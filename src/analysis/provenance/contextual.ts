import type { Place } from '../file/place.ts';
import { valueOf } from './value-of.ts';
import { query } from '../../engine/query.ts';
import { collect } from '../../engine/regions.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  classAround,
  contains,
  type FunctionNode,
  isConstructor,
  type Node,
  propertyName,
  undefaulted,
  type ClassNode,
} from '../syntax/ast.ts';
import { type LibraryCall, libraryCallOf } from './library-calls.ts';
import { isSpreadUpTo } from '../syntax/calls.ts';
import { isExported } from './exports.ts';
import type { FileFacts } from '../file/file.ts';
import type { Callback, Library } from '../model/schema.ts';
import { callSignatureOf, withGiven } from './type-values.ts';
import {
  alternativesOf,
  awaited,
  firstKnown,
  isKnown,
  join,
  UNKNOWN,
  type Value,
} from '../file/value.ts';
import { givenAs } from '../file/passed-values.ts';
import { mutual } from './mutual.ts';

/** The model's entry for `fn` when it is passed to a library call: `$transaction(async (tx) => …)`. */
export function callbackOf(
  file: FileFacts,
  fn: Node,
):
  | {
      readonly callback: Callback;
      readonly call: TSESTree.CallExpression;
      readonly library: Library;
    }
  | undefined {
  const argument = optionsAround(fn) ?? fn;
  const call = argument.parent;
  if (call?.type !== 'CallExpression' && call?.type !== 'NewExpression') return undefined;
  const found = libraryCallback(file, call, argument);
  if (!found) return undefined;
  const { properties } = found.callback;
  const isMeant =
    argument === fn
      ? !properties
      : properties?.includes(propertyName(fn.parent as TSESTree.Property) ?? '');
  return isMeant
    ? {
        callback: found.callback,
        call: call as TSESTree.CallExpression,
        library: found.library.callee.library,
      }
    : undefined;
}

interface LibraryCallback {
  readonly callback: Callback;
  readonly library: LibraryCall;
}

function libraryCallback(
  file: FileFacts,
  call: TSESTree.CallExpression | TSESTree.NewExpression,
  argument: Node,
): LibraryCallback | undefined {
  const library = libraryCallOf(file, call);
  const callback = library?.signature.callback;
  if (!callback) return undefined;
  const index = call.arguments.indexOf(argument as TSESTree.Expression);
  const expected = callback.at === 'last' ? call.arguments.length - 1 : callback.at;
  return index === expected ? { callback, library } : undefined;
}

/** The object literal of which `fn` is a property: `consumer.run({ eachMessage: async () => … })`. */
function optionsAround(fn: Node): Node | undefined {
  const { parent } = fn;
  return parent?.type === 'Property' &&
    parent.value === fn &&
    parent.parent.type === 'ObjectExpression'
    ? parent.parent
    : undefined;
}

/** The value of a parameter, by the places where its function is passed and called. */
export function contextualParameter(file: FileFacts, fn: FunctionNode, index: number): Value {
  const passed = passedParameter(file, fn, fn, index);
  if (isKnown(passed)) return passed;
  return firstKnown([expectedParameter(file, fn, index), calledParameter(file, fn, index)]);
}

/** What the function that `fn` is passed to as `argument` gives its parameter. */
function passedParameter(file: FileFacts, argument: Node, fn: FunctionNode, index: number): Value {
  const known = argument === fn ? callbackOf(file, fn) : undefined;
  const call = known?.call ?? argument.parent;
  if (call?.type !== 'CallExpression' && call?.type !== 'NewExpression') return UNKNOWN;
  if (call.callee === argument) return UNKNOWN;
  const options = known && argument.parent !== call ? argument.parent?.parent : argument;
  const library = options && libraryCallback(file, call, options);
  if (library) {
    // One that is called with an error before all else: `app.use((error, req, res, next) => …)`.
    const { params, runs } = library.callback;
    const isForErrors = runs === 'per-request' && fn.params.length > params.length;
    const value = libraryParameter(library, isForErrors ? index - 1 : index, { file, node: fn });
    return withGiven(file, call.typeArguments, value);
  }
  if (call.type === 'NewExpression') return UNKNOWN;
  const callee = bare(call.callee);
  if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
    const object = valueOf(file, callee.object);
    if (object.kind === 'promise' && callee.property.name === 'then') {
      return index === 0 ? awaited(object) : UNKNOWN;
    }
    if (object.kind === 'array' && ELEMENT_FIRST.has(callee.property.name)) {
      return index === 0 ? object.of : UNKNOWN;
    }
  }
  return passedByProjectFunction(file, argument, call, index);
}

function libraryParameter(
  { callback, library: { callee } }: LibraryCallback,
  index: number,
  origin: Place,
): Value {
  const type = callback.params[index];
  return type === 'error' || type === 'release'
    ? UNKNOWN
    : mutual.referredValue(callee.library, type, origin, callee.receiver);
}

const ELEMENT_FIRST = new Set([
  'map',
  'forEach',
  'filter',
  'find',
  'some',
  'every',
  'flatMap',
  'findIndex',
  'findLast',
]);

/** `withClient(async (client) => …)`: what withClient's body passes to its function parameter, or declares that it does. */
function passedByProjectFunction(
  file: FileFacts,
  argument: Node,
  call: TSESTree.CallExpression,
  index: number,
): Value {
  const value = valueOf(file, call.callee);
  const callee = callSignatureOf(value) ?? value;
  const position = call.arguments.indexOf(argument as TSESTree.Expression);
  if (callee.kind === 'declared') {
    return declaredParameter(callee.file, callee.signature.params[position], index);
  }
  if (callee.kind !== 'function') return UNKNOWN;
  const parameter = callee.node.params[position];
  if (!parameter) return UNKNOWN;
  const declared = declaredParameter(callee.file, parameter, index);
  if (parameter.type !== 'Identifier' || !bodyOf(callee.node)) return declared;
  const values: Value[] = [];
  for (const { identifier } of callee.file.variableOf(parameter)?.references ?? []) {
    const { parent } = identifier as Node;
    if (parent?.type !== 'CallExpression') continue;
    if (parent.callee !== identifier) {
      // `return this.prisma.$transaction(work);`
      const library = libraryCallback(callee.file, parent, identifier as Node);
      if (library) values.push(libraryParameter(library, index, { file, node: argument }));
      continue;
    }
    const argued = parent.arguments[index];
    values.push(argued && argued.type !== 'SpreadElement' ? valueOf(callee.file, argued) : UNKNOWN);
  }
  const given = join(values);
  return isKnown(given) ? given : declared;
}

/** What a parameter of function type says that its own parameter is: `work: (client: PoolClient) => Promise<T>`. */
function declaredParameter(
  file: FileFacts,
  parameter: TSESTree.Parameter | undefined,
  index: number,
): Value {
  const target = parameter && undefaulted(parameter);
  const annotation = target && 'typeAnnotation' in target ? target.typeAnnotation : undefined;
  return annotation
    ? declaredParameterOf(mutual.typeValue(file, annotation.typeAnnotation), index)
    : UNKNOWN;
}

function declaredParameterOf(value: Value, index: number): Value {
  const fn = callSignatureOf(value) ?? value;
  // `const list: RequestHandler = …`
  if (fn.kind === 'holder')
    return mutual.referredValue(fn.library, fn.type.takes?.[index], undefined, fn);
  if (fn.kind !== 'declared') return UNKNOWN;
  const parameter = fn.signature.params[index];
  const annotation =
    parameter && 'typeAnnotation' in parameter ? parameter.typeAnnotation : undefined;
  return annotation ? mutual.typeValue(fn.file, annotation.typeAnnotation) : UNKNOWN;
}

/** By the type that is written for the place of the function: `const handle: Handler = async (client) => …`. */
function expectedParameter(file: FileFacts, fn: FunctionNode, index: number): Value {
  if (fn.type === 'FunctionDeclaration') return UNKNOWN;
  const expected = expectedValue(file, fn, 0);
  return firstKnown([
    declaredParameterOf(expected, index),
    argumentOfType(file, fn, expected, index),
  ]);
}

/** `options` of `const routes: FastifyPluginAsync<Options> = async (app, options) => …`. */
function argumentOfType(file: FileFacts, fn: FunctionNode, expected: Value, index: number): Value {
  const at = expected.kind === 'holder' ? expected.type.takesArgument?.[index] : undefined;
  const { parent } = fn;
  if (at === undefined || parent?.type !== 'VariableDeclarator') return UNKNOWN;
  const type = parent.id.typeAnnotation?.typeAnnotation;
  const given = type?.type === 'TSTypeReference' ? type.typeArguments?.params[at] : undefined;
  return given ? mutual.typeValue(file, given) : UNKNOWN;
}

function expectedValue(file: FileFacts, node: Node, depth: number): Value {
  const { parent } = node;
  if (depth > 4) return UNKNOWN;
  switch (parent?.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return mutual.typeValue(file, parent.typeAnnotation);
    case 'VariableDeclarator':
    case 'PropertyDefinition': {
      const target = parent.type === 'VariableDeclarator' ? parent.id : parent;
      return target.typeAnnotation
        ? mutual.typeValue(file, target.typeAnnotation.typeAnnotation)
        : UNKNOWN;
    }
    case 'Property': {
      const name = propertyName(parent);
      if (name === undefined || parent.parent.type !== 'ObjectExpression') return UNKNOWN;
      const owner = expectedValue(file, parent.parent, depth + 1);
      return mutual.memberOf(owner, name, { file, node });
    }
    default:
      return UNKNOWN;
  }
}

/**
 * By the calls of a function that nobody else can call: declared in this file and not exported, or a private method.
 * Every use must be a call, or a place whose callback parameters are known.
 */
function calledParameter(file: FileFacts, fn: FunctionNode, index: number): Value {
  const uses = privateUses(file, fn) ?? localUses(file, fn);
  if (!uses || uses.length === 0) return UNKNOWN;
  const values: Value[] = [];
  for (const use of uses) {
    // Recursion passes on what came from outside.
    if (contains(fn, use)) continue;
    const { parent } = use;
    if (parent?.type !== 'CallExpression' || parent.optional) return UNKNOWN;
    const value =
      parent.callee === use
        ? argumentValue(file, parent, index)
        : passedParameter(file, use, fn, index);
    if (!isKnown(value)) return UNKNOWN;
    values.push(value);
  }
  const value = join(values);
  // What the callers were given themselves, each call of this function decides.
  return values.some(isGivenToCaller) ? givenAs(value, { fn, index }) : value;
}

function isGivenToCaller(value: Value): boolean {
  return alternativesOf(value).some(
    (it) => it.kind === 'library' && it.parameter !== undefined && !isConstructor(it.parameter.fn),
  );
}

function argumentValue(file: FileFacts, call: TSESTree.CallExpression, index: number): Value {
  if (isSpreadUpTo(call.arguments, index)) return UNKNOWN;
  const argument = call.arguments[index];
  return argument ? valueOf(file, argument) : UNKNOWN;
}

/** The places that name a function which is declared in this file and not exported. */
function localUses(file: FileFacts, fn: FunctionNode): readonly Node[] | undefined {
  const name = declaredName(fn);
  if (!name) return undefined;
  const variable = file.variableOf(name);
  return variable?.references.filter((it) => it.isRead()).map((it) => it.identifier as Node);
}

function declaredName(fn: FunctionNode): TSESTree.Identifier | undefined {
  if (isExported(fn)) return undefined;
  if (fn.type === 'FunctionDeclaration') return fn.id ?? undefined;
  const { parent } = fn;
  if (parent.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return undefined;
  return parent.parent.kind === 'const' ? parent.id : undefined;
}

/** The places that name a private method: nothing outside its class can. */
function privateUses(file: FileFacts, fn: FunctionNode): readonly Node[] | undefined {
  const { parent } = fn;
  if (parent.type !== 'MethodDefinition') return undefined;
  const name = propertyName(parent);
  if (!name || !(name.startsWith('#') || parent.accessibility === 'private')) return undefined;
  const around = classAround(fn)?.node;
  if (!around) return undefined;
  return membersNamed(file, around, name);
}

/** `this.name`, `this.#name` and `this['name']` in a class. */
const membersNamed = query(
  'members named',
  (file: FileFacts, root: ClassNode, name: string): readonly Node[] => {
    const names = name.startsWith('#')
      ? file.nodes.all('PrivateIdentifier').filter((it) => `#${it.name}` === name)
      : file.nodes.named(name);
    const plain = names.flatMap((it) => {
      const { parent } = it as Node;
      const isMember = parent?.type === 'MemberExpression' && parent.property === it;
      return isMember && !parent.computed ? parent : [];
    });
    const quoted = membersInQuotes(file).filter((it) => propertyName(it) === name);
    return [...plain, ...quoted].filter((it) => contains(root, it));
  },
  { whileCyclic: [] },
);

const membersInQuotes: (file: FileFacts) => readonly TSESTree.MemberExpression[] = collect(
  'members in quotes',
  (_: FileFacts, { all }) =>
    all('MemberExpression').filter((it) => it.computed && propertyName(it) !== undefined),
);
