/** The next entries of a map at each call, from its beginning once all had their turn. */
export function inTurns<T>(
  entries: ReadonlyMap<string, T>,
): (most: number) => readonly (readonly [string, T])[] {
  let left: Iterator<[string, T], undefined> | undefined;
  return (most) => {
    const found: (readonly [string, T])[] = [];
    left ??= entries.entries();
    while (found.length < most) {
      const next = left.next();
      if (next.done) {
        left = undefined;
        break;
      }
      found.push(next.value);
    }
    return found;
  };
}
