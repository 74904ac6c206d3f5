/** Words by which names and comments state why code is as it is. `npm run docs` writes them into the pages of the rules. */
export interface WordList {
  /** The rules that heed them. */
  readonly ruleIds: readonly string[];
  /** Where the words are read, and what follows, as one sentence. */
  readonly effect: string;
  readonly words: readonly Word[];
}

/** `retr(y|ies)` has alternatives, `limits?` an optional letter, `rate ?limit*` an optional space and any ending. */
export type Word =
  | string
  | {
      readonly word: string;
      /** Words before it that give it another meaning. */
      readonly notAfter?: readonly string[];
      /** Words behind it that do. */
      readonly notBefore?: readonly string[];
    };

interface Matching {
  /** Only at the beginning of the text. */
  readonly isFirst?: boolean;
  /** Within other words, too. */
  readonly isAnywhere?: boolean;
  /** With letters beyond those of English. */
  readonly isUnicode?: boolean;
  readonly flags?: string;
}

/** Matches a text, or a name in words (`wordsOf`), that contains one of them. */
export function patternOf(
  { words }: Pick<WordList, 'words'>,
  { isFirst = false, isAnywhere = false, isUnicode = false, flags = 'i' }: Matching = {},
): RegExp {
  if (isUnicode) {
    const bodies = words.map((it) => bodyOf(typeof it === 'string' ? it : it.word)).join('|');
    return new RegExp(String.raw`(?<!\p{L})(?:${bodies})(?!\p{L})`, `${flags}u`);
  }
  const all = `(?:${words.map(sourceOf).join('|')})`;
  const start = isFirst ? '^' : isAnywhere ? '' : String.raw`\b`;
  return new RegExp(start + all, flags);
}

function sourceOf(entry: Word): string {
  const {
    word,
    notAfter = [],
    notBefore = [],
  } = typeof entry === 'string' ? { word: entry } : entry;
  const before = notAfter.length > 0 ? String.raw`(?<!\b(?:${alternatives(notAfter)}) )` : '';
  const behind = notBefore.length > 0 ? `(?! (?:${alternatives(notBefore)}))` : '';
  return before + endedSource(word) + behind;
}

function alternatives(words: readonly string[]): string {
  return words.map(endedSource).join('|');
}

/** A word ends where its letters do, unless it has any ending. */
function endedSource(word: string): string {
  return word.endsWith('*') ? bodyOf(word.slice(0, -1)) : bodyOf(word) + String.raw`\b`;
}

function bodyOf(word: string): string {
  return word.replaceAll('(', '(?:').replaceAll('*', String.raw`\w*`);
}
