import { execFileSync } from 'node:child_process';
import { relative, sep } from 'node:path';
import { applied, type Edit } from './random-edits.ts';

/** A file as it was some commits ago, and the keystrokes that made it what it is: what was written goes in letter by letter. */
export interface Typing {
  readonly text: string;
  readonly edits: readonly Edit[];
}

/** The last keystrokes of what the last commits to a file did to it; git knows them. */
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
  const lines = text.split('\n');
  return diff
    .split(/^(?=@@ )/m)
    .slice(1)
    .reverse()
    .flatMap((hunk) => {
      const [, from, count = '1'] = /^@@ -(\d+)(?:,(\d+))? /.exec(hunk)!;
      const many = Number(count);
      // A hunk that only adds names the line before.
      const first = Number(from) - (many === 0 ? 0 : 1);
      const at = lines.slice(0, first).join('\n').length + (first === 0 ? 0 : 1);
      return replacing(at, linesWith('-', hunk), linesWith('+', hunk));
    });
}

function linesWith(sign: string, hunk: string): string {
  const lines = hunk.split('\n').filter((it) => it.startsWith(sign));
  return lines.map((it) => `${it.slice(1)}\n`).join('');
}

function replacing(at: number, old: string, text: string): readonly Edit[] {
  const shorter = Math.min(old.length, text.length);
  let start = 0;
  while (start < shorter && old[start] === text[start]) start++;
  let same = 0;
  while (same < shorter - start && old.at(-1 - same) === text.at(-1 - same)) same++;
  const removed = old.length - same - start;
  const letters = [...text.slice(start, text.length - same)];
  let place = at + start;
  const edits: Edit[] = removed > 0 ? [{ at: place, removed, text: '' }] : [];
  for (const letter of letters) {
    edits.push({ at: place, removed: 0, text: letter });
    place += letter.length;
  }
  return edits;
}

/** Where the edits lead. */
export function typed({ text, edits }: Typing): string {
  return edits.reduce(applied, text);
}
