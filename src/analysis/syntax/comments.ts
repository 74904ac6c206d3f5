import { isFunction, type Node } from './ast.ts';
import { firstIndex, startsAt } from './places.ts';

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

/** That of `comments` which is directly above the declaration of a node. */
export function commentAbove(
  { text }: { readonly text: string },
  comments: readonly Comment[],
  node: Node,
): Comment | undefined {
  const start = startOf(node);
  const last = comments[firstCommentBehind(comments, start) - 1];
  return last && text.slice(last.range[1], start).trim() === '' ? last : undefined;
}

/** Where the declaration begins that a comment can stand before. */
function startOf(node: Node): number {
  let whole = node;
  for (let it = node.parent; it && !isFunction(it); it = it.parent) {
    if (!WRAPS.has(it.type)) break;
    whole = it;
  }
  return startsAt(whole);
}

const WRAPS: ReadonlySet<string> = new Set([
  ...['VariableDeclarator', 'VariableDeclaration', 'MethodDefinition', 'PropertyDefinition'],
  ...['Property', 'ExportNamedDeclaration', 'ExportDefaultDeclaration'],
  ...['AssignmentExpression', 'ExpressionStatement'],
]);
