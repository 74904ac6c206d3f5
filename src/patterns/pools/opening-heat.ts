import { queryOfFile } from '../../engine/query.ts';
import { functionAround, type Node } from '../../analysis/syntax/ast.ts';
import { callsOf } from '../../analysis/provenance/function-uses.ts';
import { distantUsesOf } from '../../analysis/provenance/distant-uses.ts';
import { isNamedLikeConnection } from '../../analysis/provenance/connection-names.ts';
import { type HotContext, isExcluded, isHot, paceOf } from '../../analysis/contexts/contexts.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import { isItemLoop } from '../../analysis/loops/item-loops.ts';
import { loopAround } from '../../analysis/flow/loops.ts';

/** How hot a place that opens something is, when it is hot: by its file, or by other files that call its function. */
export function heatOf(file: FileFacts, call: Node): HotContext | undefined {
  const loop = loopAround(file, call);
  if (loop && loop.kind !== 'consumer') return isItemLoop(file, loop) ? 'per-item' : undefined;
  // veto: the code is not proved to run per element, job or request: a schedule or command may start it
  const pace = paceOf(file, call);
  return isHot(pace) && !isCommand(file) ? pace : undefined;
}

/** Callers are followed this far. */
const FARTHEST = 3;

/** How hot it is by the calls of other files. */
export function heatByCallers(file: FileFacts, call: Node, distance = 0): HotContext | undefined {
  const fn = functionAround(call);
  // veto: the call is at module level, or its own loop decides how often it runs
  if (!fn || loopAround(file, call)) return undefined;
  const own = callsOf(file, fn).map(({ callee }) => ({ file, node: callee as Node }));
  for (const { file: caller, node } of [...own, ...distantUsesOf(file, fn)]) {
    const { parent: use } = node;
    // no veto: what is handed on is run by others, whom nobody knows.
    if (use?.type !== 'CallExpression' || use.callee !== node) continue;
    // veto: the name of the called function is about connections, so the report is at its call
    if (isNamedLikeConnection(use)) continue;
    // veto: the calling file is a test, a script, a command-line program or code for a browser
    if (isExcluded(caller)) continue;
    const further = () =>
      distance < FARTHEST ? heatByCallers(caller, use, distance + 1) : undefined;
    const heat = heatOf(caller, use) ?? further();
    if (heat) return heat;
  }
  return undefined;
}

const COMMAND = /\bexports?\b[^\n]*\b(?:command|builder)\s*=/;

/** `exports.command = 'import'`: a module of a command-line parser, whose handler runs once. */
const isCommand = queryOfFile('command', (file: FileFacts): boolean => file.says(COMMAND), {
  whileCyclic: false,
});
