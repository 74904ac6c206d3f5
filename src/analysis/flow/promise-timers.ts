import { valueOf } from '../provenance/value-of.ts';
import {
  bare,
  calledName,
  contains,
  functionAround,
  isFunction,
  isLoop,
  isNamed,
  type Node,
  propertyName,
  walk,
} from '../syntax/ast.ts';
import { completes } from '../syntax/conditions.ts';
import { type LibraryCall } from '../provenance/library-calls.ts';
import { argumentsOf, type Call, calleeOf } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';

/**
 * A wait to which only a failure in `root` leads: in a catch clause, after a response that refuses, or in a loop that is left when
 * its `try` or its request succeeds.
 */
export function isBackOff(call: Node, root: Node): boolean {
  for (let it = call; it !== root; it = it.parent!) {
    const parent = it.parent!;
    if (parent.type === 'CatchClause') return true;
    if (parent.type === 'IfStatement') {
      if (it === parent.consequent && isRefusal(parent.test)) return true;
      if (it === parent.alternate && isSuccess(parent.test)) return true;
    }
    if (isLoop(parent)) return isRetry(parent.body, call);
  }
  return false;
}

/** Whether a loop with this body, which waits in `call`, is left when its `try` or its request succeeds. */
function isRetry(body: Node, call: Node): boolean {
  return (
    body.type === 'BlockStatement' &&
    body.body.some((it) => !contains(it, call) && isLeftOnSuccess(it))
  );
}

/** `try { return await load(); } catch {}`, `if (response.ok) return response.json();`. */
function isLeftOnSuccess(statement: Node): boolean {
  if (statement.type === 'TryStatement') {
    return statement.block.body.at(-1)?.type === 'ReturnStatement';
  }
  if (statement.type !== 'IfStatement') return false;
  const { test, consequent, alternate } = statement;
  if (isSuccess(test)) return !completes(consequent);
  return isRefusal(test) && alternate !== null && !completes(alternate);
}

/** `response.ok`, `status === 200`, `status < 400`. */
function isSuccess(test: Node): boolean {
  const it = bare(test);
  if (it.type === 'MemberExpression') return propertyName(it) === 'ok';
  const { operator = '', code = 0 } = comparedStatus(it) ?? {};
  return operator.startsWith('<') || (/^===?$/.test(operator) && code < 400);
}

/** `!response.ok`, `status === 429`, `status >= 500`. */
function isRefusal(test: Node): boolean {
  const it = bare(test);
  if (it.type === 'UnaryExpression') return it.operator === '!' && isSuccess(it.argument);
  if (it.type === 'LogicalExpression') {
    const [left, right] = [isRefusal(it.left), isRefusal(it.right)];
    return it.operator === '&&' ? left || right : left && right;
  }
  const { operator = '', code = 0 } = comparedStatus(it) ?? {};
  return /^(?:===?|>=?)$/.test(operator) && code >= 400;
}

function comparedStatus(
  it: Node,
): { readonly operator: string; readonly code: number } | undefined {
  if (it.type !== 'BinaryExpression' || it.right.type !== 'Literal') return undefined;
  const { value } = it.right;
  const name = calledName(it.left) ?? '';
  return typeof value === 'number' && /^status(?:Code)?$/.test(name)
    ? { operator: it.operator, code: value }
    : undefined;
}

/** A library's own wait for a time, or for a turn of the event loop. */
export function isPause({ signature }: LibraryCall): boolean {
  return signature.sleep !== undefined || signature.yield !== undefined;
}

/** `setTimeout(resolve, ms)` in an executor, which only a promise's runs here; a timer that rejects is a time limit, not a wait. */
export function isSleep(file: FileFacts, call: Call): boolean {
  const executor = functionAround(call);
  const resolve = executor?.params[0];
  if (executor?.parent.type !== 'NewExpression' || resolve?.type !== 'Identifier') return false;
  const [callback] = argumentsOf(call);
  if (!callback) return false;
  const variable = file.variableOf(resolve);
  let resolves = false;
  walk(callback, (node) => {
    if (node.type === 'Identifier' && file.variableOf(node) === variable) resolves = true;
  });
  return resolves;
}

/** `return reject(error)`: the executor's own way to answer. */
export function isSettling(file: FileFacts, call: Call): boolean {
  return executorOf(file, bare(calleeOf(call))) !== undefined;
}

/** The executor of which `node` names a parameter. */
function executorOf(file: FileFacts, node: Node): Node | undefined {
  const definition = node.type === 'Identifier' ? file.variableOf(node)?.defs[0] : undefined;
  return definition?.type === 'Parameter' && isExecutor(file, definition.node)
    ? definition.node
    : undefined;
}

function isExecutor(file: FileFacts, { parent }: Node): boolean {
  return parent?.type === 'NewExpression' && isGlobal(file, parent.callee, 'Promise');
}

/** `convert(page, (error) => (error ? reject(error) : resolve()))`: code that awaits the promise waits for the call. */
export function settles(file: FileFacts, call: Call): boolean {
  const callee = bare(calleeOf(call));
  const name = calledName(callee) ?? '';
  // A link of a chain only hands on what the chain has started.
  if (/^(?:then|catch|finally)$/.test(name)) return false;
  // Who listens to a stream of the platform starts nothing.
  const isListener = callee.type === 'MemberExpression' && /^(?:on|once|addListener)$/.test(name);
  if (isListener && valueOf(file, callee.object).kind === 'library') return false;
  // For a promise that the call makes itself nobody waits here.
  const executors = executorsAround(file, call);
  // `signal.addEventListener('abort', done)` ends a sleep early.
  // no veto: more code is resolved by it.
  if (
    name === 'addEventListener' &&
    isForAbort(call) &&
    [...executors].some((it) => sleeps(file, it))
  )
    return false;
  return argumentsOf(call).some((it) => {
    let found = false;
    walk(it, (node) => {
      const executor = executorOf(file, node);
      // What only rejects it is a time limit, or a signal that ends it early.
      found ||= executor !== undefined && executors.has(executor) && !isRejecting(file, node);
      return !found;
    });
    return found;
  });
}

function isForAbort(call: Call): boolean {
  const [event] = argumentsOf(call);
  return event?.type === 'Literal' && event.value === 'abort';
}

/** The executor sets a timer that settles its promise. */
function sleeps(file: FileFacts, executor: Node): boolean {
  let found = false;
  walk(executor, (it) => {
    found ||= it.type === 'CallExpression' && isNamed(it.callee, 'setTimeout') && isSleep(file, it);
    return !found;
  });
  return found;
}

/** `reject` of `new Promise((resolve, reject) => …)`. */
function isRejecting(file: FileFacts, node: Node): boolean {
  const definition = node.type === 'Identifier' ? file.variableOf(node)?.defs[0] : undefined;
  const fn = definition?.type === 'Parameter' ? definition.node : undefined;
  return fn !== undefined && isFunction(fn) && fn.params[1] === definition?.name;
}

function executorsAround(file: FileFacts, call: Call): ReadonlySet<Node> {
  const found = new Set<Node>();
  for (let fn = functionAround(call); fn; fn = functionAround(fn)) {
    if (isExecutor(file, fn)) found.add(fn);
  }
  return found;
}

function isGlobal(file: FileFacts, node: Node, name: string): boolean {
  const value = valueOf(file, node);
  return value.kind === 'global' && value.name === name;
}
