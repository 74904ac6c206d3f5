import { valueOf } from './value-of.ts';
import { valueQuery } from '../file/value-query.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import { bare, contains, type Node, type FunctionNode } from '../syntax/ast.ts';
import { argumentsOf, type Call, calleeOf, returnedExpressions } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { commentedResult } from './comment-types.ts';
import { asGiven } from './given-results.ts';
import { givenBack } from './held-members.ts';
import { genericResult, higherOrderResult } from './higher-order.ts';
import { constructedGlobal, globalCallResult, methodIdiomResult } from './idioms.ts';
import { signatureResult, withPassedTable } from './library-values.ts';
import { libraryCallAs, libraryCallOf, promisedSignature } from './library-calls.ts';
import { instanceOfMaker } from './made-members.ts';
import { promisifiedArgument } from './promisify.ts';
import { thisValue } from './this-values.ts';
import { callSignatureOf, withGiven } from './type-values.ts';
import { handedOnBy, type Maker, outermost } from '../file/makers.ts';
import {
  alternativesOf,
  awaited,
  firstKnown,
  type FunctionValue,
  isInformative,
  isKnown,
  isSame,
  join,
  type LibraryValue,
  promiseOf,
  UNKNOWN,
  type Value,
} from '../file/value.ts';
import { mutual } from './mutual.ts';

export function callResult(
  file: FileFacts,
  call: TSESTree.CallExpression | TSESTree.TaggedTemplateExpression,
): Value {
  const held = call.type === 'CallExpression' ? givenBack(file, call) : undefined;
  if (held) return held;
  const returned = argumentReturned(file, call);
  if (returned) return remembered(valueOf(file, returned.argument), returned.isLasting);
  const promisified = call.type === 'CallExpression' ? promisifiedArgument(file, call) : undefined;
  if (promisified) return { kind: 'promisified', of: valueOf(file, promisified) };
  return join(
    alternativesOf(valueOf(file, calleeOf(call))).map((callee) => resultOf(file, call, callee)),
  );
}

/** What a function of a library returns as it is given it: `cache(load)`. */
function argumentReturned(file: FileFacts, call: Call) {
  const callee = valueOf(file, calleeOf(call));
  if (callee.kind !== 'callable') return undefined;
  const { returnsArgument: index, isLasting } = callee.signature;
  const argument = index === undefined ? undefined : argumentsOf(call)[index];
  return argument && { argument, isLasting };
}

function remembered(value: Value, isLasting: true | undefined): Value {
  if (value.kind !== 'function') return value;
  return { ...value, isRemembered: isLasting ? 'always' : 'request' };
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
    const made = signatureResult(library.callee, library.signature, argumentsOf(call), {
      file,
      node: call,
    });
    return withGiven(file, call.typeArguments, made);
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

/** The result of `callee` called with `args`, in any file. */
export function resultFor(
  file: FileFacts,
  callee: Value,
  args: readonly TSESTree.CallExpressionArgument[],
  at: Node,
): Value {
  switch (callee.kind) {
    case 'function': {
      // What this call gives says more than what all calls give.
      const generic = callee.node.typeParameters && genericResult(file, callee.node, args);
      if (generic && isKnown(awaited(generic))) return generic;
      const whole = asGiven(file, returnOf(callee), callee, args);
      const returned = madeAt(file, callee, whole, at);
      return isKnown(awaited(returned))
        ? withPassedTable(returned, callee.node, args, file)
        : firstKnown([higherOrderResult(file, callee, args), returned]);
    }
    case 'declared': {
      const returned = callee.returns ? mutual.typeValue(callee.file, callee.returns) : UNKNOWN;
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

/** A function that the callee declares and returns uses what the call has given: `withRetry(load)`; so may one that it has had made. */
function madeAt(file: FileFacts, { node: fn }: FunctionValue, returned: Value, at: Node): Value {
  if (at.type !== 'CallExpression') return returned;
  const maker: Maker = { file, call: at, fn };
  if (returned.kind === 'instance') return instanceOfMaker(returned, maker);
  if (returned.kind === 'library' && isPoolMadeIn(returned, fn))
    return { ...returned, maker: { file, node: at } };
  if (returned.kind !== 'function' && returned.kind !== 'object') return returned;
  if (returned.node !== fn && contains(fn, returned.node)) return { ...returned, madeBy: maker };
  const { madeBy } = returned;
  return madeBy && contains(fn, outermost(madeBy).call)
    ? { ...returned, madeBy: handedOnBy(madeBy, maker) }
    : returned;
}

function isPoolMadeIn({ type, origin, maker }: LibraryValue, fn: FunctionNode): boolean {
  const made = maker ?? origin;
  return made !== undefined && /^(?:pool|orm)$/.test(type.role ?? '') && contains(fn, made.node);
}

export function constructed(file: FileFacts, call: TSESTree.NewExpression): Value {
  const library = libraryCallOf(file, call);
  if (library) {
    const made = signatureResult(library.callee, library.signature, call.arguments, {
      file,
      node: call,
    });
    return withGiven(file, call.typeArguments, made);
  }
  const callee = valueOf(file, call.callee);
  switch (callee.kind) {
    case 'class':
      return { kind: 'instance', file: callee.file, node: callee.node, madeAt: { file, call } };
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

/** The result of a call of the function, by its annotation or else by all its returns. */
export function returnOf({ file, node }: FunctionValue): Value {
  return returned(file, node);
}

const returned = valueQuery('return', (file, node: FunctionNode) => {
  const declared = node.returnType
    ? mutual.typeValue(file, node.returnType.typeAnnotation)
    : UNKNOWN;
  if (isInformative(declared) && !isWorthItsOrigin(declared)) return declared;
  if (node.generator) return isInformative(declared) ? declared : UNKNOWN;
  const all = join(returnedExpressions(node).map((it) => valueOf(file, it)));
  const made = node.async ? promiseOf(awaited(all)) : all;
  const value = node.returnType ? made : commentedResult(file, node, made);
  // What is returned is that type, and it says where it comes from; else any transaction could be of the type, too.
  if (isInformative(declared)) return isAmong(value, declared) ? value : declared;
  // An interface at least says what its methods return.
  return isKnown(awaited(value)) ? value : firstKnown([declared, value]);
});

/** It may be a transaction, or it is opened: which one, and whether afresh, only what is returned says. */
function isWorthItsOrigin(value: Value): boolean {
  return alternativesOf(awaited(value)).some((it) => {
    if (it.kind !== 'library') return false;
    const { admitsTransaction, role, isWhole, isConnected } = it.type;
    const isOpened =
      isWhole === true || isConnected === true || /^(?:pool|client)$/.test(role ?? '');
    return isOpened || admitsTransaction === true;
  });
}

/** Whether a value is the declared one, or each of its alternatives one of the declared ones. */
function isAmong(value: Value, declared: Value): boolean {
  if (isSame(value, declared)) return true;
  const [own, all] = [alternativesOf(awaited(value)), alternativesOf(awaited(declared))];
  return all.length > 1 && own.every((it) => all.some((other) => isSame(it, other)));
}
