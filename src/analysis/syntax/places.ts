import type { TSESTree } from '@typescript-eslint/utils';
import type { Node } from './ast.ts';

/** A piece of a file and what comes in its place. */
export interface TextEdit {
  readonly range: readonly [number, number];
  readonly text: string;
}

/**
 * Our parser says `start` and `end`: an array for each node would be a third of the memory of its trees. Other hosts have `range`,
 * which alone counts where parts of another language are around the code.
 */
interface Placed {
  readonly range?: readonly [number, number];
  readonly start: number;
  readonly end: number;
}

export function startsAt(node: Node): number {
  const placed = node as unknown as Placed;
  // ESLint's RuleTester lets nobody read the other.
  return placed.range ? placed.range[0] : placed.start;
}

export function endsAt(node: Node): number {
  const placed = node as unknown as Placed;
  return placed.range ? placed.range[1] : placed.end;
}

/** The offset where the line of `offset` starts, or so many lines before it. */
export function startOfLine(text: string, offset: number, linesBefore = 0): number {
  const startAt = (at: number) => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);
  let start = startAt(offset);
  for (let left = linesBefore; left > 0 && start > 0; left--) start = startAt(start - 1);
  return start;
}

/** The offset of the line break that ends the line of `offset`, or the end of the text. */
export function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end;
}

/** The lines of a text, which end with a line feed: it is gone through once, however many places ask for theirs. */
export interface Lines {
  /** Counted from 1. */
  numberAt(offset: number): number;
  /** The offset where the line of `offset` starts, or so many lines before it. */
  startAt(offset: number, linesBefore?: number): number;
  /** The offset of the line break that ends the line of `offset`, or the end of the text. */
  endAt(offset: number): number;
}

export function linesOf(text: string): Lines {
  const breaks: number[] = [];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) breaks.push(at);
  const breaksBefore = (offset: number) => firstIndex(breaks.length, (i) => breaks[i]! >= offset);
  return {
    numberAt: (offset) => breaksBefore(offset) + 1,
    startAt(offset, linesBefore = 0) {
      const last = breaksBefore(offset) - 1 - linesBefore;
      return last < 0 ? 0 : breaks[last]! + 1;
    },
    endAt: (offset) => breaks[breaksBefore(offset)] ?? text.length,
  };
}

/** The first of several consecutive items, where the matching ones follow all others; their count where none matches. */
export function firstIndex(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** In UTF-16 code units. */
export function rangeOf(node: Node): readonly [number, number] {
  return [startsAt(node), endsAt(node)];
}

/** What is asked of a file here. */
interface Text {
  readonly text: string;
  readonly lines: Lines;
}

/** `pool` of `pool.query`, `(given ?? pool)` of `(given ?? pool).query`: parentheses are of the member, not of the object. */
export function ownerText(
  file: { textOf(node: Node): string },
  member: TSESTree.MemberExpression,
): string {
  const text = file.textOf(member.object);
  return startsAt(member) < startsAt(member.object) ? `(${text})` : text;
}

/** The node, or as much of it as is in its first line: reports underline one line. */
export function firstLine(file: Pick<Text, 'text'>, node: Node): readonly [number, number] {
  const [start, end] = rangeOf(node);
  const line = /^[^\n\r]*/.exec(file.text.slice(start, end))![0].trimEnd();
  return [start, start + line.length];
}

/** The white space that the line of an offset starts with, as far as the offset. */
export function indentAt({ text, lines }: Text, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lines.startAt(offset), offset))![0];
}

/** The line of a node that is alone on it, with its line break; undefined where it is not. */
export function ownLine(
  { text, lines }: Text,
  [from, to]: readonly [number, number],
): readonly [number, number] | undefined {
  const [start, end] = [lines.startAt(from), lines.endAt(to)];
  const isAlone = !text.slice(start, from).trim() && !text.slice(to, end).trim();
  return isAlone && end < text.length ? [start, end + 1] : undefined;
}
