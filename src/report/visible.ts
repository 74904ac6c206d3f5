/**
 * Somebody else's text, a file's name or what a message quotes of its code, as one line that does no more than stand there.
 * Characters that move a cursor, color a terminal, end a line, turn the direction of reading or are not seen become escapes, and
 * so does what the logs of GitHub, Azure and TeamCity take for a command.
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
