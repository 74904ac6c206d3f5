import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  dottedName,
  type FunctionNode,
  isFunction,
  isNamed,
  type Node,
} from '../syntax/ast.ts';
import { callbackArgument, libraryCallOf } from '../provenance/library-calls.ts';
import {
  type Builder,
  connect,
  failingStep,
  isFull,
  joint,
  type MutableStep,
  resumeAt,
  step,
} from './builder.ts';
import { expression, methodName } from './expressions.ts';
import { statement } from './statements.ts';

/** A function argument whose body runs while, or because, the call runs. */
export interface Splice {
  readonly fn: FunctionNode;
  readonly runs: 'once' | 'many';
  /** The target of its exceptions: the handler around, the rejection of the returned promise, or the end of the process. */
  readonly failure: 'here' | 'caller' | 'process';
  /** Whose first parameter is the error of the call. */
  readonly takesError?: boolean;
  /** A promise that it returns is waited for. */
  readonly adopts?: boolean;
  /** The promise whose value is the first parameter. */
  readonly binds?: Node | undefined;
}

const EACH =
  /^(?:forEach|map|filter|reduce|reduceRight|some|every|find|findIndex|findLast|flatMap|sort)$/;

/** Methods of arrays that call a function for each element, synchronously. */
export function isEach(method: string): boolean {
  return EACH.test(method);
}

/** The functions among a call's parts whose bodies belong into the graph right after the call. */
export function splicesOf(
  builder: Builder,
  node: TSESTree.CallExpression | TSESTree.NewExpression,
): readonly Splice[] {
  const callee = bare(node.callee);
  if (isFunction(callee)) return own({ fn: callee, runs: 'once', failure: 'here' }, node);
  const [first] = node.arguments;
  if (node.type === 'NewExpression') {
    return isNamed(callee, 'Promise') && isFunction(first)
      ? own({ fn: first, runs: 'once', failure: first.async ? 'process' : 'here' }, node)
      : [];
  }
  if (isEach(methodName(node) ?? '') && isFunction(first)) {
    return own({ fn: first, runs: 'many', failure: 'here' }, node);
  }
  const signature = libraryCallOf(builder.file, node)?.signature;
  const known = signature?.callback;
  const fn = signature && callbackArgument(node, signature);
  if (!known || known.runs || !isFunction(fn)) return [];
  // Only the callback hears whether it has begun.
  if (signature.begins) return [];
  return known.scope
    ? own({ fn, runs: 'once', failure: 'here' }, node)
    : own({ fn, runs: 'once', failure: 'process', takesError: known.params[0] === 'error' }, node);
}

function own(splice: Splice, node: Node): readonly Splice[] {
  const failure =
    splice.failure === 'here' && (splice.fn.async || node.type === 'NewExpression')
      ? waiterOf(node)
      : splice.failure;
  return [{ ...splice, failure }];
}

/** Who hears of a rejection: an `await` around, the caller that is given the promise, or nobody. */
function waiterOf(node: Node): Splice['failure'] {
  for (let it = node; it.parent; it = it.parent) {
    const { parent } = it;
    if (parent.type === 'AwaitExpression') return 'here';
    if (parent.type === 'ReturnStatement') return 'caller';
    if (parent.type === 'ArrowFunctionExpression') {
      return bodyOf(parent) === it ? 'caller' : 'process';
    }
    const passes =
      bare(parent) !== parent ||
      parent.type === 'ArrayExpression' ||
      parent.type === 'SpreadElement' ||
      (parent.type === 'CallExpression' &&
        parent.callee !== it &&
        /^Promise\./.test(dottedName(parent.callee) ?? ''));
    if (!passes) return 'process';
  }
  return 'process';
}

