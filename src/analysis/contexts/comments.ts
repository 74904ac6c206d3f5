import {
  inTurn,
  inTurnElsewhere,
  intendedOrder,
  limitedConcurrency,
  separateQuery,
} from '../words/order.ts';
import { patternOf } from '../words/word-list.ts';
import type { Node } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import type { Loop } from '../flow/loops.ts';
import { commentsBetween, firstCommentBehind } from '../syntax/comments.ts';
import { endsAt, startsAt } from '../syntax/places.ts';

/** Words by which authors say that one-at-a-time is meant. */
// veto: a comment states that the order or the pace of the loop is intended
const INTENDED = patternOf(intendedOrder, { isAnywhere: true });

// veto: a comment disables the rule about awaits in loops of ESLint, oxlint or Biome
const OTHER_LINTERS =
  /(?:eslint|oxlint)-disable[\w-]*\s[^\n]*no-await-in-loop|biome-ignore[^\n]*noAwaitInLoops/;

/** Whether a comment in the loop, or in the three lines above it, declares its pace or order intended. */
export function isPacedByComment(
  file: FileFacts,
  loop: Loop,
  { honourOtherLinters }: { readonly honourOtherLinters: boolean },
): boolean {
  const { node } = loop;
  return (
    isSaidNear(file, node, INTENDED) ||
    isSaidNear(file, node, IN_TURN) ||
    isSaidNear(file, node, IN_TURN_ELSEWHERE) ||
    (honourOtherLinters && isSaidNear(file, node, OTHER_LINTERS))
  );
}

/** Whether a comment in `node`, or in the three lines above it, matches; with a comment go those that it continues. */
export function isSaidNear(file: FileFacts, node: Node, said: RegExp): boolean {
  const { text } = file;
  const { comments } = file.source;
  const start = file.lines.startAt(startsAt(node), 3);
  let first = firstCommentBehind(comments, start);
  // What goes on in the first of those lines starts above it.
  if (first < comments.length && comments[first]!.range[0] < start) first++;
  if (first === comments.length) return false;
  const isContinued = (i: number) =>
    text.slice(comments[i]!.range[1], comments[i + 1]!.range[0]).trim() === '';
  while (first > 0 && isContinued(first - 1)) first--;
  const behind = firstCommentBehind(comments, endsAt(node));
  return comments
    .slice(first, behind)
    .some((it) => !DISABLES.test(it.value) && said.test(it.value));
}

/** Its reason is about the finding that it disables, and is judged with that: src/scan/untrue-reasons.ts. */
const DISABLES = /^\s*deadtime-ignore/;

/** Words by which authors say that not all of it is to run at once. */
// veto: a comment states that the concurrency is limited
const LIMITED = patternOf(limitedConcurrency);

/** The same in other languages: one after another, in turn. */
// veto: a comment in a language other than English, in Latin letters, states that the order is sequential
const IN_TURN = patternOf(inTurn, { isUnicode: true });

// veto: a comment in Russian, Chinese, Japanese or Korean states that the order is sequential
const IN_TURN_ELSEWHERE = patternOf(inTurnElsewhere, { isAnywhere: true });

/** Whether a comment in a statement, or in the three lines above it, declares that it must not run concurrently with others. */
export function isLimitedByComment(file: FileFacts, statement: Node): boolean {
  return [LIMITED, IN_TURN, IN_TURN_ELSEWHERE].some((it) => isSaidNear(file, statement, it));
}

/** Words by which authors say that a query is not meant to belong to the transaction around it. */
// veto: a comment states that the query does not belong to the transaction around it
const SEPARATE = patternOf(separateQuery);

/** Whether a comment in the three lines above declares that of the query at `node`. */
export function isSaidToBeSeparate(file: FileFacts, node: Node): boolean {
  const [start, end] = [file.lines.startAt(startsAt(node), 3), endsAt(node)];
  return commentsBetween(file.source.comments, start, end).some(
    ({ range, value }) => range[0] >= start && range[1] <= end && SEPARATE.test(value),
  );
}
