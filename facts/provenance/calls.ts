import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  type FunctionNode,
  isFunction,
  isNamed,
  type Node,
  walkStatements,
} from '../syntax/ast.ts';
import type { FileFacts } from '../file.ts';
import { givenBack } from './held-members.ts';
import { genericResult, higherOrderResult } from './higher-order.ts';
import { constructedGlobal, globalCallResult, methodIdiomResult } from './idioms.ts';
import { signatureResult, withPassedTable } from './library-values.ts';
import type { Signature } from '../model/schema.ts';
import { promisifiedArgument } from './promisify.ts';
import { thisValue } from './this-values.ts';
import { callSignatureOf, typeValue } from './type-values.ts';
import {
  alternativesOf,
  awaited,
  type CallableValue,
  firstKnown,
  type FunctionValue,
  isInformative,
  isKnown,
  isSame,
  join,
  promiseOf,
  UNKNOWN,
  type Value,
} from './value.ts';

export type Call =
  TSESTree.CallExpression | TSESTree.NewExpression | TSESTree.TaggedTemplateExpression;

export function isCall(node: { readonly type: string }): node is Call {
  return (
    node.type === 'CallExpression' ||
    node.type === 'NewExpression' ||
    node.type === 'TaggedTemplateExpression'
  );
}

/** A call of a modelled library: the signature that holds for these arguments. */
export interface LibraryCall {
  readonly callee: CallableValue;
  readonly signature: Signature;
}

export function argumentsOf(call: Call): readonly TSESTree.CallExpressionArgument[] {
  return call.type === 'TaggedTemplateExpression' ? call.quasi.expressions : call.arguments;
}

/** What the function gets as its parameters: a tag is given the text before the values, and `this` may stand among them. */
export function passedBy(
  call: Call,
  { params }: FunctionNode,
): readonly TSESTree.CallExpressionArgument[] {
  if (call.type === 'TaggedTemplateExpression') return [call.quasi, ...call.quasi.expressions];
  if (!isNamed(params[0], 'this')) return call.arguments;
  return [(receiverOf(call) ?? call.callee) as TSESTree.Expression, ...call.arguments];
}

/** `user` of `user.touch()`. */
export function receiverOf(call: Call): Node | undefined {
  const callee = bare(calleeOf(call));
  return callee.type === 'MemberExpression' ? callee.object : undefined;
}

/** Whether a spread may stand for the argument at `index`, and what follows it for any other. */
export function isSpreadUpTo(
  args: readonly TSESTree.CallExpressionArgument[],
  index: number,
): boolean {
  return args.slice(0, index + 1).some((it) => it.type === 'SpreadElement');
}

export function calleeOf(call: Call): Node {
  return call.type === 'TaggedTemplateExpression' ? call.tag : call.callee;
}

/** The modelled signature behind a call, or undefined for the project's own and unknown functions. */
export function libraryCallOf(file: FileFacts, call: Call): LibraryCall | undefined {
  return libraryCallAs(file, call, file.valueOf(calleeOf(call)));
}

/** The same, when the callee is `value`: one of the alternatives that it may be. */
export function libraryCallAs(file: FileFacts, call: Call, value: Value): LibraryCall | undefined {
  let callee = value;
  const promisified = callee.kind === 'promisified';
  if (callee.kind === 'promisified') callee = callee.of;
  if (callee.kind === 'library') {
    const { call: signature, construct } = callee.type;
    const made = call.type === 'NewExpression' && construct ? { construct } : signature;
    if (!made) return undefined;
    const { library } = callee;
    callee = { kind: 'callable', library, name: '', signature: made, receiver: callee };
  }
  if (callee.kind !== 'callable') return undefined;
  if (call.type === 'NewExpression') {
    const { construct } = callee.signature;
    return construct && { callee, signature: construct };
  }
  if (promisified) return { callee, signature: promisedSignature(callee.signature) };
  const { withCallback, acquires } = callee.signature;
  const argument = withCallback && callbackArgument(call, withCallback);
  const hasCallback =
    isFunctionLike(file, argument) || (acquires !== undefined && mayBeFunction(file, argument));
  return { callee, signature: withCallback && hasCallback ? withCallback : callee.signature };
}

/** The argument that stands where the signature's callback would. */
export function callbackArgument(call: Call, { callback }: Signature): Node | undefined {
  const args = argumentsOf(call);
  return callback === undefined || callback.at === 'last' ? args.at(-1) : args[callback.at];
}

function isFunctionLike(file: FileFacts, argument: Node | undefined): boolean {
  if (!argument) return false;
  // no veto: what a list holds may take long to find out.
  if (argument.type === 'ArrayExpression') return false;
  return alternativesOf(file.valueOf(argument)).some(({ kind }) =>
    /^(?:function|declared)$/.test(kind),
  );
}

/** `knex.transaction(resolve)`: a parameter of which nothing is known, where options might stand, too. */
function mayBeFunction(file: FileFacts, argument: Node | undefined): boolean {
  if (argument?.type !== 'Identifier' || OPTIONS.test(argument.name)) return false;
  const [definition] = file.variableOf(argument)?.defs ?? [];
  return definition?.type === 'Parameter' && file.valueOf(argument).kind === 'unknown';
}

