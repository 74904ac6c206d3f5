/** Characters between brackets: `[a-z_]`, `[!0-9]`, `[[:alpha:]]`. */
export interface CharacterSet {
  /** Of its pattern: behind the bracket that closes it. */
  readonly end: number;
  has(character: string): boolean;
}

/** The names that POSIX has for sets of ASCII. */
const NAMED: Readonly<Record<string, RegExp>> = {
  alnum: /[a-z\d]/i,
  alpha: /[a-z]/i,
  blank: /[ \t]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/,
  upper: /[A-Z]/,
  xdigit: /[a-f\d]/i,
};

/** What starts with the bracket at `start`, as Git reads it; undefined where nothing closes it, or a name is unknown. */
export function characterSetAt(
  pattern: string,
  start: number,
  foldsCase: boolean,
): CharacterSet | undefined {
  const isNegated = pattern[start + 1] === '!' || pattern[start + 1] === '^';
  const first = start + (isNegated ? 2 : 1);
  const parts: ((character: string) => boolean)[] = [];
  let at = first;
  // The first may be a bracket that closes nothing.
  while (pattern[at] !== ']' || at === first) {
    NAME.lastIndex = at;
    const named = NAME.exec(pattern)?.[1];
    if (named !== undefined) {
      const name = Object.hasOwn(NAMED, named) ? NAMED[named] : undefined;
      if (!name) return undefined;
      parts.push((it) => name.test(it));
      at += named.length + 4;
      continue;
    }
    const from = characterAt(pattern, at);
    if (!from) return undefined;
    at = from.end;
    const isRange = pattern[at] === '-' && pattern[at + 1] !== ']';
    const to = isRange ? characterAt(pattern, at + 1) : from;
    if (!to) return undefined;
    at = to.end;
    const [low, high] = [from.code, to.code];
    parts.push((it) => {
      const code = it.codePointAt(0)!;
      // Of a range the wrong way round there is its first.
      return code === low || (low < code && code <= high);
    });
  }
  const hasOne = (it: string) => parts.some((isIn) => isIn(it));
  const isListed = (it: string) => hasOne(it) || (foldsCase && hasOne(it.toUpperCase()));
  return { end: at + 1, has: (it) => isListed(it) !== isNegated };
}

const NAME = /\[:([^\]]*):\]/y;

/** The character at `at`, or behind the backslash there. */
function characterAt(
  pattern: string,
  at: number,
): { readonly code: number; readonly end: number } | undefined {
  const place = pattern[at] === '\\' ? at + 1 : at;
  const code = pattern.codePointAt(place);
  return code === undefined ? undefined : { code, end: place + (code > 0xffff ? 2 : 1) };
}
