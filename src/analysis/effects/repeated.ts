import type { Effect } from './effects.ts';
import type { Node } from '../syntax/ast.ts';

/** Whether each one does something that none before it does: at another place, for other rows or on another connection. */
export function firstOfEach(effects: readonly Effect[]): readonly boolean[] {
  const byPlace = new Map<Node, Effect[]>();
  return effects.map((effect) => {
    const others = byPlace.get(effect.at.node);
    if (!others) byPlace.set(effect.at.node, [effect]);
    else if (others.some((it) => isSameAtPlace(it, effect))) return false;
    else others.push(effect);
    return true;
  });
}

type Parts = Readonly<Record<string, unknown>>;

function isSameAtPlace(one: Effect, other: Effect): boolean {
  const [a, b] = [one, other] as unknown as readonly [Parts, Parts];
  return (
    Object.keys(a).every((key) => key === 'at' || isSame(a[key], b[key])) &&
    Object.keys(b).every((key) => key in a || b[key] === undefined)
  );
}

/** Of texts, flags, lists of them, and objects that have such: nodes are the same or not. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  // no veto: the shape of an object.
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  const [one, other] = [Object.entries(a), b as Parts];
  return (
    one.length === Object.keys(b).length &&
    one.every(([key, it]) => it === other[key] || (Array.isArray(it) && isSame(it, other[key])))
  );
}
