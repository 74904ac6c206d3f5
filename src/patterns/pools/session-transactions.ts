import { valueOf } from '../../analysis/provenance/value-of.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  bare,
  calledName,
  type FunctionNode,
  isFunction,
  type Node,
  propertyName,
  walkOwn,
} from '../../analysis/syntax/ast.ts';
import { argumentsOf, type Call, calleeOf, isCall } from '../../analysis/syntax/calls.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { flowOf } from '../../analysis/flow/flow.ts';
import { type Step, stepsBehind } from '../../analysis/flow/graph.ts';
import { variablesIn } from '../../analysis/syntax/mentions.ts';
import type { Variable } from '../../analysis/syntax/names.ts';
import type { FunctionValue } from '../../analysis/file/value.ts';

/** A transaction that the code begins on a session: `session.startTransaction()`. */
export interface SessionTransaction {
  readonly begun: Call;
  /** What is awaited before it is committed or given up. */
  readonly places: readonly Node[];
}

/** Those of a session that `root` begins, in source order; a place counts for the first that it may run in. */
export function transactionsOf(
  file: FileFacts,
  root: FunctionNode | TSESTree.Program,
  names: readonly Variable[],
  awaits: readonly Node[],
): readonly SessionTransaction[] {
  const left = new Map(awaits.map((it, i) => [it, i]));
  const begins = flowOf(file, root)?.steps.filter((it) => isBeginning(file, it, names)) ?? [];
  return begins.map((begin) => {
    const places = new Map<Node, number>();
    for (const { node } of stepsOpenedBy(file, begin)) {
      const at = node && left.get(node);
      if (at !== undefined) places.set(node!, at);
    }
    for (const it of places.keys()) left.delete(it);
    const inOrder = [...places].sort(([, a], [, b]) => a - b);
    return { begun: begin.node as Call, places: inOrder.map(([it]) => it) };
  });
}

function isBeginning(file: FileFacts, { node }: Step, names: readonly Variable[]): boolean {
  if (!node || !isCall(node)) return false;
  const variable = begunBy(file, node);
  if (variable) return names.includes(variable);
  const callee = valueOf(file, calleeOf(node));
  return argumentsOf(node).some((it, i) => {
    const given = it.type === 'Identifier' ? file.variableOf(it) : undefined;
    return given && names.includes(given) && callee.kind === 'function' && begins(callee, i);
  });
}

/** `session` of `session.startTransaction()`. */
export function begunBy(file: FileFacts, call: Call): Variable | undefined {
  const callee = bare(calleeOf(call));
  if (callee.type !== 'MemberExpression' || propertyName(callee) !== 'startTransaction')
    return undefined;
  const session = bare(callee.object);
  return session.type === 'Identifier' ? file.variableOf(session) : undefined;
}

/** A function that begins a transaction on the session it is given, and leaves the end to its caller. */
function begins({ file, node }: FunctionValue, index: number): boolean {
  const parameter = node.params[index];
  // no veto: without a body, it begins nothing.
  if (!parameter || !bodyOf(node)) return false;
  // What it ends itself, it holds itself.
  if (ENDS.test(file.textOf(node))) return false;
  const names = variablesIn(file, parameter);
  let isBegun = false;
  walkOwn(bodyOf(node), (it) => {
    const variable = isCall(it) ? begunBy(file, it) : undefined;
    isBegun ||= variable !== undefined && names.includes(variable);
  });
  return isBegun;
}

/** To which a way leads on which nothing fails and nothing ends the transaction. */
function stepsOpenedBy(file: FileFacts, begin: Step): Iterable<Step> {
  return stepsBehind(begin, ({ kind, to }) => kind !== 'throw' && !isEnd(file, to));
}

const ENDS = /\b(?:commit|abort)Transaction\b/;
const ENDS_BY_NAME = /^(?:commit|abort|rollback)(?![a-z])/;

/**
 * `session.commitTransaction()`, `retried(() => session.commitTransaction())`, or a call of a function of the project that has
 * it.
 */
function isEnd(file: FileFacts, { node }: Step): boolean {
  if (!node || !isCall(node)) return false;
  const callee = bare(calleeOf(node));
  // Nobody needs to see what `commitWithRetry(session)` and `this.work.rollback()` do.
  if (ENDS_BY_NAME.test(calledName(callee) ?? '')) return true;
  if (argumentsOf(node).some((it) => isFunction(it) && ENDS.test(file.textOf(it)))) return true;
  const called = valueOf(file, callee);
  return called.kind === 'function' && ENDS.test(called.file.textOf(called.node));
}
