import { differenceOf, type Range } from './difference.ts';
import { endOfLine, startOfLine } from './places.ts';

/**
 * Whether texts match expressions, none of which is sticky. Where a text is the one before but for an edit, only the
 * lines around the edit are searched: to search all of a large file takes as long as many another question of a keystroke.
 */
export interface Searches {
  isIn(text: string, expression: RegExp): boolean;
}

interface Search {
  /** How many lines with something in them a match may go on for beyond the one in which it starts. */
  readonly reach: number;
  /** The same expression, for one place. */
  readonly here: RegExp;
  /** The last text, and where it was found there; -1 where it was not. */
  text: string;
  at: number;
}

export function createSearches(): Searches {
  const searches = new Map<RegExp, Search>();
  return {
    isIn(text, expression) {
      const known = searches.get(expression);
      if (known?.text === text) return known.at !== -1;
      const at = (known && placeAgain(known, text, expression)) ?? text.search(expression);
      if (known) {
        known.text = text;
        known.at = at;
      } else searches.set(expression, { ...searchFor(expression), text, at });
      return at !== -1;
    },
  };
}

/** For a text without edits. */
export function isInText(text: string, expression: RegExp): boolean {
  return text.search(expression) !== -1;
}

/** For the one text of a file without edits: it is searched once for all findings. */
export function searchesOfOne(): Searches {
  const known = new Map<RegExp, boolean>();
  return {
    isIn(text, expression) {
      let answer = known.get(expression);
      if (answer === undefined) known.set(expression, (answer = isInText(text, expression)));
      return answer;
    },
  };
}

function searchFor(expression: RegExp): Pick<Search, 'reach' | 'here'> {
  const { source, flags } = expression;
  return { reach: reachOf(expression), here: new RegExp(source, `${flags}y`) };
}

/** Undefined where the whole text has to be searched. */
function placeAgain(known: Search, text: string, expression: RegExp): number | undefined {
  const { text: old, at, reach, here } = known;
  const moved = text.length - old.length;
  if (at !== -1) {
    // It stands where it stood, or as far from the end.
    return [at, Math.max(0, at + moved)].find((it) => {
      here.lastIndex = it;
      return here.test(text);
    });
  }
  // no veto: test/searches.test.ts compares it with searches of whole texts.
  if (reach === Infinity || !isEdited(old, text)) return undefined;
  const [from, to] = differenceOf(old, text);
  const [start, end] = linesAround(text, [from, to + moved], reach);
  const found = text.slice(start, end).search(expression);
  return found === -1 ? -1 : start + found;
}

/** So much of its beginning or its end an edit leaves, and so much it puts in or takes away: other files are told apart at once. */
const LEFT = 64;
const MOVED = 1_000;

function isEdited(old: string, text: string): boolean {
  // no veto: spares the comparison.
  if (Math.abs(text.length - old.length) > MOVED) return false;
  // no veto: spares the comparison.
  return text.startsWith(old.slice(0, LEFT)) || text.endsWith(old.slice(-LEFT));
}

/** The lines of a range, and so many with something in them before and behind it. */
function linesAround(text: string, [start, end]: Range, reach: number): Range {
  let [from, to] = [startOfLine(text, start), endOfLine(text, end)];
  for (let left = reach; left > 0 && from > 0;) {
    const before = startOfLine(text, from - 1);
    if (text.slice(before, from).trim() !== '') left--;
    from = before;
  }
  for (let left = reach; left > 0 && to < text.length;) {
    const behind = endOfLine(text, to + 1);
    if (text.slice(to, behind).trim() !== '') left--;
    to = behind;
  }
  return [from, to];
}

const CLASS = /\[(?:\\.|[^\\[\]])*\]/g;
/** What stands for any number of line breaks, or for where the text begins or ends; a bracket is of a class that was not read. */
const ANY_LINES = /\\[DWSnr]|[\^$[]/;

/**
 * The most lines that an expression can go on for; Infinity where that is not seen. Only `\s` leads to another line, once for each
 * time that it is written, as long as no group around it is repeated.
 */
export function reachOf({ source, flags }: RegExp): number {
  const plain = source.replaceAll(/\\[\\[\]^$]/g, '_');
  const classes = plain.match(CLASS) ?? [];
  if (classes.some(holdsLineBreak)) return Infinity;
  const rest = plain.replaceAll(CLASS, '_');
  if (ANY_LINES.test(rest) || flags.includes('s')) return Infinity;
  const gaps = rest.split('\\s').length - 1;
  return gaps > 0 && /\)[*+{]/.test(rest) ? Infinity : gaps;
}

function holdsLineBreak(of: string): boolean {
  return of.startsWith('[^') ? !of.includes('\\n') : /\\[sDWSnr]/.test(of);
}
