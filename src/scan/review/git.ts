import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { rootAround } from '../repository.ts';
import { runProgramSync } from '../../system/processes.ts';

/** The command could not be run, or refused; the message is git's own. */
export class GitError extends Error {}

/** What git prints, in the folder `cwd`. It runs nothing that the repository's settings name. */
export function git(cwd: string, args: readonly string[], input = ''): Buffer {
  const { stdout, stderr, status } = ran(cwd, [...silenced(cwd, args), ...args], input);
  if (status !== 0) throw new GitError(reasonIn(stderr.toString()) || `git ${args[0]} failed`);
  return stdout;
}

function reasonIn(stderr: string): string {
  if (!/^fatal: (?:transport '|could not fetch )/m.test(stderr)) return stderr.trim();
  return 'This partial clone lacks files, and Deadtime fetches nothing. Run git diff with the same commits first: it fetches them.';
}

/** A diff of the largest repositories takes some seconds; what waits for a pipe does not end. */
const LIMIT_MS = 120_000;
const MOST_BYTES = 1 << 30;

function ran(cwd: string, args: readonly string[], input = '') {
  const result = runProgramSync('git', [...harmless, ...args], {
    ...{ cwd, input, environment: { ...undisturbing, ...ownRepository(cwd) } },
    ...{ limitMs: LIMIT_MS, mostBytes: MOST_BYTES },
  });
  switch ((result.error as NodeJS.ErrnoException | undefined)?.code) {
    case undefined:
      return result;
    case 'ETIMEDOUT':
      throw new GitError(`git did not answer within ${LIMIT_MS / 1_000} s, and was stopped.`);
    default:
      throw new GitError(`git could not be run: ${result.error!.message}`);
  }
}

/**
 * The top of a repository is its working tree, regardless of its settings (`core.worktree`). The environment of a git hook is
 * about the repository in which it runs, and not about a submodule of it.
 */
function ownRepository(cwd: string): Readonly<Record<string, string | undefined>> {
  if (!existsSync(join(cwd, '.git'))) return {};
  const isAround = realpathSync(cwd) === realpathSync(rootAround(process.cwd()));
  return { ...(isAround ? {} : withoutRepository), GIT_WORK_TREE: cwd };
}

/** Those of `git rev-parse --local-env-vars` that name a repository. */
const withoutRepository = {
  ...{ GIT_DIR: undefined, GIT_COMMON_DIR: undefined, GIT_INDEX_FILE: undefined },
  ...{ GIT_OBJECT_DIRECTORY: undefined, GIT_ALTERNATE_OBJECT_DIRECTORIES: undefined },
  ...{ GIT_PREFIX: undefined, GIT_SHALLOW_FILE: undefined, GIT_GRAFT_FILE: undefined },
};

/** They override `.git/config`: that file may come from outside, with the code. */
const harmless = [
  '--no-pager',
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.hooksPath=/dev/null'],
] as const;

const undisturbing = {
  // No lock for a refreshed index: a second git may be at work.
  GIT_OPTIONAL_LOCKS: '0',
  // Objects that a partial clone lacks would be fetched, by programs that the settings name. The former is from Git 2.45 on.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
};

/**
 * Commands that read files of the working tree pass them through filters. Those of the user's own settings are off as well: a
 * filter such as that of Git LFS reads the settings of the repository, which may name programs.
 */
function silenced(cwd: string, [command]: readonly string[]): readonly string[] {
  if (command !== 'diff') return [];
  return filterSettings(cwd).flatMap((name) => {
    // What follows would be taken for its value.
    if (name.includes('=')) throw new GitError(`git is not run with the setting ${name}`);
    return ['-c', `${name}=`, '-c', `${driverOf(name)}.required=false`];
  });
}

/** "filter.lfs.process" and its like, of the system, the user and the repository. */
function filterSettings(cwd: string): readonly string[] {
  const pattern = '^filter\\..*\\.(clean|process)$';
  const args = ['config', '--null', '--name-only', '--get-regexp', pattern];
  const { stdout, stderr, status } = ran(cwd, args);
  // 1: no name matches.
  if (status !== 0 && status !== 1) {
    const reason = stderr.toString().trim() || `status ${status}`;
    throw new GitError(`git config does not list its filters: ${reason}`);
  }
  return stdout.toString().split('\0').filter(Boolean);
}

/** "filter.lfs". */
function driverOf(setting: string): string {
  return setting.replace(/\.[^.]*$/, '');
}

/** Those of the files that git would pass through a filter, which `git` leaves off: they are compared as they lie on disk. */
export function unfiltered(cwd: string, files: readonly string[]): readonly string[] {
  const drivers = new Set(filterSettings(cwd).map(driverOf));
  if (drivers.size === 0 || files.length === 0) return [];
  const answers = git(cwd, ['check-attr', '--stdin', '-z', 'filter'], `${files.join('\0')}\0`);
  // Path, "filter", its value.
  const fields = answers.toString().split('\0');
  return fields.filter((_, i) => i % 3 === 0 && drivers.has(`filter.${fields[i + 2]}`));
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
