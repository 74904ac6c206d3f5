import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { disk, type Files } from '../../project/files.ts';
import { overlaid } from '../../project/overlay.ts';
import { contains } from '../../project/tree.ts';
import { codeExtensions } from '../language.ts';
import { changeSetAfter, type ChangeSet } from './change-set.ts';
import { blobs, git, GitError, gitLine, gitPaths, unfiltered } from './git.ts';
import { patchesIn, type FilePatch } from './patch.ts';
import { changedSubmodules, placedIn, type Submodule, submodulesSince } from './submodules.ts';

/** The working tree, with untracked files, compared with the merge base of `base` or of the default branch. */
export function workingTreeChanges(cwd: string, base?: string, files = disk): ChangeSet {
  const top = topOf(cwd);
  const { commit, remarks } = startOf(top, base);
  const changed = workingTreeSince(top, commit);
  return changeSetAfter(top, changed.patches, files, [...remarks, ...changed.remarks]);
}

/** The staged changes, compared with HEAD. */
export function stagedChanges(cwd: string, files = disk): ChangeSet {
  const top = topOf(cwd);
  const changed = recordedIn(top, ['--cached'], [], files);
  return changeSetAfter(top, changed.patches, changed.files, changed.remarks);
}

/** One commit against its first parent. */
export function commitChanges(cwd: string, name: string, files = disk): ChangeSet {
  const top = topOf(cwd);
  const commit = commitNamed(top, name);
  const changed = recordedIn(top, [parentOf(top, commit), commit], [commit], files);
  return changeSetAfter(top, changed.patches, changed.files, changed.remarks);
}

/** Of a repository and the submodules in it. */
interface Changed {
  readonly patches: readonly FilePatch[];
  readonly remarks: readonly string[];
}

function workingTreeSince(top: string, commit: string): Changed {
  const { present, remarks } = submodulesSince(top, commit);
  const changed = diffOf(top, [commit]);
  return withSubmodules(
    {
      patches: [...changed, ...untracked(top).map(newFile)],
      remarks: [...remarks, ...filterRemarks(top, changed)],
    },
    present,
    (it) => workingTreeSince(it.top, it.from ?? emptyTree(it.top)),
  );
}

/** `range` is what git compares; `commit` that of its end, nothing for the index. */
function recordedIn(
  top: string,
  range: readonly string[],
  commit: readonly string[],
  below: Files,
): Changed & { readonly files: Files } {
  const { present, remarks } = changedSubmodules(top, range);
  let files = filesAt(top, commit, below);
  const changed = withSubmodules({ patches: diffOf(top, range), remarks }, present, (it) => {
    const to = it.to!;
    const inside = recordedIn(it.top, [it.from ?? emptyTree(it.top), to], [to], files);
    files = inside.files;
    return inside;
  });
  return { ...changed, files };
}

function withSubmodules(
  own: Changed,
  submodules: readonly Submodule[],
  changedIn: (it: Submodule) => Changed,
): Changed {
  const inside = submodules.map((it) => [it, changedIn(it)] as const);
  return {
    patches: [...own.patches, ...inside.flatMap(([it, { patches }]) => placedIn(it.name, patches))],
    remarks: [...own.remarks, ...inside.flatMap(([, { remarks }]) => remarks)],
  };
}

/** Some files of the working tree against HEAD, each of the repository that it is in; as a whole where there is no git. */
export function editedFiles(root: string, paths: readonly string[], files = disk): ChangeSet {
  const placed = paths.map((path) => ({ path, top: repositoryOf(path, root) }));
  const patches = [...new Set(placed.map((it) => it.top))].flatMap((top) => {
    const names = placed.filter((it) => it.top === top).map((it) => nameIn(top, it.path));
    return placedIn(nameIn(root, top), patchesOf(top, names));
  });
  return changeSetAfter(root, patches, files);
}

function nameIn(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/');
}

/** The top of the innermost repository in `root`: a submodule, or one that only lies there. */
function repositoryOf(path: string, root: string): string {
  for (let it = dirname(path); it !== root && contains(root, it); it = dirname(it)) {
    if (existsSync(join(it, '.git'))) return it;
  }
  return root;
}

function patchesOf(top: string, names: readonly string[]): readonly FilePatch[] {
  if (!existsSync(join(top, '.git'))) return names.map(newFile);
  const tracked = diffOfHead(top, names.map(literally));
  // Files that git does not list are unchanged, or untracked. Most often there are none: this saves a process.
  const silent = names.filter((name) => !tracked.some(({ to }) => to === name));
  const added = silent.length > 0 ? untracked(top, silent.map(literally)) : [];
  return [...tracked, ...added.map(newFile)];
}

function literally(name: string): string {
  return `:(top,literal)${name}`;
}

/** Checks for a HEAD only where git cannot resolve it. */
function diffOfHead(root: string, paths: readonly string[]): readonly FilePatch[] {
  try {
    return diffOf(root, ['HEAD'], paths);
  } catch (error) {
    const head = headOf(root);
    if (head !== emptyTree(root)) throw error;
    return diffOf(root, [head], paths);
  }
}

function topOf(cwd: string): string {
  const top = git(cwd, ['rev-parse', '--show-toplevel']).toString().replace(/\n$/, '');
  if (contains(realpathSync(top), realpathSync(cwd))) return top;
  throw new GitError(
    `The repository's settings name ${top} as its working tree (core.worktree), and this folder is not in it.`,
  );
}

