/** UTF-16 offsets into a text. */
export type Range = readonly [start: number, end: number];

/** Each edit is asked about several times. */
let last: { readonly old: string; readonly text: string; readonly range: Range } | undefined;

/** The range of `old` that `text` has other characters for. */
export function differenceOf(old: string, text: string): Range {
  if (last?.old !== old || last.text !== text) last = { old, text, range: changedRange(old, text) };
  return last.range;
}

function changedRange(old: string, text: string): Range {
  const shorter = Math.min(old.length, text.length);
  const start = sameFor(shorter, (from, to) => old.slice(from, to) === text.slice(from, to));
  const same = sameFor(
    shorter - start,
    (from, to) =>
      old.slice(old.length - to, old.length - from) ===
      text.slice(text.length - to, text.length - from),
  );
  return [start, old.length - same];
}

/** How far two texts are the same; the stretches get shorter, because one look at a long one costs little more than at a letter. */
function sameFor(limit: number, isSame: (from: number, to: number) => boolean): number {
  let known = 0;
  for (const stretch of [4_096, 64, 1]) {
    while (known + stretch <= limit && isSame(known, known + stretch)) known += stretch;
  }
  return known;
}
