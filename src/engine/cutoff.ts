/** Larger and deeper results count as different, and so do those that hold themselves. */
const MAXIMUM_SIZE = 10_000;
const MAXIMUM_DEPTH = 20;

/** Whether two results are equal: lists, sets, maps and plain objects by what they hold, nodes and all else by identity. */
export function equal(a: unknown, b: unknown): boolean {
  return areEqual(a, b, { looks: 0 }, 0);
}

function areEqual(a: unknown, b: unknown, count: { looks: number }, depth: number): boolean {
  // no veto: what counts as different is only asked again, as test/engine/equal.test.ts has it.
  if (Object.is(a, b)) return true;
  // no veto: as above.
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  // no veto: bounds the time.
  if (++count.looks > MAXIMUM_SIZE || depth > MAXIMUM_DEPTH) return false;
  // no veto: as above.
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const areSame = (x: readonly unknown[], y: readonly unknown[]) =>
    x.length === y.length && x.every((it, i) => areEqual(it, y[i], count, depth + 1));
  if (Array.isArray(a)) return areSame(a, b as unknown[]);
  if (a instanceof Map) return areSame([...a], [...(b as typeof a)]);
  if (a instanceof Set) return areSame([...a], [...(b as typeof a)]);
  return isPlain(a) && isPlain(b) && areSame(Object.entries(a), Object.entries(b));
}

/** No node, and nothing that is computed when somebody asks. */
function isPlain(it: object): boolean {
  // no veto: as above.
  if (Object.getPrototypeOf(it) !== Object.prototype || 'type' in it) return false;
  return Object.values(Object.getOwnPropertyDescriptors(it)).every((of) => 'value' in of);
}
