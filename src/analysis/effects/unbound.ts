import type { FunctionNode } from '../syntax/ast.ts';
import type { Effect } from './effects.ts';

/** The effect of a function that other code calls, on any connection of that code. */
export function unbound(effect: Effect, fn: FunctionNode): Effect {
  const isPassed =
    (typeof effect.handle !== 'string' && effect.handle.fn === fn) ||
    (effect.passedOptions ?? []).some((it) => it.fn === fn);
  return isPassed ? { ...effect, handle: 'unknown' } : effect;
}

/** The effect of a call that need not have it: it may be no wait, and nothing is claimed about what it does. */
export function withoutWait(effect: Effect): Effect {
  return { ...effect, memo: true, op: effect.op === 'read' ? 'read' : 'unknown' };
}
