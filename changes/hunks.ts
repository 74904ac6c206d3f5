import { type Hunk, linesOf } from './patch.ts';

/** The text after the hunks; undefined where they were not made for this one. */
export function applied(text: string, hunks: readonly Hunk[]): string | undefined {
  const lines = linesOf(text);
  const parts: (readonly string[])[] = [];
  let next = 0;
  for (const { from, removed, added } of hunks) {
    const start = from - 1;
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

/** Where a place of the text `after` stood in `before`; undefined in lines that are new. */
export function placesBefore(
  before: string,
  after: string,
  hunks: readonly Hunk[],
): (offset: number) => number | undefined {
  const startsBefore = startsOf(before);
  const startsAfter = startsOf(after);
  return (offset) => {
    const line = startsAfter.findLastIndex((start) => start <= offset) + 1;
    let shift = 0;
    for (const { removed, to, added } of hunks) {
      if (line < to) break;
      if (line < to + added.length) return undefined;
      shift += removed.length - added.length;
    }
    const start = startsBefore[line - 1 + shift];
    return start === undefined ? undefined : start + offset - startsAfter[line - 1]!;
  };
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
