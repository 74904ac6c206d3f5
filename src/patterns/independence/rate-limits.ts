import { functionAround, type Node, walk } from '../../analysis/syntax/ast.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { alternativesOf, type FunctionValue } from '../../analysis/file/value.ts';

/** How code speaks that reckons with a service which counts its requests. */
// veto: reckons with a limit
const LIMITED =
  /\b429\b|\bretry-?after\b|\btoo_?many_?requests\b|\brate-?limit-(?:remaining|reset)\b|\brate_?limit(?:_?exceeded)?_?(?:error|exception)\b/i;

/** Helpers of helpers further down say little about one loop. */
const DEEPEST = 4;

/**
 * Whether the function around `node`, or one that it calls for these awaits, handles the answer of a service that
 * wants fewer requests (status 429, a Retry-After header): more at once would only be refused.
 */
export function heedsRateLimit(file: FileFacts, node: Node, awaits: readonly Node[]): boolean {
  const around = functionAround(node) ?? node;
  return isSaidIn(file, around) || awaits.some((it) => isHeededBelow(file, it, DEEPEST));
}

function isSaidIn(file: FileFacts, node: Node): boolean {
  const find = () => LIMITED.test(file.textOf(node));
  return file.remember<boolean>(file.keyFor(node, '=speaks of a limit'), find, false);
}

/** As below, of a function: many places may call it. */
function isHeededIn({ file, node }: FunctionValue, depth: number): boolean {
  const key = file.keyFor(node, `=heeds a limit ${depth}`);
  return file.remember<boolean>(key, () => isHeededBelow(file, node, depth), false);
}

/** In the functions of the project that run when `root` does. */
function isHeededBelow(file: FileFacts, root: Node, depth: number): boolean {
  let found = false;
  walk(root, (it) => {
    // no veto: found already, or no call.
    if (found || it.type !== 'CallExpression') return !found;
    found = alternativesOf(file.valueOf(it.callee)).some((callee) => {
      // no veto: a library's, or nobody knows whose.
      if (callee.kind !== 'function') return false;
      return isSaidIn(callee.file, callee.node) || (depth > 1 && isHeededIn(callee, depth - 1));
    });
    return !found;
  });
  return found;
}
