/** UTF-16 offsets into a text. */
export type Range = readonly [start: number, end: number];

/** The range of `old` that `text` has other characters for. */
export function differenceOf(old: string, text: string): Range {
  const shorter = Math.min(old.length, text.length);
  let start = 0;
  while (start < shorter && old.charCodeAt(start) === text.charCodeAt(start)) start++;
  let same = 0;
  while (
    same < shorter - start &&
    old.charCodeAt(old.length - 1 - same) === text.charCodeAt(text.length - 1 - same)
  ) {
    same++;
  }
  return [start, old.length - same];
}
