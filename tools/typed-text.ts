import type { Edit } from './random-edits.ts';

const closing: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
]);

/**
 * The keystrokes that put `text` between `before` and `after` in an editor: a bracket or a quote adds its closing one, which
 * typing overwrites where it is already there; a new line adds its indentation, and between brackets a line for the closing
 * one.
 */
export function typedText(before: string, text: string, after: string): readonly Edit[] {
  const edits: Edit[] = [];
  /** What has come by itself behind the cursor, the outermost first. */
  const closers: string[] = [];
  let at = before.length;
  let line = before.slice(before.lastIndexOf('\n') + 1);
  for (const stroke of text.match(/\n[\t ]*|./gsu) ?? []) {
    const next = closers.at(-1) ?? after[0] ?? '';
    if (stroke === next && closers.length > 0 && !line.endsWith('\\')) {
      closers.pop();
    } else {
      const closer = broughtBy(stroke, line, next);
      edits.push({ at, removed: 0, text: stroke + closer });
      if (closer) closers.push(closer);
    }
    at += stroke.length;
    line = stroke.startsWith('\n') ? stroke.slice(1) : line + stroke;
  }
  // What the text itself leaves open is closed further on.
  const left = closers.join('').length;
  return left > 0 ? [...edits, { at, removed: left, text: '' }] : edits;
}

/** As editors do it: nothing closes before a word, and no quote does behind one, in a string or in a comment. */
function broughtBy(stroke: string, line: string, next: string): string {
  if (stroke.startsWith('\n')) {
    const isBetween = /[([{]$/.test(line) && closing.get(line.at(-1)!) === next;
    return isBetween ? `\n${/^\s*/.exec(line)![0]}` : '';
  }
  const closer = closing.get(stroke) ?? '';
  if (!/^[\s)\]}'"`,;:.>]?$/.test(next[0] ?? '')) return '';
  const isInText = /[\w'"`\\]$|\/\/|^\s*\/?\*/.test(line) || /^['"`]/.test(next);
  return closer === stroke && isInText ? '' : closer;
}
