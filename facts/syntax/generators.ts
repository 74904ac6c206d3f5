import { bare, type Node } from './ast.ts';
import { exitsOf } from './conditions.ts';
import type { FileFacts } from '../file.ts';

/**
 * Whether a loop of the same file stops asking a generator for more by `break` or `return`: its `yield` does not come back
 * then, and only `finally` runs. Loops elsewhere, and those that an exception ends, are not known.
 */
export function isLeftEarly(file: FileFacts, generator: Node): boolean {
  return file.nodes.all('ForOfStatement').some(({ right, body }) => {
    const call = bare(right);
    if (call.type !== 'CallExpression') return false;
    const callee = file.valueOf(call.callee);
    if (callee.kind !== 'function' || callee.node !== generator) return false;
    return exitsOf(body).some((it) => it === 'break' || it === 'return');
  });
}
