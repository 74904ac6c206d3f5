import type { TSESTree } from '@typescript-eslint/utils';
import { indexOf } from '../analysis/syntax/node-index.ts';
import type { Comment } from '../analysis/syntax/comments.ts';
import { differenceOf } from '../analysis/syntax/difference.ts';
import { partsAround } from './parts.ts';

interface Parsed {
  readonly ast: TSESTree.Program;
  readonly comments: readonly Comment[];
}

/**
 * Turns the tree of `old` into the tree of `text`, where the two texts differ in one part that can be parsed alone; the nodes
 * behind it move. Undefined, and without a change, where that is impossible.
 */
export function reparsed(
  old: Parsed & { readonly text: string },
  text: string,
  parse: (text: string) => Parsed & { readonly isBroken: boolean },
): Parsed | undefined {
  const moved = text.length - old.text.length;
  const index = indexOf(old.ast);
  for (const part of partsAround(old.ast, old.text, differenceOf(old.text, text))) {
    const { parent, removed, head, tail, range } = part;
    const [start, end] = range;
    const textAlone = head + text.slice(start, end + moved) + tail;
    const alone = { text: textAlone, ...parse(textAlone) };
    const added = part.nodesIn(alone, [head.length, textAlone.length - tail.length]);
    if (!added) continue;
    const back = start - head.length;
    part.put(added);
    index.exchange({
      ...{ parent, removed, added, addedMoved: back, end, moved },
      isAround: (it) => part.isAround(it),
    });
    const comments = [
      ...old.comments.filter((it) => it.range[1] <= start),
      ...alone.comments.map((it) => movedComment(it, back)),
      ...old.comments.filter((it) => it.range[0] >= end).map((it) => movedComment(it, moved)),
    ];
    return { ast: old.ast, comments };
  }
  return undefined;
}

function movedComment({ value, range: [start, end] }: Comment, by: number): Comment {
  return { value, range: [start + by, end + by] };
}
