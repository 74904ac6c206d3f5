import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  dottedName,
  functionAround,
  isFunction,
  type Node,
  propertyName,
  walk,
} from '../syntax/ast.ts';
import { type Call, isSpreadUpTo } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { flowOf } from '../flow/flow.ts';
import { type Flow, leadsTo } from '../flow/graph.ts';
import { implementationsOf } from '../provenance/implementations.ts';
import { isHandle, memberOnHandle } from './handle.ts';
import type { State, Tour } from './state.ts';
import type { FunctionValue } from '../file/value.ts';
import { isAnswerUsed } from '../flow/waits.ts';

/** Connecting may have failed without a rejection, and only the result shows it. */
export function mayHideFailure(tour: Tour, node: Call, state: State): boolean {
  // veto of an exclusion: the code ignores the result of the call, so a failure to connect cannot be in it
  if (node.type !== 'CallExpression' || !isAnswerUsed(node)) return false;
  return node.arguments.some(
    (it, index) =>
      // veto: the failure to connect may be in the result of the call, without a rejection
      isConnectingIn(tour, state, it) && !rejectsWith(tour.file, node, index),
  );
}

/** `settled(client.connect())`, `settled((async () => { await client.connect(); … })())`: whether it is open is in the answer. */
function isConnectingIn(tour: Tour, state: State, argument: Node): boolean {
  const call = bare(argument);
  if (call.type !== 'CallExpression') return false;
  const callee = bare(call.callee);
  if (!isFunction(callee)) return isConnecting(tour, state, call);
  let connects = false;
  walk(bodyOf(callee), (it) => {
    connects ||= it.type === 'CallExpression' && isConnecting(tour, state, it);
  });
  return connects;
}

function isConnecting(tour: Tour, state: State, { callee }: TSESTree.CallExpression): boolean {
  const it = bare(callee);
  return (
    it.type === 'MemberExpression' &&
    isHandle(tour, state, it.object) &&
    memberOnHandle(tour, propertyName(it))?.begins !== undefined
  );
}

/** Whether a call is known to reject when the promise does that it is given at `index`: `timed(client.connect())`. */
function rejectsWith(file: FileFacts, call: TSESTree.CallExpression, index: number): boolean {
  const callees = isSpreadUpTo(call.arguments, index) ? undefined : implementationsOf(file, call);
  return callees?.every((it) => passesOn(it, index)) ?? false;
}

function passesOn({ file, node }: FunctionValue, index: number): boolean {
  const parameter = node.params[index];
  const flow = parameter?.type === 'Identifier' ? flowOf(file, node) : undefined;
  if (!flow) return false;
  const uses = file.variableOf(parameter as TSESTree.Identifier)?.references ?? [];
  return (
    uses.length > 0 &&
    uses.every(({ identifier }) => {
      const outer = combined(identifier);
      return functionAround(outer) === node && (isThrownOn(flow, outer) || isReturned(outer));
    })
  );
}

/** `Promise.race([work, late])` in place of `work`: rejected with it. */
function combined(promise: Node): Node {
  const list = promise.parent;
  const call = list?.type === 'ArrayExpression' ? list.parent : undefined;
  const isCombined =
    call?.type === 'CallExpression' &&
    /^Promise\.(?:all|race)$/.test(dottedName(call.callee) ?? '');
  return isCombined ? call : promise;
}

/** Waited for, and what it throws leaves the function, whatever stands around it. */
function isThrownOn(flow: Flow, promise: Node): boolean {
  const steps = flow.steps.filter(
    ({ node }) => node?.type === 'AwaitExpression' && bare(node.argument) === promise,
  );
  const thrown = steps.flatMap(({ edges }) => edges.filter((it) => it.kind === 'throw'));
  return (
    thrown.length > 0 &&
    thrown.every(({ to }) => to !== flow.exit && !leadsTo(to, (it) => it === flow.exit))
  );
}

function isReturned(promise: Node): boolean {
  const { parent } = promise;
  if (parent?.type === 'ReturnStatement') return true;
  return parent?.type === 'ArrowFunctionExpression' && bodyOf(parent) === promise;
}
