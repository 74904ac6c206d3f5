import { type Node, walk } from '../../src/analysis/syntax/ast.ts';
import { endsAt, rangeOf, startsAt } from '../../src/analysis/syntax/places.ts';
import { isFailure, sourceOf } from '../../src/scan/parse.ts';

/** A part of a program that can replace a part of the same kind. */
export interface Piece {
  readonly kind: 'statement' | 'expression' | 'other';
  readonly type: string;
  readonly range: readonly [number, number];
}

/** The parts of a text in the order of the source; none where it has no tree. */
export function piecesOf(text: string, path: string): readonly Piece[] {
  const source = sourceOf(text, path);
  if (isFailure(source)) return [];
  const pieces: Piece[] = [];
  walk(source.ast, (node) => {
    const { type } = node;
    if (type !== 'Program' && startsAt(node) < endsAt(node)) {
      pieces.push({ kind: kindOf(node), type, range: rangeOf(node) });
    }
  });
  return pieces;
}

function kindOf({ type }: Node): Piece['kind'] {
  if (/(?:Statement|Declaration)$/.test(type)) return 'statement';
  return /(?:Expression|Literal|Identifier|JSXElement)$/.test(type) ? 'expression' : 'other';
}
