/** One change of a text, as an editor sends it: `removed` characters at `at` become `text`. */
export interface Edit {
  readonly at: number;
  readonly removed: number;
  readonly text: string;
}

/** The same edits for the same seed. */
export interface RandomEdits {
  next(text: string): Edit;
}

const pieces = [
  ...['a', ';', '{', '}', '(', ')', '\n', ' ', '`', "'", '/', '*', '\r\n', '\u2028', '😀'],
  ...['await ', 'async ', 'for (;;) ', 'return ', 'try {', '} finally {', 'const x = ', '=> '],
  ...['await pool.query()', 'client.release();', 'setTimeout(', 'Promise.all(['],
];

/**
 * What hands do to a text: letters and words go in anywhere, ranges go out, pieces are pasted elsewhere; and what was done is
 * undone again, so that the text stays code for most of the time.
 */
export function randomEdits(seed: number): RandomEdits {
  const random = randomNumbers(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const undo: Edit[] = [];
  return {
    next(text) {
      const last = undo.length > 0 && (undo.length >= 6 || random() < 0.6) ? undo.pop() : undefined;
      if (last) return last;
      const edit = fresh(text, below, random);
      const before = text.slice(edit.at, edit.at + edit.removed);
      undo.push({ at: edit.at, removed: edit.text.length, text: before });
      return edit;
    },
  };
}

function fresh(text: string, below: (limit: number) => number, random: () => number): Edit {
  const at = below(text.length + 1);
  const kind = random();
  if (kind < 0.6) return { at, removed: 0, text: pieces[below(pieces.length)]! };
  const removed = Math.min(text.length - at, below(40));
  if (kind < 0.85) return { at, removed, text: '' };
  const from = below(text.length + 1);
  return { at, removed, text: text.slice(from, from + below(200)) };
}

export function applied(text: string, { at, removed, text: added }: Edit): string {
  return text.slice(0, at) + added + text.slice(at + removed);
}

/** Mulberry32: good enough to be unlike any handwritten sequence. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let it = Math.imul(state ^ (state >>> 15), state | 1);
    it ^= it + Math.imul(it ^ (it >>> 7), it | 61);
    return ((it ^ (it >>> 14)) >>> 0) / 4_294_967_296;
  };
}
