import type { TSESTree } from '@typescript-eslint/utils';
import { contains, functionAround, type Node } from '../syntax/ast.ts';
import { completes } from '../syntax/conditions.ts';
import type { Loop } from './loops.ts';

/** `if (fits) { await save(it); return; }`, `try { return await send(); } catch { attempts++; }`: with what is done there, the loop ends. */
export function endsLoop(place: Node, { node, body }: Loop): boolean {
  // no veto: to return from a callback is to go on with the next element.
  if (!/Statement$/.test(node.type)) return false;
  // veto of an exclusion: the test of the loop makes the call, so each iteration repeats it
  if (!contains(body, place)) return false;
  // veto of an exclusion: a function inside the loop makes the call, and its return does not end the loop
  if (functionAround(place) !== functionAround(body)) return false;
  for (let it = place; it !== body && it.parent; it = it.parent) {
    const { parent } = it;
    if (it.type === 'ReturnStatement') return true;
    const isCase = parent.type === 'SwitchCase';
    const after = isCase ? parent.consequent : parent.type === 'BlockStatement' ? parent.body : [];
    const exit = after
      .slice(after.indexOf(it as TSESTree.Statement) + 1)
      .find((next) => !completes(next));
    // A break in a case ends the switch.
    if (exit && !(isCase && exit.type === 'BreakStatement'))
      return /^(?:Return|Throw|Break)Statement$/.test(exit.type);
  }
  return false;
}
