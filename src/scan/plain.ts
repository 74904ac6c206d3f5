import type { TSESTree } from '@typescript-eslint/utils';
import { blank } from './embedded.ts';
import { type Quoted, quotedIn, type Range } from './quoted.ts';

/** A text in which comments, strings and templates are blank, as far as one pass from its start to its end can find them. */
export interface Plain {
  readonly text: string;
  readonly comments: readonly Range[];
  /** What is between quotes, and between the values of a template. */
  readonly strings: readonly Range[];
}

/** Only a parser distinguishes each regular expression from a division: `isSound` is true if this pass was right. */
export function plainOf(text: string): Plain {
  const comments: Range[] = [];
  const strings: Range[] = [];
  /** For each value of a template that has begun: how many braces are open in it. */
  const values: number[] = [];
  // The first line of a program may name its interpreter.
  let at = text.startsWith('#!') ? indexFrom(LINE_END, text, 0) : 0;
  let noExpressionUntil = 0;
  const addTemplate = () => {
    const end = endOfQuoted(text, at, TEMPLATE_END);
    strings.push([at, end]);
    if (text[end] === '$') values.push(0);
    at = end + (text[end] === '$' ? 2 : 1);
  };
  const addString = (quote: '"' | "'") => {
    const end = endOfQuoted(text, at, STRING_ENDS[quote]);
    // The apostrophe of a word in JSX ends nowhere.
    if (text[end] !== quote) return;
    strings.push([at, end]);
    at = end + 1;
  };
  for (;;) {
    const start = indexFrom(TOKEN, text, at);
    if (start === text.length) break;
    const token = /^\/[/*]/.test(text.slice(start, start + 2))
      ? text.slice(start, start + 2)
      : text[start]!;
    at = start + token.length;
    if (token === '//') comments.push([start, (at = indexFrom(LINE_END, text, at))]);
    else if (token === '/*') comments.push([start, (at = indexFrom(BLOCK_END, text, at, 2))]);
    else if (token === '`') addTemplate();
    else if (token === '"' || token === "'") addString(token);
    else if (token === '/') {
      if (start < noExpressionUntil || !mayBeginExpression(text, start)) continue;
      const end = endOfExpression(text, at);
      if (text[end] === '/') at = end + 1;
      else noExpressionUntil = end;
    } else if (values.length > 0) {
      const open = values.pop()!;
      if (token === '}' && open === 0) addTemplate();
      else values.push(open + (token === '{' ? 1 : -1));
    }
  }
  return { text: blanked(text, [...comments, ...strings]), comments, strings };
}

/**
 * Whether the text has the tokens of its plain one, whose tree this is. Up to the first place that was made blank both read alike;
 * where that lies between tokens, or in quotes that the tree has as well, they go on alike, and so on to the end.
 */
export function isSound({ text, comments, strings }: Plain, program: TSESTree.Program): boolean {
  // Comments of HTML, in scripts.
  if (/<!--|-->/.test(text)) return false;
  const quoted = quotedIn(program, text);
  const known = new Set<Quoted>();
  for (const [start, end] of strings) {
    const around = overlapping(quoted, [start - 1, end + 1]);
    if (around?.kind !== 'string' && around?.kind !== 'template') return false;
    const before = text.slice(around.range[0], start).trim();
    const after = text.slice(end, around.range[1]).trim();
    if (!/^["'`}]$/.test(before) || !/^(?:["'`]|\$\{)$/.test(after)) return false;
    known.add(around);
  }
  return comments.every((it) => {
    const around = overlapping(quoted, it);
    // It may be between a value of a template and its braces.
    return !around || known.has(around);
  });
}

/** The first of those ranges, none of which overlaps another. */
function overlapping(quoted: readonly Quoted[], [start, end]: Range): Quoted | undefined {
  let low = 0;
  for (let high = quoted.length; low < high;) {
    const middle = (low + high) >> 1;
    if (quoted[middle]!.range[1] <= start) low = middle + 1;
    else high = middle;
  }
  const found = quoted[low];
  return found && found.range[0] < end ? found : undefined;
}

const TOKEN = /[/"'`{}]/g;
const LINE_END = /[\n\r\u2028\u2029]/g;
const BLOCK_END = /\*\//g;
const TEMPLATE_END = /\\[^]?|`|\$\{/g;
const STRING_ENDS = { '"': /\\(?:\r\n|[^])?|["\n\r]/g, "'": /\\(?:\r\n|[^])?|['\n\r]/g } as const;

/** Where it matches, and so many characters further; the text's length where it does not. */
function indexFrom(expression: RegExp, text: string, from: number, further = 0): number {
  expression.lastIndex = from;
  const found = expression.exec(text);
  return found ? found.index + further : text.length;
}

/** The text's length where the quotes are not closed. */
function endOfQuoted(text: string, from: number, ends: RegExp): number {
  let end = indexFrom(ends, text, from);
  while (text[end] === '\\') end = indexFrom(ends, text, ends.lastIndex);
  return end;
}

/** The text that precedes a regular expression; after a word or a bracket, a slash is mostly a division. */
const BEFORE_EXPRESSION =
  /(?:[(,=:[!&|?{;+\-*%>~^]|(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield))$/;

function mayBeginExpression(text: string, slash: number): boolean {
  let end = slash;
  while (end > 0 && /\s/.test(text[end - 1]!)) end--;
  return end === 0 || BEFORE_EXPRESSION.test(text.slice(Math.max(0, end - 8), end));
}

/** The place of the slash that ends it; the end of the line where there is none. */
function endOfExpression(text: string, from: number): number {
  let isInClass = false;
  let end = from;
  for (; end < text.length && !/[\n\r\u2028\u2029]/.test(text[end]!); end++) {
    const it = text[end];
    if (it === '\\') end++;
    else if (it === '[') isInClass = true;
    else if (it === ']') isInClass = false;
    else if (it === '/' && !isInClass) break;
  }
  return Math.min(end, text.length);
}

function blanked(text: string, ranges: readonly Range[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    parts.push(text.slice(from, start), blank(text.slice(start, end)));
    from = end;
  }
  return parts.join('') + text.slice(from);
}
