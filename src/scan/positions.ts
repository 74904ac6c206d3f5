/** Both count from 1; columns are UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Positions {
  at(offset: number): Position;
}

/** The positions of a text, computed on demand: most texts have no finding to place. */
export function lazyPositionsOf(text: string): () => Positions {
  let known: Positions | undefined;
  return () => (known ??= positionsOf(text));
}

/** Lines end as ECMAScript defines, and as in ESLint: CR, LF, CRLF, U+2028, U+2029. */
export function positionsOf(text: string): Positions {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) {
    starts.push(match.index + match[0].length);
  }
  return {
    at(offset) {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle]! <= offset) low = middle;
        else high = middle - 1;
      }
      return { line: low + 1, column: offset - starts[low]! + 1 };
    },
  };
}
