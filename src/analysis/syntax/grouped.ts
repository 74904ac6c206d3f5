/** What is asked of a file here. */
interface Remembering {
  readonly ast: object;
  keyFor(subject: object, name: string): object;
  remember<T>(key: object, compute: () => T, meanwhile: T): T;
}

/** What a file has of something, by what it is about; it is sorted once, however many findings look it up. */
export function groupedIn<T, Key>(
  file: Remembering,
  name: string,
  all: () => Iterable<T>,
  keyOf: (it: T) => Key | undefined,
): ReadonlyMap<Key, readonly T[]> {
  return file.remember<ReadonlyMap<Key, readonly T[]>>(
    file.keyFor(file.ast, name),
    () => groupedBy(all(), keyOf),
    new Map<Key, readonly T[]>(),
  );
}

/** In the order of the list, by what `keyOf` says of each; those of which it says nothing are left out. */
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