const OPTIONS = /(?:opt|option|config|conf|cfg|setting|arg|param|level)s?$/i;

export function callResult(
  file: FileFacts,
  call: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression,
): Value {
  const held = call.type === 'CallExpression' ? givenBack(file, call) : undefined;
  if (held) return held;
  const promisified = call.type === 'CallExpression' ? promisifiedArgument(file, call) : undefined;
  if (promisified) return { kind: 'promisified', of: file.valueOf(promisified) };
  return join(
    alternativesOf(file.valueOf(calleeOf(call))).map((callee) => resultOf(file, call, callee)),
  );
}

function resultOf(
  file: FileFacts,
  call: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression,
  callee: Value,
): Value {
  const library = libraryCallAs(file, call, callee);
  // `return super.init(columns, { sequelize });` in a model's own `init`.
  const parent = bare(calleeOf(call));
  if (library?.signature.returns === 'this' && parent.type === 'MemberExpression') {
    if (parent.object.type === 'Super') return thisValue(file, parent);
  }
  if (library) {
    return signatureResult(library.callee, library.signature, argumentsOf(call), {
      file,
      node: call,
    });
  }
  if (call.type === 'TaggedTemplateExpression') return UNKNOWN;
  switch (callee.kind) {
    case 'function':
    case 'declared':
    case 'interface':
    case 'intersection':
      return resultFor(file, callee, call.arguments, call);
    case 'global':
      return globalCallResult(file, call, callee.name);
    default:
      return methodIdiomResult(file, call);
  }
}

/** What `callee` gives when it is called with `args`, wherever that is written. */
export function resultFor(
  file: FileFacts,
  callee: Value,
  args: readonly TSESTree.CallExpressionArgument[],
  at: Node,
): Value {
  switch (callee.kind) {
    case 'function': {
      const returned = returnOf(callee);
      return isKnown(awaited(returned))
        ? withPassedTable(returned, callee.node, args, file)
        : firstKnown([higherOrderResult(file, callee, args), returned]);
    }
    case 'declared': {
      const returned = callee.returns ? typeValue(callee.file, callee.returns) : UNKNOWN;
      return isKnown(awaited(returned))
        ? returned
        : firstKnown([genericResult(file, callee.signature, args), returned]);
    }
    case 'interface':
    case 'intersection': {
      const signature = callSignatureOf(callee);
      return signature ? resultFor(file, signature, args, at) : UNKNOWN;
    }
    case 'callable':
      return signatureResult(callee, callee.signature, args, { file, node: at });
    case 'promisified':
      return callee.of.kind === 'callable'
        ? signatureResult(callee.of, promisedSignature(callee.of.signature), args, {
            file,
            node: at,
          })
        : UNKNOWN;
    default:
      return UNKNOWN;
  }
}

/** The signature of `promisify(fn)`: what the callback would be given is what the promise holds. */
function promisedSignature(signature: Signature): Signature {
  const { callback, withCallback, ...rest } = signature.withCallback ?? signature;
  return callback ? { ...rest, returns: `Promise<${callback.params[1] ?? 'any'}>` } : signature;
}

export function constructed(file: FileFacts, call: TSESTree.NewExpression): Value {
  const library = libraryCallOf(file, call);
  if (library) {
    return signatureResult(library.callee, library.signature, call.arguments, {
      file,
      node: call,
    });
  }
  const callee = file.valueOf(call.callee);
  switch (callee.kind) {
    case 'class':
      return { kind: 'instance', file: callee.file, node: callee.node };
    case 'function': {
      const returned = returnOf(callee);
      return returned.kind === 'object'
        ? returned
        : { kind: 'constructed', file: callee.file, node: callee.node };
    }
    case 'global':
      return constructedGlobal(file, call, callee.name);
    default:
      return UNKNOWN;
  }
}

/** What a call of the function gives, by its annotation or else by all its returns. */
export function returnOf(fn: FunctionValue): Value {
  return fn.file.remember(fn.file.keyFor(fn.node, '=return'), () => {
    const { file, node } = fn;
    const declared = node.returnType ? typeValue(file, node.returnType.typeAnnotation) : UNKNOWN;
    if (isInformative(declared) && !admitsTransaction(declared)) return declared;
    if (node.generator) return isInformative(declared) ? declared : UNKNOWN;
    const returned = join(returnedExpressions(node).map((it) => file.valueOf(it)));
    const value = node.async ? promiseOf(awaited(returned)) : returned;
    // What is returned is that type, and it says where it comes from; else any transaction could be of the type, too.
    if (isInformative(declared)) return isSame(value, declared) ? value : declared;
    // An interface at least says what its methods return.
    return isKnown(awaited(value)) ? value : firstKnown([declared, value]);
  });
}

function admitsTransaction(value: Value): boolean {
  const result = awaited(value);
  return result.kind === 'library' && result.type.admitsTransaction === true;
}

/** Every expression that a function can return. */
export function returnedExpressions(node: Node): readonly TSESTree.Expression[] {
  if (!isFunction(node)) return [];
  if (node.body.type !== 'BlockStatement') return [node.body];
  const returned: TSESTree.Expression[] = [];
  walkStatements(node.body, (it) => {
    if (it.type === 'ReturnStatement' && it.argument) returned.push(it.argument);
  });
  return returned;
}
