/**
 * Text from outside, such as a file's name or a quote from code, as one harmless line. Characters that move a cursor, color a
 * terminal, end a line, change the direction of reading or are invisible become escapes, and so do commands in the logs of
 * GitHub, Azure and TeamCity.
 */
export function visible(text: string): string {
  return text.replaceAll(unseen, escape).replace(/^\s*::|##(?=\[|vso\[|teamcity\[)/gu, escape);
}

/** The same for each line of a text. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

function escape(text: string): string {
  return Array.from(text, (it) => `\\u{${it.codePointAt(0)!.toString(16)}}`).join('');
}
