/** Those with the same key, in their order. What has no key is in no group. */
export function groupsOf<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string | undefined,
): ReadonlyMap<string, Set<T>> {
  const groups = new Map<string, Set<T>>();
  for (const it of items) {
    const key = keyOf(it);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.add(it);
    else groups.set(key, new Set([it]));
  }
  return groups;
}
