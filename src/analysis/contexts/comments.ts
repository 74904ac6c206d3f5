import type { Node } from '../syntax/ast.ts';
import type { FileFacts } from '../file/file.ts';
import type { Loop } from '../flow/loops.ts';
import { commentsBetween, firstCommentBehind } from '../syntax/comments.ts';
import { endsAt, startsAt } from '../syntax/places.ts';

/** Words by which authors say that one-at-a-time is meant. */
// veto: said to be meant
const INTENDED =
  /sequential|serial(?:ly|ise|ize)?\b|in order\b(?! (?:to|that|for)\b)|(?:chronological|dependency|insertion|reverse|topological) order|one (?:at a time|by one|after (?:another|the other))|order (?:matters|is (?:important|intended|significant|relevant))|(?:keep|preserve|maintain)(?:s|ing)? (?:the |their )?order|intentional(?:ly)?|deliberate(?:ly)?|on purpose|rate.?limit|throttl|avoid (?:overload|hammer|flood|too many)|don'?t (?:ddos|hammer|overload)|not (?:in )?parallel|back.?pressure|memory (?:use|usage|limit|pressure)|limit (?:memory|concurrency|load)/i;

// veto: decided for another linter
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
  return comments.slice(first, behind).some((it) => said.test(it.value));
}

/** Words by which authors say that not all of it is to run at once. */
// veto: said to be limited
const LIMITED =
  /\bin (?:\w+ )?waves\b|\bpool pressure\b|\b(?:connection|connections|database|db)[ -]pool(?:'s|\u2019s)? (?:size|limit|max\w*)\b|\bstarv(?:es?|ing|ation)\b|\b(?:exhaust|saturate|drain)\w* (?:the |our )?(?:\w+ )?pool\b|\bsequentially\b|\bone (?:at a time|after (?:another|the other))\b|\bnot (?:in )?parallel\b|\bparallel (?:connections|checkouts)\b/i;

/** The same in other languages: one after another, in turn. */
// veto: said to be one after another, in another language
const IN_TURN =
  /(?<!\p{L})(?:nacheinander|der reihe nach|sequen[tz]iell|s[ée]quentiel\w*|sequenziale?\w*|se[cq]uencial(?:mente)?|s[ıi]ral[ıi]|sekwencyjn\w+)(?!\p{L})|последовательно|按顺序|逐个|逐一|串行|順番に|直列|순차|순서대로/iu;

/** Whether a comment in a statement, or in the three lines above it, declares that it must not run concurrently with others. */
export function isLimitedByComment(file: FileFacts, statement: Node): boolean {
  return isSaidNear(file, statement, LIMITED) || isSaidNear(file, statement, IN_TURN);
}

/** Words by which authors say that a query is not meant to belong to the transaction around it. */
// veto: said to stand outside of the transaction
const SEPARATE =
  /\b(?:outside|separate(?:ly)?|independent(?:ly)?|autonomous|regardless|(?:its|their|an?) own (?:connection|transaction)|another (?:connection|transaction)|not (?:be )?(?:part of|in|inside) (?:the|this|a) transaction|(?:surviv|outliv)\w+|even (?:if|when)|audit)\b/i;

/** Whether a comment in the three lines above declares that of the query at `node`. */
export function isSaidToBeSeparate(file: FileFacts, node: Node): boolean {
  const [start, end] = [file.lines.startAt(startsAt(node), 3), endsAt(node)];
  return commentsBetween(file.source.comments, start, end).some(
    ({ range, value }) => range[0] >= start && range[1] <= end && SEPARATE.test(value),
  );
}
