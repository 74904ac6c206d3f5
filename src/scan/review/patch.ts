/** What a patch does to one file: paths are relative to its top, with forward slashes. */
export interface FilePatch {
  /** undefined for a file that is new. */
  readonly from: string | undefined;
  /** undefined for a file that is gone. */
  readonly to: string | undefined;
  /** In the order of the file; empty where it only got another name or mode, and for binary files. */
  readonly hunks: readonly Hunk[];
}

/** Lines in place of others. Numbers count from 1; lines end in what ends them, the last of a file perhaps in nothing. */
export interface Hunk {
  readonly from: number;
  readonly removed: readonly string[];
  readonly to: number;
  readonly added: readonly string[];
}

/** Text that is no output of `git diff`, `git format-patch` or `diff -u`; the message states what to do. */
export class PatchError extends Error {}

/** Of one patch. To analyse so many takes minutes, and no person reviews them. */
const MOST_FILES = 20_000;

/**
 * The files of a unified diff. Written here: parse-diff 0.12 leaves quoted names quoted, loses what ends a line, and takes
 * the remark about a missing last newline for a line.
 */
export function patchesIn(text: string): readonly FilePatch[] {
  const lines = linesOf(text);
  const patches: FilePatch[] = [];
  let file = nothing();
  const finish = () => {
    const { from, to, hunks, isCopy } = file;
    // What a copy was made from is still there.
    if (from !== to || from !== undefined) {
      patches.push({ from: isCopy ? undefined : from, to, hunks });
      if (patches.length > MOST_FILES) {
        throw new PatchError('it changes over 20,000 files. Use the git diff of a part of them.');
      }
    }
    file = nothing();
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!.replace(/\r?\n$/, '');
    const next = lines[i + 1] ?? '';
    const counts = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)?.slice(1);
    if (counts) {
      const [from, fromCount, to, toCount] = counts.map((it) => Number(it ?? 1));
      const end = hunkEnd(lines, i + 1, fromCount!, toCount!);
      // Git counts from the line before where there is none on that side.
      const starts = { from: from! + (fromCount ? 0 : 1), to: to! + (toCount ? 0 : 1) };
      for (const it of hunksIn(lines.slice(i + 1, end), starts)) file.hunks.push(it);
      i = end - 1;
    } else if (line.startsWith('@@@')) {
      throw new PatchError('it is the combined diff of a merge. Use the output of git diff BASE.');
    } else if (line.startsWith('diff --git ')) {
      finish();
    } else if (line.startsWith('--- ') && next.startsWith('+++ ')) {
      // Without git's header a file starts here.
      if (file.hunks.length > 0) finish();
      Object.assign(file, namesIn(line.slice(4), next.slice(4).replace(/\r?\n$/, '')));
      i++;
    } else {
      const [, how, side, name] = /^(rename|copy) (from|to) (.+)$/.exec(line) ?? [];
      if (name !== undefined) file[side as 'from' | 'to'] = unquoted(name);
      file.isCopy ||= how === 'copy';
    }
  }
  finish();
  return patches;
}

interface OpenPatch {
  from: string | undefined;
  to: string | undefined;
  readonly hunks: Hunk[];
  isCopy: boolean;
}

function nothing(): OpenPatch {
  return { from: undefined, to: undefined, hunks: [], isCopy: false };
}

/** The index after the last line of a hunk whose lines start at `start`, its remarks included. */
function hunkEnd(lines: readonly string[], start: number, removed: number, added: number): number {
  let [from, to, i] = [removed, added, start];
  for (; i < lines.length; i++) {
    const sign = lines[i]![0];
    if (sign === '\\') continue;
    if (from <= 0 && to <= 0) break;
    if (sign !== '+') from--;
    if (sign !== '-') to--;
  }
  if (from > 0 || to > 0) throw new PatchError('it ends in the middle of a change.');
  return i;
}

/** The changes between the lines that stay. */
function hunksIn(
  lines: readonly string[],
  starts: { readonly from: number; readonly to: number },
): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let { from, to } = starts;
  let open: { from: number; to: number; removed: string[]; added: string[] } | undefined;
  for (const [i, line] of lines.entries()) {
    const sign = line[0];
    if (sign === '\\') continue;
    if (sign !== '+' && sign !== '-') {
      open = undefined;
      from++;
      to++;
      continue;
    }
    if (!open) hunks.push((open = { from, to, removed: [], added: [] }));
    // "\ No newline at end of file"
    const isUnended = lines[i + 1]?.[0] === '\\';
    const content = isUnended ? line.slice(1).replace(/\r?\n$/, '') : line.slice(1);
    if (sign === '-') {
      open.removed.push(content);
      from++;
    } else {
      open.added.push(content);
      to++;
    }
  }
  return hunks;
}

/** Without git's `a/` and `b/`, or what its settings put there; names without them look alike on both sides. */
function namesIn(from: string, to: string): Pick<FilePatch, 'from' | 'to'> {
  const [before, after] = [nameIn(from), nameIn(to)];
  const hasPrefix =
    [before, after].every((it) => it === undefined || /^[abciow12]\//.test(it)) &&
    before?.slice(0, 2) !== after?.slice(0, 2);
  return hasPrefix ? { from: before?.slice(2), to: after?.slice(2) } : { from: before, to: after };
}

/** With what ends each of them. Only a line feed ends a line for git. */
export function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** What follows a tab is a date, or nothing after a name with spaces. */
function nameIn(text: string): string | undefined {
  const tab = text.indexOf('\t', text.lastIndexOf('"') + 1);
  const name = unquoted(tab === -1 ? text : text.slice(0, tab));
  return name === '/dev/null' ? undefined : name;
}

const escapes: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ '"': '"', '\\': '\\' },
};

/** Git writes unusual names as C does: bytes in octal, between quotes. */
function unquoted(name: string): string {
  const [, inside] = /^"(.*)"$/.exec(name) ?? [];
  if (inside === undefined) return name;
  const bytes = inside.replaceAll(
    /\\(?:([0-7]{3})|(.))|[^\\]+/g,
    (it, octal?: string, sign?: string) => {
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8));
      return Buffer.from(sign === undefined ? it : (escapes[sign] ?? sign)).toString('latin1');
    },
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
