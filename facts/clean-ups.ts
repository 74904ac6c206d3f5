// vetoes of no-autocommit-in-loop, no-independent-await-in-loop
import { calledName, contains, functionAround, type Node } from './ast.ts';
import { isAfterFailure } from './conditions.ts';
import { isExported } from './exports.ts';
import type { FileFacts } from './file.ts';
import { nameOfFunction } from './pacing.ts';

/** After a failure, or in a function that the file calls by its name after one only: `catch (error) { await releaseAll(locks); throw error; }`. */
export function isCleanUp(file: FileFacts, node: Node): boolean {
  if (isAfterFailure(node)) return true;
  const fn = functionAround(node);
  const name = fn && nameOfFunction(fn);
  // no veto: a function that nobody can call by a name.
  if (!fn || !name || isExported(fn)) return false;
  const calls = file.nodes
    .all('CallExpression')
    .filter((it) => calledName(it.callee) === name && !contains(fn, it));
  return calls.length > 0 && calls.every((it) => isAfterFailure(it));
}
