import { characterSetAt } from './character-set.ts';

/** Handwritten patterns do not have more alternatives. */
const MOST_ALTERNATIVES = 100;
/** Characters of a glob with stars. The longest in ignore files of public templates has under 100. */
const MOST_LENGTH = 1_000;

/** Whether a glob has too many characters or alternatives to be matched: it matches nothing. */
export function isTooLong(glob: string): boolean {
  return glob.length > MOST_LENGTH || alternativesOf(glob) === undefined;
}

/**
 * Whether a path, with forward slashes, matches a project's glob: `*`, `?`, `**`, `[a-z]`, `\*` and `{a,b}`. In time
 * proportional to both lengths, unlike the regular expressions that libraries build from stars.
 */
export function globTest(glob: string): (path: string) => boolean {
  if (isTooLong(glob)) return () => false;
  const all = alternativesOf(glob)!.map((it) => wildcardTest(it));
  return (path) => all.some((it) => it(path));
}

/** Characters that a path is compared with: of all alternatives. */
export function weightOf(glob: string): number {
  return isTooLong(glob) ? 0 : alternativesOf(glob)!.reduce((sum, it) => sum + it.length, 0);
}

/** Undefined where there are too many. */
function alternativesOf(glob: string): readonly string[] | undefined {
  let all: readonly string[] = [''];
  // Every other part is a group.
  for (const [i, part] of glob.split(/\{([^{}]*)\}/).entries()) {
    const ways = i % 2 === 0 ? [part] : part.split(',');
    if (all.length * ways.length > MOST_ALTERNATIVES) return undefined;
    all = all.flatMap((it) => ways.map((way) => it + way));
  }
  return all;
}

/** The same without braces, as in ignore files. With `foldsCase`, of paths that are in lower case already. */
export function wildcardTest(
  glob: string,
  { foldsCase = false }: { readonly foldsCase?: boolean } = {},
): (path: string) => boolean {
  const places = placesOf(glob, foldsCase);
  return places ? (path) => fits(places, path) : () => false;
}

/** What a glob has at one place. */
interface GlobPart {
  readonly accepts: (character: string) => boolean;
  /** A star: any number of such characters. */
  readonly isMany: boolean;
  /** A slash behind two stars that are a whole part of a path: all three may be nothing. */
  readonly endsFolders: boolean;
}

/** Undefined for a glob that fits nothing: with a bracket that nothing closes, or nothing behind its last backslash. */
function placesOf(glob: string, foldsCase: boolean): readonly GlobPart[] | undefined {
  const places: GlobPart[] = [];
  let isAfterFolders = false;
  for (let i = 0; i < glob.length;) {
    const sign = glob[i]!;
    let end = i + 1;
    let accepts: GlobPart['accepts'] | undefined;
    if (sign === '*') {
      while (glob[end] === '*') end++;
      const isWhole = isPart(glob, i, end);
      places.push({ accepts: isWhole ? isAny : isNoSlash, isMany: true, endsFolders: false });
      isAfterFolders = isWhole;
      i = end;
      continue;
    }
    if (sign === '?') accepts = isNoSlash;
    else if (sign === '[') {
      const set = characterSetAt(glob, i, foldsCase);
      if (!set) return undefined;
      accepts = (it) => it !== '/' && set.has(it);
      end = set.end;
    } else {
      if (sign === '\\') end++;
      const written = String.fromCodePoint(glob.codePointAt(end - 1) ?? 0);
      if (end > glob.length) return undefined;
      end += written.length - 1;
      const literal = foldsCase ? written.toLowerCase() : written;
      accepts = (it) => it === literal;
    }
    places.push({ accepts, isMany: false, endsFolders: isAfterFolders && sign === '/' });
    isAfterFolders = false;
    i = end;
  }
  return places;
}

/** Whether two stars or more are all between two slashes. Others are as one. */
function isPart(glob: string, start: number, end: number): boolean {
  const isStart = start === 0 || glob[start - 1] === '/';
  const isEnd = end === glob.length || glob[end] === '/' || glob.startsWith('\\/', end);
  return end - start > 1 && isStart && isEnd;
}

function isAny(): boolean {
  return true;
}

function isNoSlash(character: string): boolean {
  return character !== '/';
}

function fits(places: readonly GlobPart[], path: string): boolean {
  /** Whether the places before each can be all that was read so far. */
  const reached = new Uint8Array(places.length + 1);
  reached[0] = 1;
  skipStars(places, reached);
  for (const character of path) {
    let isAlive = false;
    for (let i = places.length; i > 0; i--) {
      const { isMany, accepts } = places[i - 1]!;
      const isReached = reached[isMany ? i : i - 1] === 1 && accepts(character);
      reached[i] = isReached ? 1 : 0;
      isAlive ||= isReached;
    }
    if (!isAlive) return false;
    reached[0] = 0;
    skipStars(places, reached);
  }
  return reached[places.length] === 1;
}

/** Stars may be nothing, and so may two with the slash behind them. */
function skipStars(places: readonly GlobPart[], reached: Uint8Array): void {
  for (let i = 0; i < places.length; i++) {
    const { isMany, endsFolders } = places[i]!;
    if ((isMany && reached[i] === 1) || (endsFolders && reached[i - 1] === 1)) reached[i + 1] = 1;
  }
}
