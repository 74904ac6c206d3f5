/** The entries of `names` that `word` may be a typing error of, the nearest first: at most a third of the name is wrong. */
export function nearest(word: string, names: readonly string[]): readonly string[] {
  return names
    .map((name) => ({ name, distance: editDistance(word, name) }))
    .filter(({ name, distance }) => distance * 3 <= name.length)
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
}

/** Insertions, deletions, replacements of one character, and two neighbours that have changed places. */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? before[j - 2]! + 1 : Infinity;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced, swapped));
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
