import { createColors } from 'picocolors';
import { visible } from '../../report/visible.ts';

/** Lines that are shown around a change. */
const CONTEXT = 3;

/** The change of one file as a unified diff: all that lies between its first and its last changed line is one hunk. */
export function diffText(
  path: string,
  before: string | undefined,
  after: string,
  { hasColors }: { readonly hasColors: boolean },
): string {
  const { bold, green, red, cyan } = createColors(hasColors);
  const [old, now] = [linesOf(before ?? ''), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const longest = Math.min(old.length, now.length) - start;
  while (end < longest && old.at(-1 - end) === now.at(-1 - end)) end++;
  const from = Math.max(0, start - CONTEXT);
  const rest = Math.max(0, end - CONTEXT);
  const range = (lines: readonly string[]) => {
    const count = lines.length - rest - from;
    return `${count === 0 ? 0 : from + 1},${count}`;
  };
  return `${[
    bold(`--- ${before === undefined ? '/dev/null' : path}`),
    bold(`+++ ${path}`),
    cyan(`@@ -${range(old)} +${range(now)} @@`),
    ...old.slice(from, start).map((it) => ` ${shown(it)}`),
    ...old.slice(start, old.length - end).map((it) => red(`-${shown(it)}`)),
    ...now.slice(start, now.length - end).map((it) => green(`+${shown(it)}`)),
    ...now.slice(now.length - end, now.length - rest).map((it) => ` ${shown(it)}`),
  ].join('\n')}\n`;
}

/** A file of the project may hold what a terminal obeys; tabs stay. */
function shown(line: string): string {
  return line.split('\t').map(visible).join('\t');
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}
