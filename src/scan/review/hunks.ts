import { type Hunk, linesOf } from './patch.ts';

/** The text after the hunks; undefined where they were not made for this one. */
export function applied(text: string, hunks: readonly Hunk[]): string | undefined {
  const lines = linesOf(text);
  const parts: (readonly string[])[] = [];
  let next = 0;
  for (const { from, removed, added } of hunks) {
    const start = from - 1;
    // Git lists them in order. In a different order, the lines in between would be copied again and again.
    if (start < next) return undefined;
    if (!removed.every((it, i) => isSame(it, lines[start + i]))) return undefined;
    parts.push(lines.slice(next, start), added);
    next = start + removed.length;
  }
  return [...parts, lines.slice(next)].flat().join('');
}

/** The text before the hunks. */
export function reverted(text: string, hunks: readonly Hunk[]): string | undefined {
  return applied(
    text,
    hunks.map(({ from, removed, to, added }) => ({
      ...{ from: to, removed: added },
      ...{ to: from, added: removed },
    })),
  );
}

/** The place in `before` of a place in the text `after`; undefined in new lines. */
export function placesBefore(
  before: string,
  after: string,
  hunks: readonly Hunk[],
): (offset: number) => number | undefined {
  const startsBefore = startsOf(before);
  const startsAfter = startsOf(after);
  let shift = 0;
  const shifts = hunks.map(({ removed, added }) => (shift += removed.length - added.length));
  return (offset) => {
    const at = lastUpTo(offset, startsAfter, itself);
    const above = lastUpTo(at + 1, hunks, firstLine);
    const hunk = hunks[above];
    if (hunk && at + 1 < hunk.to + hunk.added.length) return undefined;
    const start = startsBefore[at + (shifts[above] ?? 0)];
    return start === undefined ? undefined : start + offset - startsAfter[at]!;
  };
}

/** The index of the last of items in ascending order whose number is at most `most`; -1 where all are greater. */
export function lastUpTo<T>(
  most: number,
  ascending: readonly T[],
  numberOf: (item: T) => number,
): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numberOf(ascending[middle]!) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** In the text after the change. */
export function firstLine({ to }: Hunk): number {
  return to;
}

function itself(number: number): number {
  return number;
}

function startsOf(text: string): readonly number[] {
  const starts = [0];
  for (const line of linesOf(text)) starts.push(starts.at(-1)! + line.length);
  return starts;
}

/** Git may have changed the ends of lines between its store and the disk, and the mark of the byte order is not ours. */
function isSame(a: string, b: string | undefined): boolean {
  return b !== undefined && bare(a) === bare(b);
}

function bare(line: string): string {
  return line.replace(/\r?\n$/, '').replace(/^\uFEFF/, '');
}
