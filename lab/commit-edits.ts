import { execFileSync } from 'node:child_process';
import { relative, sep } from 'node:path';
import { applied, type Edit } from '../tools/random-edits.ts';
import { typedText } from '../tools/typed-text.ts';

/** A file as it was some commits ago, and the keystrokes that made it what it is. */
export interface Typing {
  readonly text: string;
  readonly edits: readonly Edit[];
}

/** The last keystrokes of the last commits to a file, from git. */
export function typingOf(path: string, root: string, many: number): Typing {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const name = relative(root, path).split(sep).join('/');
  const edits: Edit[] = [];
  let text = git('show', `HEAD:${name}`);
  for (const hash of git('log', '--format=%H', '--', name).trim().split('\n')) {
    const before = git('show', `${hash}~:${name}`);
    edits.unshift(...keystrokes(before, git('diff', '-U0', `${hash}~`, hash, '--', name)));
    text = before;
    if (edits.length >= many) break;
  }
  const first = edits.slice(0, -many);
  return { text: first.reduce(applied, text), edits: edits.slice(-many) };
}

/** From the last hunk to the first, so that the lines before keep their numbers. */
function keystrokes(text: string, diff: string): readonly Edit[] {
  const edits: Edit[] = [];
  let now = text;
  const replace = (at: number, old: string, written: string) => {
    const them = replacing(now, at, old, written);
    edits.push(...them);
    now = them.reduce(applied, now);
  };
  const lines = text.split('\n');
  const hunks = diff.split(/^(?=@@ )/m).slice(1);
  for (const hunk of hunks.reverse()) {
    const [, from, count = '1'] = /^@@ -(\d+)(?:,(\d+))? /.exec(hunk)!;
    const [old, written] = [linesWith('-', hunk), linesWith('+', hunk)];
    // A hunk that only adds names the line before.
    const first = Number(from) - (count === '0' ? 0 : 1);
    let at = lines.slice(0, first).reduce((sum, it) => sum + it.length + 1, 0);
    const both = Math.min(old.length, written.length);
    for (const [i, line] of written.slice(0, both).entries()) {
      replace(at, old[i]!, line);
      at += line.length + 1;
    }
    const rest = written.slice(both).join('\n');
    if (old.length > both) replace(at, `${old.slice(both).join('\n')}\n`, '');
    // A new line is begun behind the one above it.
    else if (written.length > both && at > 0) replace(at - 1, '', `\n${rest}`);
    else if (written.length > both) replace(at, '', `${rest}\n`);
  }
  return edits;
}

function linesWith(sign: string, hunk: string): readonly string[] {
  const lines = hunk.split('\n').filter((it) => it.startsWith(sign));
  return lines.map((it) => it.slice(1));
}

function replacing(text: string, at: number, old: string, written: string): readonly Edit[] {
  const shorter = Math.min(old.length, written.length);
  let start = 0;
  while (start < shorter && old[start] === written[start]) start++;
  let same = 0;
  while (same < shorter - start && old.at(-1 - same) === written.at(-1 - same)) same++;
  const [from, to] = [at + start, at + old.length - same];
  const edits = typedText(
    text.slice(0, from),
    written.slice(start, written.length - same),
    text.slice(to),
  );
  return to > from ? [{ at: from, removed: to - from, text: '' }, ...edits] : edits;
}

/** Where the edits lead. */
export function typed({ text, edits }: Typing): string {
  return edits.reduce(applied, text);
}
