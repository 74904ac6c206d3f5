import type { TSESTree } from '@typescript-eslint/utils';
import { bare, type FunctionNode, type Node, propertyName } from '../syntax/ast.ts';
import { type Call, calleeOf, isCall } from '../provenance/calls.ts';
import type { FileFacts } from '../file.ts';
import { flowOf } from '../flow.ts';
import { leadsTo, type Step } from '../flow/graph.ts';
import type { Variable } from '../syntax/names.ts';

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
  const left = new Set(awaits);
  const begins = flowOf(file, root)?.steps.filter((it) => isBeginning(file, it, names)) ?? [];
  return begins.map((begin) => {
    const places = [...left].filter((it) => isOpenAt(file, begin, it));
    for (const it of places) left.delete(it);
    return { begun: begin.node as Call, places };
  });
}

function isBeginning(file: FileFacts, { node }: Step, names: readonly Variable[]): boolean {
  const callee = node && isCall(node) ? bare(calleeOf(node)) : undefined;
  if (callee?.type !== 'MemberExpression') return false;
  const session = bare(callee.object);
  return (
    propertyName(callee) === 'startTransaction' &&
    session.type === 'Identifier' &&
    names.includes(file.variableOf(session)!)
  );
}

/** Whether a way leads there on which nothing fails and nothing ends the transaction. */
function isOpenAt(file: FileFacts, begin: Step, place: Node): boolean {
  return leadsTo(
    begin,
    ({ node }) => node === place,
    ({ kind, to }) => kind !== 'throw' && !isEnd(file, to),
  );
}

const ENDS = /\b(?:commit|abort)Transaction\b/;

/** `session.commitTransaction()`, or a call of a function of the project that has it. */
function isEnd(file: FileFacts, { node }: Step): boolean {
  if (!node || !isCall(node)) return false;
  const callee = bare(calleeOf(node));
  if (callee.type === 'MemberExpression' && ENDS.test(propertyName(callee) ?? '')) return true;
  const called = file.valueOf(callee);
  return called.kind === 'function' && ENDS.test(called.file.textOf(called.node));
}
