/**
 * A part of `text` that still fails and of which no line, and then no word, can be left out: delta debugging (Zeller and
 * Hildebrandt, 2002).
 */
export function shrunk(text: string, fails: (text: string) => boolean): string {
  return [/(?<=\n)/, /(?<=\W)|(?=\W)/].reduce((it, between) => {
    const units = it.split(between);
    return units.length > 1 ? smallest(units, (some) => fails(some.join(''))).join('') : it;
  }, text);
}

function smallest(
  units: readonly string[],
  fails: (units: readonly string[]) => boolean,
): readonly string[] {
  let kept = units;
  for (let size = Math.ceil(kept.length / 2); ; size = Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length;) {
      const without = [...kept.slice(0, at), ...kept.slice(at + size)];
      if (fails(without)) kept = without;
      else at += size;
    }
    if (size <= 1) return kept;
  }
}
