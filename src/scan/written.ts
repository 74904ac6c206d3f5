import { isInText, type Searches } from '../analysis/syntax/searches.ts';
import type { Source } from '../analysis/file/source.ts';
import type { LeftOutReason } from './left-out.ts';
import { quotedIn, without } from './quoted.ts';

/** A line that no person typed. */
const longLine = 500;
/** Below this size a file is read in any case: it costs nothing. */
const smallFile = 5_000;

/**
 * Whether a tool wrote the file. A text that looks so is judged again by its code alone: a comment or a string would otherwise
 * hide from some hosts what others report.
 */
export function writtenReason(
  text: string,
  source: Pick<Source, 'ast' | 'comments'>,
  { isIn }: Pick<Searches, 'isIn'> = { isIn: isInText },
): LeftOutReason | undefined {
  const looksMinified = isMinified(text);
  const looksBundled = isIn(text, BUNDLE);
  if (!looksMinified && !looksBundled) return undefined;
  const code = without(
    text,
    [...quotedIn(source.ast, text), ...source.comments].map((it) => it.range),
  );
  if (looksMinified && isMinified(code)) return 'minified';
  return looksBundled && BUNDLE.test(code) ? 'bundle' : undefined;
}

/**
 * Whether a tool wrote a text for machines: most of it is in lines over 500 characters, and the longest of them is code (one
 * character in 25 is punctuation), not an embedded picture.
 */
export function isMinified(whole: string): boolean {
  if (whole.length < smallFile) return false;
  const text = whole.replaceAll(OTHER_LINE_BREAK, '\n');
  let inLongLines = 0;
  let longest = '';
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    if (end - start > longLine) {
      inLongLines += end - start;
      if (end - start > longest.length) longest = text.slice(start, end);
    }
    start = end + 1;
  }
  if (inLongLines * 2 < text.length) return false;
  const sample = longest.slice(0, 20_000);
  return (sample.match(/[;{}(),]/g)?.length ?? 0) * 25 > sample.length;
}

/** The line ends besides a line feed; behind one of those, a carriage return belongs to it. */
const OTHER_LINE_BREAK = /\r(?!\n)|[\u2028\u2029]/g;

/** What a bundler writes: other people's modules in one file. */
export const BUNDLE =
  /\b__webpack_(?:require|exports)__\s*[(),.]|\bfunction __commonJS\(|\bSystem\.register\(\[/;
