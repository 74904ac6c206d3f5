// Where the invalid parts of a configuration stand in its text, as editors count: lines and columns from 1.
import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { MistakePath } from '../project/mistake.ts';

/** What breaks the syntax first: `{ place: '3:5', reason: 'comma expected' }`; undefined where the parser sees nothing. */
export function firstSyntaxError(
  text: string,
): { readonly place: string; readonly reason: string } | undefined {
  const errors: ParseError[] = [];
  treeOf(text, errors);
  const [first] = errors;
  if (!first) return undefined;
  const name = printParseErrorCode(first.error);
  const reason = name.replace(/\B[A-Z]/g, (it) => ` ${it.toLowerCase()}`).toLowerCase();
  return { place: placeAt(text, first.offset), reason };
}

/** Gives the place of a member by the keys on the way to it, or of the nearest one on that way that is there. */
export function memberPlaces(text: string): (at: MistakePath) => string | undefined {
  const tree = treeOf(text, []);
  return (at) => {
    if (!tree) return undefined;
    for (let length = at.length; length > 0; length--) {
      const found = findNodeAtLocation(tree, at.slice(0, length));
      // A member begins with its key.
      if (found) return placeAt(text, (found.parent ?? found).offset);
    }
    return placeAt(text, tree.offset);
  };
}

function treeOf(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch {
    // It calls itself for each bracket, and a hostile file has more of them than a stack has room for.
    return undefined;
  }
}

function placeAt(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return `${before.split('\n').length}:${offset - before.lastIndexOf('\n')}`;
}
