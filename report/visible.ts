/**
 * Characters that move a cursor, color a terminal, end a line or turn the direction of reading, as escapes: a file's name
 * and what a message quotes of its code are somebody else's text.
 */
export function visible(text: string): string {
  return text.replaceAll(unseen, (it) => `\\u{${it.codePointAt(0)!.toString(16)}}`);
}

const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
