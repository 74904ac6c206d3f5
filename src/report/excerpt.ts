import type { Problem } from '../scan/problem.ts';

/** A line of code; the reported part is between `from` and `to`, offsets in `text`. */
export interface ExcerptLine {
  readonly number: number;
  readonly text: string;
  readonly mark?: { readonly from: number; readonly to: number };
}

/** The lines around a finding that give it context. */
const AROUND = 3;
/** Longer lines are cut: a minified file has a single one. */
const LONGEST_LINE = 160;

/** Lines end as in src/scan/positions.ts. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/);
}

/** Without the indentation that all lines have; empty where the file has no such line any more. */
export function excerptOf(
  { start, end }: Pick<Problem, 'start' | 'end'>,
  lines: readonly string[],
): readonly ExcerptLine[] {
  if (!lines[start.line - 1]?.trim()) return [];
  const first = Math.max(1, start.line - AROUND);
  const shown = lines.slice(first - 1, start.line + AROUND);
  const indents = shown.filter((it) => it.trim() !== '').map((it) => /^\s*/.exec(it)![0].length);
  const indent = Math.min(...indents);
  return shown.map((line, i): ExcerptLine => {
    const number = first + i;
    const text = line.slice(indent, indent + LONGEST_LINE);
    if (number !== start.line) return { number, text };
    const from = Math.min(start.column - 1 - indent, text.length);
    const last = end.line === start.line ? end.column - 1 - indent : text.length;
    return { number, text, mark: { from, to: Math.min(last, text.length) } };
  });
}
