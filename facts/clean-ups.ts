// vetoes of no-autocommit-in-loop, no-independent-await-in-loop
import { functionAround, type Node } from './ast.ts';
import { isAfterFailure } from './conditions.ts';
import type { FileFacts } from './file.ts';
import { usesOf } from './function-uses.ts';

/** After a failure, or in a function that is used after one only: `catch (error) { await releaseAll(locks); throw error; }`. */
export function isCleanUp(file: FileFacts, node: Node): boolean {
  if (isAfterFailure(node)) return true;
  const fn = functionAround(node);
  const uses = fn ? usesOf(file, fn) : [];
  return uses.length > 0 && uses.every((it) => isAfterFailure(it));
}
