import type { FileFacts } from '../file/file.ts';
import { libraryCallOf } from '../provenance/library-calls.ts';
import { type Node, walk } from '../syntax/ast.ts';
import { isCall } from '../syntax/calls.ts';
import { behaviourOf } from './behaviour.ts';

/** What the effects of the code, and of what it calls, rest on without a proof: recorded facts that are not confirmed. */
export function assumptionsIn(file: FileFacts, scope: Node): readonly string[] {
  const found = new Set(behaviourOf(file, scope, scope).effects.map((it) => it.assumed));
  walk(scope, (node) => {
    if (isCall(node)) found.add(libraryCallOf(file, node)?.signature.assumed);
  });
  return [...found].filter((it) => it !== undefined);
}
