import type { Place } from '../file/place.ts';
import { valueOf } from '../provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import { bare, type FunctionNode, type Node } from '../syntax/ast.ts';
import { wholeChain } from '../syntax/call-chains.ts';
import { calleeOf, isCall, returnedExpressions } from '../syntax/calls.ts';
import type { FileFacts } from '../file/file.ts';
import { alternativesOf, type LibraryValue } from '../file/value.ts';

/**
 * Where a statement is put together that is waited for elsewhere: `db('ships').insert(row)` of
 * `const add = (row) => db('ships').insert(row)`, which `await add(row)` runs. undefined where more is done to it on the way.
 */
export function builtElsewhere(
  file: FileFacts,
  awaited: Node,
  { origin }: LibraryValue,
): Place | undefined {
  const call = bare(awaited);
  if (!isCall(call) || !origin) return undefined;
  const node = wholeChain(origin.node);
  const givers = alternativesOf(valueOf(file, calleeOf(call)));
  const isGiven = givers.some(
    (it) => it.kind === 'function' && givesBack(it.file, it.node).has(node),
  );
  return isGiven ? { file: origin.file, node } : undefined;
}

/** The values that a function returns to be awaited: its own expressions, and the results of its calls. */
export const givesBack = query(
  'gives back',
  (file: FileFacts, fn: FunctionNode): ReadonlySet<Node> => {
    const found = new Set<Node>();
    // no veto: it waits by itself.
    if (fn.async) return found;
    for (const returned of returnedExpressions(fn)) {
      const it = bare(returned);
      found.add(it);
      for (const callee of isCall(it) ? alternativesOf(valueOf(file, calleeOf(it))) : []) {
        if (callee.kind !== 'function') continue;
        for (const inner of givesBack(callee.file, callee.node)) found.add(inner);
      }
    }
    return found;
  },
  { whileCyclic: new Set<Node>() },
);
