import { execFileSync } from 'node:child_process';
import { type Folder, folderWith } from './folder.ts';

export interface GitRepository extends Folder {
  git(...args: readonly string[]): string;
  /** Everything that is there, as one commit; returns its id. */
  commit(): string;
}

/** A repository for one test, whose branch `main` holds these files in one commit. */
export function repositoryWith(files: Readonly<Record<string, string | Buffer>>): GitRepository {
  const repository = gitIn(folderWith(files));
  repository.git('init', '--quiet', '--initial-branch=main');
  repository.commit();
  return repository;
}

export function gitIn(folder: Folder): GitRepository {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
      cwd: folder.path,
      encoding: 'utf8',
      env: { ...process.env, ...author },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  return {
    ...folder,
    git,
    commit() {
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message', 'work');
      return git('rev-parse', 'HEAD');
    },
  };
}

/** Nothing of the machine's settings. */
const author = {
  ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  ...{ GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' },
  ...{ GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' },
};
