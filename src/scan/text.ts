import { withoutMark } from '../project/files.ts';
import { regularText, UnfitFile } from '../system/regular-file.ts';
import { wordsFor } from './left-out.ts';

/** A text that was read, or why it was not. */
export type Reading =
  { readonly text: string } | { readonly reason: 'unreadable'; readonly message: string };

/** The text of a file without its byte-order mark: offsets count from the first character after it, as in ESLint. */
export function readingOf(path: string, read = regularText): Reading {
  let text: string;
  try {
    text = read(path);
  } catch (error) {
    const why =
      error instanceof UnfitFile ? error.why : `${wordsFor('unreadable')} (${codeOf(error)})`;
    return { reason: 'unreadable', message: why };
  }
  return { text: withoutMark(text) };
}

/**
 * One of the first characters in 100 is a NUL or no text at all. A single NUL is not enough: two of 35,000 source files in
 * public repositories have one in a string, spelled raw. What is code nevertheless has them in comments or strings.
 */
export function looksBinary(text: string): boolean {
  const head = text.slice(0, 8_000);
  if (!/[\0\uFFFD]/.test(head)) return false;
  return head.match(/[\0\uFFFD]/g)!.length * 100 > head.length;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** Longer texts are written by programs; a tree takes some 100 bytes for each of their characters (measured: 10 MB, 2 GB). */
const maximumLength = 5_000_000;

export function isTooLarge(text: string): boolean {
  return text.length > maximumLength;
}
