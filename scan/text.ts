import { regularFile, UnfitFile, withoutMark } from '../project/files.ts';

/** A text that was read, or why it was not. */
export type Reading =
  | { readonly text: string }
  | { readonly reason: 'unreadable' | 'binary'; readonly message: string };

/** The text of a file without its byte-order mark: offsets count from the first character after it, as in ESLint. */
export function readingOf(
  path: string,
  read = (it: string) => regularFile(it).toString(),
): Reading {
  let text: string;
  try {
    text = read(path);
  } catch (error) {
    const message = error instanceof UnfitFile ? error.why : `cannot be read (${codeOf(error)})`;
    return { reason: 'unreadable', message };
  }
  return readingFrom(withoutMark(text));
}

/** The same of a text that was read already, without its mark. */
export function readingFrom(text: string): Reading {
  return isBinary(text.slice(0, 8_000)) ? { reason: 'binary', message: 'is binary' } : { text };
}

/**
 * One character in 100 is a NUL or no text at all. A single NUL is not enough: two of 35,000 source files in public
 * repositories have one in a string, spelled raw.
 */
function isBinary(head: string): boolean {
  if (!/[\0\uFFFD]/.test(head)) return false;
  return head.match(/[\0\uFFFD]/g)!.length * 100 > head.length;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** A line that nobody typed. */
const longLine = 500;
/** Below this a file is read whatever it looks like: it costs nothing. */
const smallFile = 5_000;

/**
 * Whether a tool wrote `text` for machines: most of it stands in lines over 500 characters, and the longest of them is
 * code (one character in 25 is punctuation), not an embedded picture.
 */
export function isMinified(text: string): boolean {
  if (text.length < smallFile) return false;
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

/** Longer texts are written by programs; a tree takes some 100 bytes for each of their characters (measured: 10 MB, 2 GB). */
const maximumLength = 5_000_000;

export function isTooLarge(text: string): boolean {
  return text.length > maximumLength;
}

/** What a bundler writes: other people's modules in one file. */
export const BUNDLE =
  /\b__webpack_(?:require|exports)__\s*[(),.]|\bfunction __commonJS\(|\bSystem\.register\(\[/;
