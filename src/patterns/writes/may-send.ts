import { valueOf } from '../../analysis/provenance/value-of.ts';
import { queryOfFile } from '../../engine/query.ts';
import {
  bare,
  calledName,
  type FunctionNode,
  isFunction,
  isLoop,
  type Node,
  walk,
} from '../../analysis/syntax/ast.ts';
import { isAwaited } from '../../analysis/flow/awaited.ts';
import { type Call, calleeOf, isCall } from '../../analysis/syntax/calls.ts';
import { chosenByKey } from '../../analysis/effects/chosen-calls.ts';
import { connectionCall } from '../../analysis/provenance/connection-names.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { isEach } from '../../analysis/flow/callbacks.ts';
import { endsLoop } from '../../analysis/flow/last-rounds.ts';
import { type Loop, repeatedParts } from '../../analysis/flow/loops.ts';
import { alternativesOf, type Value } from '../../analysis/file/value.ts';

/**
 * Whether an iteration awaits something itself, passes a promise on, or has a call as a statement, as commands that a
 * connection queues are: nothing else is a write for each element. Most loops only compute, and their calls need no resolution.
 */
export function maySend(file: FileFacts, loop: Loop): boolean {
  const { body } = loop;
  // no veto: the callback's answer may be waited for.
  if (body.type !== 'BlockStatement' && isFunction(body.parent)) return true;
  // no veto: what is made here may be waited for behind the loop.
  if (/\bPromise\b/.test(file.textOf(body))) return true;
  const calls: Call[] = [];
  let waits = false;
  walk(body, (it) => {
    // no veto: spares the look at what is not the iteration's own.
    if (waits || isOfAnother(it, body)) return false;
    waits = it.type === 'AwaitExpression' || it.type === 'YieldExpression';
    if (isCall(it)) calls.push(it);
    return true;
  });
  return waits || calls.some((it) => isLeftOver(file, loop, it));
}

/** Whether somebody may wait for a call, or a connection queue it, and anything is known of what it does. */
function isLeftOver(file: FileFacts, loop: Loop, call: Call): boolean {
  // no veto: it stands by itself.
  if (call.parent.type === 'ExpressionStatement') return mayQueue(file, call);
  return isAwaited(file, call) && !endsLoop(call, loop) && calleesOf(file, call).length > 0;
}

/** Repeated by a loop inside, or in a function that runs at another time: not what an iteration of the loop around it does. */
function isOfAnother(node: Node, body: Node): boolean {
  // no veto: the iteration itself.
  if (node === body) return false;
  const { parent } = node;
  if (isLoop(parent)) return repeatedParts(parent).includes(node);
  return isFunction(node) && !isRunAround(node);
}

/** Whether a function may be run where it stands, once: called, or given to what is no list. */
function isRunAround(fn: FunctionNode): boolean {
  let it: Node = fn;
  while (it.parent && bare(it.parent) === fn) it = it.parent;
  const { parent: call } = it;
  // no veto: `new Promise(…)` runs it at once.
  if (call?.type === 'NewExpression') return true;
  // no veto: it is kept for later.
  if (call?.type !== 'CallExpression') return false;
  // no veto: what lists call is a loop of its own.
  return call.arguments[0] !== it || !isEach(calledName(call.callee) ?? '');
}

/** Whether a call that nobody waits for may use a connection: itself, or the function that it calls. */
function mayQueue(file: FileFacts, call: Call): boolean {
  // no veto: to make a list longer sends nothing.
  if (/^(?:push|unshift)$/.test(calledName(calleeOf(call)) ?? '')) return false;
  // A helper that queues names the connection in its own file.
  return calleesOf(file, call).some((it) => it.kind !== 'function' || hasConnection(it.file));
}

const hasConnection = queryOfFile(
  'says a connection',
  (file: FileFacts): boolean => file.says(connectionCall),
  { whileCyclic: false },
);

/** What is known of what a call calls. */
function calleesOf(file: FileFacts, call: Call): readonly Value[] {
  const chosen = chosenByKey(file, call);
  if (chosen) return chosen;
  return alternativesOf(valueOf(file, calleeOf(call))).filter(
    ({ kind }) => kind !== 'unknown' && kind !== 'global' && kind !== 'nullish',
  );
}
