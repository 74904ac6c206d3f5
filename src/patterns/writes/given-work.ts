import { valueOf } from '../../analysis/provenance/value-of.ts';
import { bodyOf } from '../../engine/tracked-tree.ts';
import type { TSESTree } from '@typescript-eslint/utils';
import {
  contains,
  functionAround,
  type FunctionNode,
  type Node,
  walk,
} from '../../analysis/syntax/ast.ts';
import { isCall } from '../../analysis/syntax/calls.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { loopAround } from '../../analysis/flow/loops.ts';
import { parameterCalled } from '../../analysis/effects/parameter-calls.ts';
import { alternativesOf, type FunctionValue } from '../../analysis/file/value.ts';
import { isWaitedFor } from '../../analysis/flow/waits.ts';

/**
 * Where the code around a function waits for what happens in it: the call that the function is passed to, if that is of a function
 * of the project which runs it once and waits for it (`inTransaction(async () => …)`), else `place` itself. undefined where the
 * function itself does not wait.
 */
export function waitedOutside(file: FileFacts, place: Node): Node | undefined {
  let it = place;
  for (;;) {
    const fn = functionAround(it);
    const call = fn && callThatRuns(file, fn);
    // no veto: it happens where it stands.
    if (!call) return it;
    // A loop in the function repeats it, and what is waited for around the function is the loop.
    const loop = loopAround(file, it);
    if (loop && contains(fn, loop.node)) return it;
    // veto: the passed function only starts the write and does not wait for it
    if (!isWaitedFor(file, it, fn)) return undefined;
    it = call;
  }
}

function callThatRuns(file: FileFacts, fn: FunctionNode): TSESTree.CallExpression | undefined {
  const { parent } = fn;
  // no veto: nobody is given the function.
  if (parent.type !== 'CallExpression') return undefined;
  const index = parent.arguments.indexOf(fn as TSESTree.Expression);
  const runs = alternativesOf(valueOf(file, parent.callee)).some(
    (callee) => callee.kind === 'function' && runsOnce(callee, index),
  );
  return runs ? parent : undefined;
}

/** Whether a function calls the parameter at `index` in no loop, and is done when that is. */
function runsOnce({ file, node }: FunctionValue, index: number): boolean {
  let runs = false;
  walk(bodyOf(node), (it) => {
    if (runs || !isCall(it)) return !runs;
    const called = parameterCalled(file, it, node);
    runs =
      called?.index === index &&
      called.member === undefined &&
      isWaitedFor(file, it, node) &&
      // The loop of that function is the one that repeats it.
      loopAround(file, it) === undefined;
    return !runs;
  });
  return runs;
}
