import type { TSESTree } from '@typescript-eslint/utils';
import type { Node } from './ast.ts';
import type { FileFacts } from '../file.ts';

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

/** In UTF-16 code units. */
export function rangeOf(node: Node): readonly [number, number] {
  return [startsAt(node), endsAt(node)];
}

/** `pool` of `pool.query`, `(given ?? pool)` of `(given ?? pool).query`: parentheses are of the member, not of the object. */
export function ownerText(file: FileFacts, member: TSESTree.MemberExpression): string {
  const text = file.textOf(member.object);
  return startsAt(member) < startsAt(member.object) ? `(${text})` : text;
}

/** The node, or as much of it as stands in its first line: reports underline one line. */
export function firstLine(file: FileFacts, node: Node): readonly [number, number] {
  const [start, end] = rangeOf(node);
  const line = /^[^\n\r]*/.exec(file.text.slice(start, end))![0].trimEnd();
  return [start, start + line.length];
}

/** The white space that the line of an offset starts with, as far as the offset. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))![0];
}

/** The line of what stands alone on it, with its line break; undefined where it does not. */
export function ownLine(
  text: string,
  [from, to]: readonly [number, number],
): readonly [number, number] | undefined {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const end = text.indexOf('\n', to);
  const isAlone = !text.slice(start, from).trim() && !text.slice(to, end).trim();
  return isAlone && end !== -1 ? [start, end + 1] : undefined;
}
