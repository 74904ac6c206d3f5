import type { Effect } from './effects.ts';

/** What one place does again: reached by another way, for the same rows and on the same connection. */
export function isSameEffect(a: Effect, b: Effect): boolean {
  return Object.keys({ ...a, ...b }).every((key) =>
    key === 'at' ? a.at.node === b.at.node : isSame(a[key as keyof Effect], b[key as keyof Effect]),
  );
}

/** Of texts, flags, lists of them, and objects that have such: nodes are the same or not. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  // no veto: the shape of an object.
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  const [one, other] = [Object.entries(a), b as Readonly<Record<string, unknown>>];
  return (
    one.length === Object.keys(b).length &&
    one.every(([key, it]) => it === other[key] || (Array.isArray(it) && isSame(it, other[key])))
  );
}
