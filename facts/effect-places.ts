// vetoes of no-checkout-per-query
import { bare, isFunction, type Node, walk } from './ast.ts';
import { behaviourOfFunction } from './behaviour.ts';
import { calleeOf, isCall } from './calls.ts';
import type { Effect } from './effects.ts';
import type { FileFacts } from './file.ts';
import { loopAround } from './loops.ts';
import { alternativesOf } from './value.ts';

/** The call in `root` of a function of the project that leads to the effect. */
export function callTo(file: FileFacts, root: Node, effect: Effect): Node | undefined {
  let call: Node | undefined;
  walk(root, (it) => {
    if (call || it.type !== 'CallExpression') return !call;
    if (isFunction(bare(it.callee))) return true;
    const leads = alternativesOf(file.valueOf(it.callee)).some(
      (callee) =>
        callee.kind === 'function' &&
        behaviourOfFunction(callee).effects.some((inner) => inner.at.node === effect.at.node),
    );
    if (leads) call = it;
    return !leads;
  });
  return call;
}

/** A loop of its own in one of the functions between: that one is the cause. */
export function isLoopedBehind(
  file: FileFacts,
  place: Node,
  effect: Effect,
  seen = new Set<Node>(),
): boolean {
  const { at } = effect;
  if (loopAround(at.file, at.node)) return true;
  // Functions that call each other lead back to where they were called first.
  if (!isCall(place) || seen.has(place)) return false;
  seen.add(place);
  return alternativesOf(file.valueOf(calleeOf(place))).some((callee) => {
    if (callee.kind !== 'function') return false;
    const inner = callTo(callee.file, callee.node.body!, effect);
    if (!inner) return false;
    return (
      loopAround(callee.file, inner) !== undefined ||
      isLoopedBehind(callee.file, inner, effect, seen)
    );
  });
}
