import { spawnSync } from 'node:child_process';

/** The command could not be run, or refused; the message is git's own. */
export class GitError extends Error {}

/** What git prints, in the folder `cwd`. */
export function git(cwd: string, args: readonly string[], input = ''): Buffer {
  const { stdout, stderr, status, error } = spawnSync('git', [...args], {
    cwd,
    input,
    maxBuffer: 1 << 30,
    // No lock for a refreshed index: somebody else may be at work.
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
  });
  if (error) throw new GitError(`git could not be run: ${error.message}`);
  if (status !== 0) throw new GitError(stderr.toString().trim() || `git ${args[0]} failed`);
  return stdout;
}

/** undefined where git refuses. */
export function gitLine(cwd: string, args: readonly string[]): string | undefined {
  try {
    return git(cwd, args).toString().trim() || undefined;
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/** Paths relative to the repository's top, as git prints them with -z. */
export function gitPaths(cwd: string, args: readonly string[]): readonly string[] {
  return git(cwd, args).toString().split('\0').filter(Boolean);
}

/** The texts of blobs by their ids. */
export function blobs(cwd: string, ids: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  if (ids.length === 0) return texts;
  const output = git(cwd, ['cat-file', '--batch'], `${ids.join('\n')}\n`);
  for (let at = 0; at < output.length;) {
    const end = output.indexOf('\n', at);
    const [id = '', type, size] = output.toString('latin1', at, end).split(' ');
    const length = type === 'blob' ? Number(size) : -1;
    if (length >= 0) texts.set(id, output.toString('utf8', end + 1, end + 1 + length));
    at = end + 2 + length;
  }
  return texts;
}
