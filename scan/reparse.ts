import type { TSESTree } from '@typescript-eslint/utils';
import { type Node, walk } from '../facts/syntax/ast.ts';
import { indexOf, move, type NodeIndex } from '../facts/syntax/node-index.ts';
import type { Comment } from '../facts/source.ts';
import { differenceOf } from '../facts/syntax/difference.ts';
import { type Part, partsAround } from './parts.ts';

interface Parsed {
  readonly ast: TSESTree.Program;
  readonly comments: readonly Comment[];
}

/**
 * Makes the tree of `old` the tree of `text`, where the two texts differ in one part that can be parsed alone; what stands
 * behind it moves. Undefined, and nothing is touched, where that cannot be.
 */
export function reparsed(
  old: Parsed & { readonly text: string },
  text: string,
  parse: (text: string) => Parsed & { readonly isBroken: boolean },
): Parsed | undefined {
  const moved = text.length - old.text.length;
  const index = indexOf(old.ast);
  for (const part of partsAround(old.ast, old.text, differenceOf(old.text, text))) {
    const { head, tail, range } = part;
    const [start, end] = range;
    const textAlone = head + text.slice(start, end + moved) + tail;
    const alone = { text: textAlone, ...parse(textAlone) };
    const added = part.nodesIn(alone, [head.length, textAlone.length - tail.length]);
    if (!added) continue;
    const back = start - head.length;
    for (const root of added) walk(root, (it) => move(it, back, back));
    exchange(index, part, added, moved);
    const comments = [
      ...old.comments.filter((it) => it.range[1] <= start),
      ...alone.comments.map((it) => movedComment(it, back)),
      ...old.comments.filter((it) => it.range[0] >= end).map((it) => movedComment(it, moved)),
    ];
    return { ast: old.ast, comments };
  }
  return undefined;
}

function exchange(
  index: NodeIndex,
  { parent, removed, range, put, isAround }: Part,
  added: readonly Node[],
  moved: number,
): void {
  put(added);
  index.exchange({ parent, removed, added, end: range[1], moved, isAround });
}

function movedComment({ value, range: [start, end] }: Comment, by: number): Comment {
  return { value, range: [start + by, end + by] };
}
