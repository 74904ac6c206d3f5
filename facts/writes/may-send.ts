import {
  bare,
  calledName,
  functionAround,
  type FunctionNode,
  isFunction,
  isLoop,
  type Node,
  walk,
} from '../syntax/ast.ts';
import { type Call, calleeOf, isCall } from '../provenance/calls.ts';
import { chosenByKey } from '../effects/chosen-calls.ts';
import type { FileFacts } from '../file.ts';
import { isEach } from '../flow/callbacks.ts';
import { type Loop, repeatedParts } from '../loops.ts';
import { alternativesOf } from '../provenance/value.ts';

/**
 * Whether an iteration waits for something itself, or has a call that stands by itself as what is queued by a connection does:
 * nothing else is a write for each element. Most loops only compute, and nobody has to ask what their calls do.
 */
export function maySend(file: FileFacts, { node, body }: Loop): boolean {
  // The callback's answer may be waited for.
  if (body.type !== 'BlockStatement' && isFunction(body.parent)) return true;
  if (/\bPromise\b|\bvar\b/.test(file.textOf(body))) return true;
  const own = functionAround(body);
  const calls: Call[] = [];
  let waits = false;
  walk(body, (it) => {
    if (waits || isOfAnother(it, body)) return false;
    switch (it.type) {
      case 'AwaitExpression':
      case 'YieldExpression':
        waits = true;
        break;
      case 'ReturnStatement':
        // A loop that is a statement ends with it.
        waits = !isLoop(node) || functionAround(it) !== own;
        break;
      case 'ArrowFunctionExpression':
        waits = it.body.type !== 'BlockStatement';
        break;
      case 'ExpressionStatement':
        if (isCall(it.expression)) calls.push(it.expression);
        break;
    }
    return !waits;
  });
  return waits || calls.some((it) => mayQueue(file, it));
}

/** Repeated by a loop inside, or in a function that runs at another time: not what an iteration of the loop around it does. */
function isOfAnother(node: Node, body: Node): boolean {
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
  if (call?.type === 'NewExpression') return true;
  if (call?.type !== 'CallExpression') return false;
  return call.arguments[0] !== it || !isEach(calledName(call.callee) ?? '');
}

/** Whether anything is known of what a call does; to make a list longer sends nothing. */
function mayQueue(file: FileFacts, call: Call): boolean {
  const callee = calleeOf(call);
  if (/^(?:push|unshift)$/.test(calledName(callee) ?? '')) return false;
  const isKnown = alternativesOf(file.valueOf(callee)).some(
    ({ kind }) => kind !== 'unknown' && kind !== 'global' && kind !== 'nullish',
  );
  return isKnown || chosenByKey(file, call) !== undefined;
}