function filterRemarks(top: string, patches: readonly FilePatch[]): readonly string[] {
  const names = patches.map((it) => it.to).filter((it) => it !== undefined);
  return unfiltered(top, names).map(
    (it) =>
      `${it} is compared without its filter, since Deadtime runs none: all of it may count as changed.`,
  );
}

const codeFiles = codeExtensions.map((it) => `:(top,icase)*${it}`);

/** Regardless of the user's settings about diffs. */
function diffOf(
  top: string,
  range: readonly string[],
  paths: readonly string[] = codeFiles,
): readonly FilePatch[] {
  const patch = git(top, [
    // All as text: a NUL in a comment, or an attribute of the repository, would make a file binary, which has no lines.
    ...['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--text', '--find-renames'],
    ...['--unified=0', '--inter-hunk-context=0', '--src-prefix=a/', '--dst-prefix=b/'],
    ...['--ignore-submodules=all', ...range, '--', ...paths],
  ]);
  return patchesIn(patch.toString());
}

function untracked(top: string, paths: readonly string[] = codeFiles): readonly string[] {
  return gitPaths(top, ['ls-files', '-z', '--others', '--exclude-standard', '--', ...paths]);
}

function newFile(name: string): FilePatch {
  return { from: undefined, to: name, hunks: [] };
}

/** The files of the index, or of a commit: those on disk, but for the ones that differ there. */
function filesAt(top: string, commit: readonly string[], files: Files): Files {
  const read = [...codeFiles, ...['json', 'jsonc', 'yaml', 'yml'].map((it) => `:(top)*.${it}`)];
  const raw = gitPaths(top, [
    ...['diff', '--raw', '-z', '--no-renames', '--no-abbrev', '--ignore-submodules=all'],
    ...[...commit, '--', ...read],
  ]);
  const ids = new Map<string, string>();
  // ":100644 100644 <there> <on disk> M", then the path.
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [mode = '', , id = ''] = raw[i]!.slice(1).split(' ');
    ids.set(join(top, raw[i + 1]!), mode.startsWith('100') ? id : '');
  }
  const texts = blobs(top, [...new Set(ids.values())].filter(Boolean));
  return overlaid(
    files,
    new Map([
      ...untracked(top).map((it) => [join(top, it), undefined] as const),
      ...Array.from(ids, ([path, id]) => [path, texts.get(id)] as const),
    ]),
  );
}

interface Start {
  readonly commit: string;
  readonly remarks: readonly string[];
}

/** Where the work began: the merge base; the branch itself where a shallow clone does not hold that. */
function startOf(top: string, base: string | undefined): Start {
  const head = headOf(top);
  if (head === emptyTree(top)) return { commit: head, remarks: [] };
  const name = base ?? defaultBranch(top);
  const commit = commitNamed(top, name);
  const common = gitLine(top, ['merge-base', commit, head]);
  if (common !== undefined) return { commit: common, remarks: [] };
  const remark =
    `git finds no common commit of ${name} and HEAD${isShallow(top) ? ' in this shallow clone' : ''}: ` +
    `compared with ${name} itself. ${isShallow(top) ? 'git fetch --unshallow fetches the history.' : ''}`;
  return { commit, remarks: [remark.trim()] };
}

function defaultBranch(top: string): string {
  const remote = gitLine(top, ['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD']);
  const names = [...(remote ? [remote] : []), 'origin/main', 'origin/master', 'main', 'master'];
  const found = names.find((it) => resolved(top, it) !== undefined);
  if (found !== undefined) return found;
  throw new GitError(
    `git has no default branch here. Name one: --base REF, after ${fetchOf('REF')} where the clone does not have it.`,
  );
}

function commitNamed(top: string, name: string): string {
  const commit = resolved(top, name) ?? resolved(top, `origin/${name}`);
  if (commit !== undefined) return commit;
  // What cannot be a branch is a slip.
  const isBranch = /^\w[\w./-]*$/.test(name);
  if (!isBranch) throw new GitError(`git has no commit ${JSON.stringify(name)} here.`);
  const isHash = /^[0-9a-f]{7,40}$/.test(name);
  const fetch = isHash && isShallow(top) ? 'git fetch --unshallow' : fetchOf(name);
  throw new GitError(`git has no commit ${JSON.stringify(name)} here. ${fetch} may fetch it.`);
}

/** A clone of one branch keeps what `git fetch origin BRANCH` brings under no name. */
function fetchOf(name: string): string {
  const branch = name.replace(/^(?:refs\/(?:heads|remotes\/origin)|origin)\//, '');
  return `git fetch origin ${branch}:refs/remotes/origin/${branch}`;
}

function resolved(top: string, name: string): string | undefined {
  return gitLine(top, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
}

function parentOf(top: string, commit: string): string {
  const parent = resolved(top, `${commit}^1`);
  if (parent !== undefined) return parent;
  const isCut = /^parent /m.test(
    git(top, ['cat-file', 'commit', commit]).toString().split('\n\n')[0]!,
  );
  if (!isCut) return emptyTree(top);
  throw new GitError(
    `The parent of ${commit.slice(0, 12)} is not in this shallow clone. git fetch --deepen=1 fetches it.`,
  );
}

/** The empty tree before the first commit. */
function headOf(top: string): string {
  return resolved(top, 'HEAD') ?? emptyTree(top);
}

function emptyTree(top: string): string {
  return git(top, ['hash-object', '-t', 'tree', '--stdin']).toString().trim();
}

function isShallow(top: string): boolean {
  return gitLine(top, ['rev-parse', '--is-shallow-repository']) === 'true';
}
