import { type QueryHost, queryOfFile } from '../../engine/query.ts';

/** Declares items of a file, grouped by their subject: they are sorted once for all findings. */
export function groupsOf<Host extends QueryHost & { readonly ast: object }, T, Key>(
  name: string,
  allOf: (file: Host) => Iterable<T>,
  keyOf: (it: T, file: Host) => Key | undefined,
): (file: Host) => ReadonlyMap<Key, readonly T[]> {
  return queryOfFile(
    name,
    (file: Host): ReadonlyMap<Key, readonly T[]> => groupedBy(allOf(file), (it) => keyOf(it, file)),
    { whileCyclic: new Map<Key, readonly T[]>() },
  );
}

/** In the order of the list, by the result of `keyOf`; items without a key are omitted. */
export function groupedBy<T, Key>(
  all: Iterable<T>,
  keyOf: (it: T) => Key | undefined,
): Map<Key, T[]> {
  const found = new Map<Key, T[]>();
  for (const it of all) {
    const key = keyOf(it);
    if (key === undefined) continue;
    const same = found.get(key);
    if (same) same.push(it);
    else found.set(key, [it]);
  }
  return found;
}
