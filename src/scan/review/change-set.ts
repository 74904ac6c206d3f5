import { existsSync } from 'node:fs';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { disk, type Files, withoutMark } from '../../project/files.ts';
import { overlaid } from '../../project/overlay.ts';
import { rootAround } from '../repository.ts';
import { applied, reverted } from './hunks.ts';
import { type FilePatch, type Hunk, PatchError, patchesIn } from './patch.ts';

/** What has changed, and the files as they were before and are after it. */
export interface ChangeSet {
  /** Absolute. */
  readonly root: string;
  readonly changes: readonly Change[];
  readonly before: Files;
  readonly after: Files;
  /** What could not be taken into account, a sentence each. */
  readonly remarks: readonly string[];
}

/** One file's change: absolute paths, and its texts without a byte-order mark; undefined on a side that has no file. */
export interface Change {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly hunks: readonly Hunk[];
}

/** The set whose files are `after` the patches already, all below `root`. */
export function changeSetAfter(
  root: string,
  patches: readonly FilePatch[],
  after: Files,
  remarks: readonly string[] = [],
): ChangeSet {
  return assembled(root, patches, after, {
    remarks,
    pathOf: (name) => join(root, name),
    sidesOf({ to, hunks }) {
      const read = to === undefined ? '' : after.read(join(root, to));
      const text = read ?? '';
      const before = reverted(text, hunks);
      if (before !== undefined) return { before, after: text };
      return read === undefined ? undefined : { before: '', after: text, isWhole: true };
    },
  });
}

/** The set of a patch, whether the files below `cwd` are as before or as after it; new files need not be there. */
export function changeSetOf(patch: string, cwd: string, files = disk): ChangeSet {
  const root = rootAround(cwd);
  const pathOf = (name: string) =>
    existsSync(join(root, name)) || !existsSync(join(cwd, name))
      ? join(root, name)
      : join(cwd, name);
  const patches = patchesIn(patch);
  assertOnce(patches);
  return assembled(root, patches, files, {
    remarks: [],
    pathOf,
    sidesOf({ from, to, hunks }) {
      const text = [to, from]
        .map((it) => (it === undefined ? undefined : files.read(pathOf(it))))
        .find((it) => it !== undefined);
      // The patch contains an added or removed file as a whole.
      if (from === undefined) return { before: '', after: text ?? applied('', hunks) ?? '' };
      if (to === undefined) return { before: text ?? reverted('', hunks) ?? '', after: '' };
      return text === undefined ? undefined : sidesAround(text, hunks);
    },
  });
}

function assertOnce(patches: readonly FilePatch[]): void {
  const names = new Set<string>();
  const twice = patches.find(({ to }) => to !== undefined && names.size === names.add(to).size)?.to;
  if (twice === undefined) return;
  throw new PatchError(
    `it changes ${twice} twice, as several commits do. Use the output of git diff BASE.`,
  );
}

interface Sides {
  readonly before: string;
  readonly after: string;
  /**
   * The lines of git are not those on disk: attributes of the repository (`ident`, `working-tree-encoding`) have git compare another
   * text. All of it counts as changed, or an attribute would hide what a change brings.
   */
  readonly isWhole?: boolean;
}

/** A text without the removed lines fits any patch that only removes, so the search starts with the added lines. */
function sidesAround(text: string, hunks: readonly Hunk[]): Sides | undefined {
  const asAfter = () => {
    const before = reverted(text, hunks);
    return before === undefined ? undefined : { before, after: text };
  };
  const asBefore = () => {
    const after = applied(text, hunks);
    return after === undefined ? undefined : { before: text, after };
  };
  const adds = hunks.some((it) => it.added.length > 0);
  return adds ? (asAfter() ?? asBefore()) : (asBefore() ?? asAfter());
}

interface Assembly {
  readonly remarks: readonly string[];
  pathOf(name: string): string;
  /** undefined where the patch does not fit the file. */
  sidesOf(patch: FilePatch): Sides | undefined;
}

function assembled(
  root: string,
  patches: readonly FilePatch[],
  files: Files,
  { remarks, pathOf, sidesOf }: Assembly,
): ChangeSet {
  const changes: Change[] = [];
  const said = [...remarks];
  for (const patch of patches) {
    const { from, to, hunks } = patch;
    const name = to ?? from!;
    if (![from, to].every((it) => it === undefined || isBelow(it))) {
      said.push(`${name} is outside of ${root}: it is ignored.`);
      continue;
    }
    const sides = sidesOf(patch);
    if (!sides) {
      said.push(
        `${name} matches neither the text before the patch nor the text after it: it is ignored.`,
      );
      continue;
    }
    const paths = { from: from && pathOf(from), to: to && pathOf(to) };
    const before = from === undefined ? undefined : withoutMark(sides.before);
    const after = to === undefined ? undefined : withoutMark(sides.after);
    const isWhole = isUntracked(patch) || sides.isWhole === true;
    changes.push({ ...paths, before, after, hunks: isWhole ? [whole(after!)] : hunks });
    if (sides.isWhole) {
      said.push(`${name} has a different text in git than on disk: all of it counts as changed.`);
    }
  }
  const after = overlaid(files, textsOf(changes, 'from', 'to'));
  const before = overlaid(files, textsOf(changes, 'to', 'from'));
  return { root, changes, before, after, remarks: said };
}

/** Git shows no patch of an untracked file. */
function isUntracked({ from, hunks }: FilePatch): boolean {
  return from === undefined && hunks.length === 0;
}

function whole(text: string): Hunk {
  return { from: 0, removed: [], to: 1, added: text.split(/(?<=\n)/) };
}

/** The texts of one side, over the names that only the other side has. */
function textsOf(
  changes: readonly Change[],
  other: 'from' | 'to',
  own: 'from' | 'to',
): ReadonlyMap<string, string | undefined> {
  const texts = new Map<string, string | undefined>();
  for (const it of changes) if (it[other] !== undefined) texts.set(it[other], undefined);
  for (const it of changes) {
    if (it[own] !== undefined) texts.set(it[own], own === 'to' ? it.after : it.before);
  }
  return texts;
}

function isBelow(name: string): boolean {
  return !isAbsolute(name) && normalize(name).split(sep)[0] !== '..';
}
