import { valueOf } from '../../analysis/provenance/value-of.ts';
import { query } from '../../engine/query.ts';
import { functionAround, type Node, walk, type FunctionNode } from '../../analysis/syntax/ast.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { alternativesOf } from '../../analysis/file/value.ts';

/** How code speaks that reckons with a service which counts its requests. */
// veto: the code handles a response to too many requests (status 429, `Retry-After`)
const LIMITED =
  /\b429\b|\bretry-?after\b|\btoo_?many_?requests\b|\brate-?limit-(?:remaining|reset)\b|\brate_?limit(?:_?exceeded)?_?(?:error|exception)\b/i;

/** Helpers of helpers further down say little about one loop. */
const DEEPEST = 4;

/**
 * Whether the function around `node`, or one that it calls for these awaits, handles a response to too many requests (status
 * 429, a Retry-After header): the service would only reject more concurrent ones.
 */
export function heedsRateLimit(file: FileFacts, node: Node, awaits: readonly Node[]): boolean {
  const around = functionAround(node) ?? node;
  return isSaidIn(file, around) || awaits.some((it) => isHeededBelow(file, it, DEEPEST));
}

const isSaidIn = query(
  'speaks of a limit',
  (file: FileFacts, node: Node): boolean => LIMITED.test(file.textOf(node)),
  { whileCyclic: false },
);

/** As below, of a function: many places may call it. */
const isHeededIn = query(
  'heeds a limit',
  (file: FileFacts, node: FunctionNode, depth: number): boolean => isHeededBelow(file, node, depth),
  { whileCyclic: false },
);

/** In the functions of the project that run when `root` does. */
function isHeededBelow(file: FileFacts, root: Node, depth: number): boolean {
  let found = false;
  walk(root, (it) => {
    // no veto: found already, or no call.
    if (found || it.type !== 'CallExpression') return !found;
    found = alternativesOf(valueOf(file, it.callee)).some((callee) => {
      // no veto: a library's, or nobody knows whose.
      if (callee.kind !== 'function') return false;
      return (
        isSaidIn(callee.file, callee.node) ||
        (depth > 1 && isHeededIn(callee.file, callee.node, depth - 1))
      );
    });
    return !found;
  });
  return found;
}
