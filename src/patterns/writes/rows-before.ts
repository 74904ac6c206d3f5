import { bare, dottedName, type Node } from '../../analysis/syntax/ast.ts';
import { calleeOf, isCall } from '../../analysis/syntax/calls.ts';
import type { Effect } from '../../analysis/effects/effects.ts';
import type { FileFacts } from '../../analysis/file/file.ts';
import type { Loop } from '../../analysis/flow/loops.ts';
import { mentions } from '../../analysis/syntax/mentions.ts';
import { chainOf } from '../../analysis/syntax/call-chains.ts';
import { variantsOf } from '../../analysis/loops/variants.ts';

/**
 * Whether each element queries the table again that it then writes to, and does not name itself: the result depends on the
 * elements before it, as in `const last = await highestNumber(); await invoices.save({ number: last + 1 })`.
 */
export function asksForRowsBefore(
  file: FileFacts,
  loop: Loop,
  { effect: asked, place }: { readonly effect: Effect; readonly place: Node | undefined },
  writes: readonly Effect[],
): boolean {
  if (!place || !looksForRow(asked, writes)) return false;
  return !mentions(file, place, variantsOf(file, loop));
}

/** Whether it reads a table that one of these writes to. */
export function looksForRow(asked: Effect, writes: readonly Effect[]): boolean {
  // no veto: nothing else is a table.
  if (asked.env !== 'db' || asked.op !== 'read') return false;
  return writes.some((it) => isSameTable(it, asked));
}

function isSameTable(a: Effect, b: Effect): boolean {
  if (a.keys.length > 0 || b.keys.length > 0) return a.keys.some((it) => b.keys.includes(it));
  const [one, other] = [modelOf(a), modelOf(b)];
  return one !== undefined && one === other && a.at.file === b.at.file;
}

/** Where no table has a name, the repository or model that it is asked by: `this.invoices`. */
function modelOf({ at }: Effect): string | undefined {
  const first = chainOf(at.node).at(-1);
  const callee = first && isCall(first) ? bare(calleeOf(first)) : undefined;
  return callee?.type === 'MemberExpression' ? dottedName(callee.object) : undefined;
}
