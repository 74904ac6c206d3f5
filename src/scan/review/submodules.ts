import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { disk } from '../../project/files.ts';
import { gitLine, gitPaths } from './git.ts';
import type { FilePatch } from './patch.ts';

/** A repository inside another, which records one of its commits. */
export interface Submodule {
  /** From the top of the outer repository, with forward slashes. */
  readonly name: string;
  readonly top: string;
  /** The commits that are recorded on both sides of a change; undefined where that side has none. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export interface Submodules {
  readonly present: readonly Submodule[];
  /** Which submodules were not scanned, and why; a sentence each. */
  readonly remarks: readonly string[];
}

/** Those of which a change between two trees, or a tree and the index (`--cached`), records another commit. */
export function changedSubmodules(top: string, range: readonly string[]): Submodules {
  const raw = gitPaths(top, [
    ...['diff', '--raw', '-z', '--no-renames', '--no-abbrev', '--ignore-submodules=none'],
    ...[...range, '--'],
  ]);
  const found: Submodule[] = [];
  // ":160000 160000 <from> <to> M", then the path.
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [before, after, from, to] = raw[i]!.slice(1).split(' ');
    if (before !== LINK && after !== LINK) continue;
    found.push({
      ...placeOf(top, raw[i + 1]!),
      from: before === LINK ? from : undefined,
      to: after === LINK ? to : undefined,
    });
  }
  return lookedInto(found.filter((it) => it.to !== undefined));
}

/** All of the index, with what `commit` has recorded of them: their working trees may have changed, too. */
export function submodulesSince(top: string, commit: string): Submodules {
  const staged = gitPaths(top, ['ls-files', '--stage', '-z']).filter((it) => it.startsWith(LINK));
  const names = staged.map((it) => it.slice(it.indexOf('\t') + 1));
  if (names.length === 0) return { present: [], remarks: [] };
  const trees = gitPaths(top, ['ls-tree', '-z', '--full-tree', commit, '--', ...names]);
  const recorded = new Map(
    trees
      .filter((it) => it.startsWith(LINK))
      .map((it) => {
        const [facts = '', name = ''] = it.split('\t', 2);
        return [name, facts.split(' ')[2]] as const;
      }),
  );
  return lookedInto(
    names.map((it) => ({ ...placeOf(top, it), from: recorded.get(it), to: undefined })),
  );
}

/** The mode of a commit in a tree. */
const LINK = '160000';

function placeOf(top: string, name: string): Pick<Submodule, 'name' | 'top'> {
  return { name, top: join(top, name) };
}

/** One that was not fetched holds no files. A link, or settings that name another working tree, lead elsewhere. */
function lookedInto(all: readonly Submodule[]): Submodules {
  const present: Submodule[] = [];
  const remarks: string[] = [];
  for (const it of all) {
    if (!existsSync(join(it.top, '.git'))) continue;
    const commits = [it.from, it.to].filter((id) => id !== undefined);
    const isOwn =
      disk.real(it.top) === it.top && gitLine(it.top, ['rev-parse', '--show-toplevel']) === it.top;
    if (!isOwn) {
      remarks.push(`The submodule ${it.name} leads to a different folder: not scanned.`);
    } else if (!commits.every((id) => hasCommit(it.top, id))) {
      remarks.push(
        `The submodule ${it.name} lacks the commit to compare with: git submodule update fetches it.`,
      );
    } else present.push(it);
  }
  return { present, remarks };
}

function hasCommit(top: string, id: string): boolean {
  return gitLine(top, ['rev-parse', '--verify', '--quiet', `${id}^{commit}`]) !== undefined;
}

/** The same patches, named from the top of the repository around. */
export function placedIn(name: string, patches: readonly FilePatch[]): readonly FilePatch[] {
  const placed = (it: string | undefined) => it && `${name}/${it}`;
  return name === ''
    ? patches
    : patches.map((it) => ({ ...it, from: placed(it.from), to: placed(it.to) }));
}
