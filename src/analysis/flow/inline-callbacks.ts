import { valueOf } from '../provenance/value-of.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  functionAround,
  type FunctionNode,
  isFunction,
  type Node,
  propertyName,
} from '../syntax/ast.ts';
import { isAwaited, isCombined } from './awaited.ts';
import { type LibraryCall } from '../provenance/library-calls.ts';
import { argumentsOf, type Call, calleeOf } from '../syntax/calls.ts';
import { isComputation } from '../syntax/computations.ts';
import type { FileFacts } from '../file/file.ts';
import { isEach } from './callbacks.ts';
import type { FunctionValue, Value } from '../file/value.ts';

/** A function that is only named where it is passed, and that the call runs: `rows.map(save)`, `pMap(rows, save)`. */
export interface NamedCallback {
  /** Undefined where the function is unresolved. */
  readonly fn: FunctionValue | undefined;
  /** Whether the code after the call waits for the function. */
  readonly isWaitedFor: boolean;
}

/** The named function that a call runs before it (or its promise) is done, if it runs one. */
export function namedCallbackOf(
  file: FileFacts,
  call: Call,
  library: LibraryCall | undefined,
): NamedCallback | undefined {
  const argument = library ? libraryCallback(call, library) : elementCallback(call);
  if (!argument || isFunction(bare(argument))) return undefined;
  const value = valueOf(file, argument);
  const isWaitedFor = library ? isAwaited(file, call) : isCombined(file, call);
  if (value.kind === 'function') return { fn: value, isWaitedFor };
  const mustBeFunction = !library || library.callee.receiver?.type.role === 'limiter';
  return mustBeFunction && isCallable(value) ? { fn: undefined, isWaitedFor } : undefined;
}

function libraryCallback(call: Call, { signature }: LibraryCall): Node | undefined {
  const { callback } = signature;
  const args = argumentsOf(call);
  return callback && (callback.at === 'last' ? args.at(-1) : args[callback.at]);
}

function elementCallback(call: Call): Node | undefined {
  const callee = bare(calleeOf(call));
  const isEachCall = callee.type === 'MemberExpression' && isEach(propertyName(callee) ?? '');
  return isEachCall ? argumentsOf(call)[0] : undefined;
}

/** One piece of work through a limiter, or a wait for it: how long that takes is the limiter's affair. */
export function isThroughLimiter({ callee, signature }: LibraryCall): boolean {
  return callee.receiver?.type.role === 'limiter' && signature.callback?.runs === undefined;
}

const INLINE_METHODS = new Set([
  'forEach',
  'map',
  'filter',
  'reduce',
  'reduceRight',
  'some',
  'every',
  'find',
  'findIndex',
  'findLast',
  'flatMap',
  'sort',
  'toSorted',
  'then',
  'catch',
  'finally',
  'from',
  'replace',
  'replaceAll',
]);

/** Whether the function is run by the call that it is passed to, before that call (or its promise) is done. */
export function runsInline(file: FileFacts, fn: FunctionNode): boolean {
  const { parent } = fn;
  if (parent.type === 'NewExpression') {
    const made = valueOf(file, parent.callee);
    return made.kind === 'global' && made.name === 'Promise';
  }
  if (parent.type !== 'CallExpression') return false;
  const callee = bare(parent.callee);
  if (callee.type === 'MemberExpression' && INLINE_METHODS.has(propertyName(callee) ?? ''))
    return true;
  const value = valueOf(file, parent.callee);
  if (value.kind === 'function')
    return !isLeftToResult(
      value,
      parent.arguments.findIndex((it) => it === fn),
    );
  // What is returned as it is given runs when that is called.
  if (value.kind === 'callable') return value.signature.returnsArgument === undefined;
  return value.kind === 'library';
}

/** `authed(handle)` returns a function, and only that one runs what was passed: at another time. */
function isLeftToResult({ file, node }: FunctionValue, index: number): boolean {
  const parameter = node.params[index];
  const variable = parameter?.type === 'Identifier' ? file.variableOf(parameter) : undefined;
  const uses = (variable?.references ?? []).map((it) => it.identifier as Node);
  return uses.length > 0 && uses.every((it) => isInReturned(it, node));
}

function isInReturned(use: Node, outer: FunctionNode): boolean {
  let inner: FunctionNode | undefined;
  for (let it = functionAround(use); it && it !== outer; it = functionAround(it)) inner = it;
  // no veto: test/frameworks.test.ts tries it.
  return inner?.parent.type === 'ReturnStatement' || inner?.parent === outer;
}

/** `rows.map(fn)`, `promise.then(fn)`: these calls are resolved, because their callbacks are visited at their place. */
export function isInlineIdiom(file: FileFacts, call: Call): boolean {
  if (call.type !== 'CallExpression') return false;
  const callee = bare(call.callee);
  if (callee.type !== 'MemberExpression') return isFunction(callee);
  const name = propertyName(callee) ?? '';
  if (isComputation(name) || isOfMap(file, call, name)) return true;
  if (!INLINE_METHODS.has(name)) return false;
  return call.arguments.every(
    (it) => isFunction(it) || !isCallable(valueOf(file, it)) || valueOf(file, it).kind === 'global',
  );
}

/** It keeps something, or gives what was kept before; a promise that is waited for at once somebody else has started. */
function isOfMap(file: FileFacts, call: TSESTree.CallExpression, name: string): boolean {
  if (!/^(?:get|set|add|del|delete|clear)$/.test(name)) return false;
  const map = valueOf(file, (bare(call.callee) as TSESTree.MemberExpression).object);
  return map.kind === 'array' && map.isMap === true && call.parent.type !== 'AwaitExpression';
}

function isCallable(value: Value): boolean {
  return value.kind === 'unknown' || value.kind === 'function' || value.kind === 'declared';
}
