import { firstIndex } from './places.ts';

/** Offsets are UTF-16 code units. */
export interface Comment {
  readonly value: string;
  readonly range: readonly [number, number];
}

/** The index of the first comment that ends behind an offset: a file may have as many comments as findings. */
export function firstCommentBehind(comments: readonly Comment[], offset: number): number {
  return firstIndex(comments.length, (i) => comments[i]!.range[1] > offset);
}

/** The comments that overlap the range between two offsets. */
export function commentsBetween(
  comments: readonly Comment[],
  start: number,
  end: number,
): readonly Comment[] {
  const from = firstCommentBehind(comments, start);
  const to = firstIndex(comments.length, (i) => comments[i]!.range[0] >= end);
  return comments.slice(from, to);
}