export function splice(builder: Builder, it: Splice): void {
  // no veto: the graph is thrown away
  if (isFull(builder)) return;
  builder.spliced.add(it.fn);
  const { scope, throwTo, rejectTo, chain, adopts } = builder;
  const end = joint(builder);
  const head = it.runs === 'many' ? step(builder, 'test', it.fn) : undefined;
  if (head) builder.current = [{ from: head, kind: 'true' }];
  builder.scope = { kind: 'function', returnTo: head ?? end };
  builder.chain = undefined;
  builder.throwTo =
    it.failure === 'process' ? builder.ended : it.failure === 'caller' ? builder.rejectTo : throwTo;
  builder.rejectTo = builder.throwTo;
  builder.adopts = it.adopts === true || it.fn.async;
  for (const [i, parameter] of it.fn.params.entries()) {
    step(builder, 'bind', parameter, {
      value: i === 0 ? it.binds : undefined,
      isError: i === 0 && it.takesError === true,
    });
  }
  functionBody(builder, it.fn, builder.scope.returnTo);
  Object.assign(builder, { scope, throwTo, rejectTo, chain, adopts });
  if (head) connect([{ from: head, kind: 'false' }], end);
  resumeAt(builder, end);
}

function functionBody(builder: Builder, fn: FunctionNode, returnTo: MutableStep): void {
  const body = bodyOf(fn);
  if (body.type === 'BlockStatement') statement(builder, body);
  else {
    expression(builder, body);
    adopt(builder, body);
    step(builder, 'return', body, { value: body });
  }
  connect(builder.current, returnTo);
  builder.current = [];
}

const CHAINED = /^(?:then|catch|finally)$/;

/** `promise.then(…).catch(…)`, where not all it does is to pass a promise's value on. */
export function isChain(node: Node): boolean {
  const it = bare(node);
  if (it.type !== 'CallExpression' || !CHAINED.test(methodName(it) ?? '')) return false;
  const callee = bare(it.callee) as TSESTree.MemberExpression;
  return (
    methodName(it) !== 'then' ||
    it.arguments.some((argument) => isFunction(bare(argument))) ||
    isChain(callee.object)
  );
}

/** Lays out a chain as the statements that it stands for: try, then, catch, finally. */
export function promiseChain(builder: Builder, node: TSESTree.CallExpression): void {
  const { throwTo } = builder;
  const waiter = waiterOf(node);
  if (waiter === 'caller') builder.throwTo = builder.rejectTo;
  if (waiter === 'process') builder.throwTo = builder.ended;
  link(builder, node);
  builder.throwTo = throwTo;
}

function link(builder: Builder, node: Node): void {
  const it = bare(node);
  if (it.type !== 'CallExpression' || !isChain(it)) {
    expression(builder, node);
    failingStep(builder, 'settle', it);
    return;
  }
  const { object } = bare(it.callee) as TSESTree.MemberExpression;
  const [first, second] = it.arguments;
  const { throwTo } = builder;
  const method = methodName(it);
  const [fulfilled, rejected] = method === 'then' ? [first, second] : [undefined, first];
  if (!rejected) {
    link(builder, object);
    if (fulfilled) run(builder, fulfilled, object);
    return;
  }
  const failed = joint(builder);
  builder.throwTo = failed;
  link(builder, object);
  builder.throwTo = throwTo;
  const settled = method === 'finally' ? rejected : fulfilled;
  if (settled) run(builder, settled, object);
  const normal = builder.current;
  builder.current = [];
  resumeAt(builder, failed);
  run(builder, rejected, undefined);
  if (method === 'finally') {
    connect(builder.current, throwTo);
    builder.current = [];
  }
  builder.current = [...normal, ...builder.current];
}

/** A link's function: its body, or for one that is only named, a step that calls it. */
function run(builder: Builder, argument: Node, binds: Node | undefined): void {
  const fn = bare(argument);
  if (isFunction(fn)) {
    splice(builder, { fn, runs: 'once', failure: 'here', adopts: true, binds });
    return;
  }
  expression(builder, argument);
  step(builder, 'settle', fn, { value: fn });
}

/** Where the callers of the function await a returned promise, its rejection is an exception. */
export function adopt(builder: Builder, returned: Node): void {
  const it = bare(returned);
  const isPromised = it.type === 'CallExpression' || it.type === 'NewExpression';
  if (builder.adopts && isPromised && !isChain(it)) failingStep(builder, 'settle', it);
}
