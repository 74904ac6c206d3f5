import { deepStrictEqual } from 'node:assert/strict';
import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { foldersFrom } from '../src/project/folders-above.ts';
import { disk } from '../src/project/files.ts';
import { treeOf } from '../src/project/tree.ts';
import { rootAround } from '../src/scan/repository.ts';
import { folderWith } from './fakes/folder.ts';

describe('the folders above', () => {
  /** Below a folder of its own: their names, the innermost first, and what is taken for the project. */
  function above(files: Readonly<Record<string, string>>, prepare: (path: string) => void) {
    const { path } = folderWith({ 'a/b/c/file.js': '', ...files });
    prepare(path);
    const inner = join(path, 'a/b/c');
    const inside = (it: string) => it.slice(path.length + 1);
    return {
      folders: foldersFrom(inner).map(inside),
      root: inside(rootAround(inner)),
      project: inside(treeOf(disk, undefined).rootOf(inner)),
    };
  }

  const repository = { 'a/.git/HEAD': '', 'a/package.json': '{}' };
  const all = { folders: ['a/b/c', 'a/b', 'a', ''], root: 'a', project: 'a' };
  const alone = { folders: ['a/b/c', 'a/b'], root: 'a/b/c', project: 'a/b/c' };

  it('determine where a project begins, up to the folder for temporary files', () => {
    deepStrictEqual(
      above(repository, () => {}),
      all,
    );
  });

  it('end below one that all may write, unless those in it are as open', () => {
    const open = (path: string, mode: number) => chmodSync(join(path, 'a'), mode);
    deepStrictEqual(
      above(repository, (it) => open(it, 0o777)),
      alone,
    );
    const isMounted = (path: string) => {
      for (const it of ['a/b/c', 'a/b', 'a', '']) chmodSync(join(path, it), 0o777);
    };
    deepStrictEqual(above(repository, isMounted), all);
    const isShared = (path: string) => {
      isMounted(path);
      open(path, 0o1777);
    };
    deepStrictEqual(above(repository, isShared), alone);
  });

  it('end below one of another user, unless those in it are that user’s, too', function () {
    if (process.getuid?.() !== 0) this.skip();
    const give = (path: string, ...names: readonly string[]) => {
      for (const it of names) chownSync(join(path, it), 12_345, 12_345);
    };
    deepStrictEqual(
      above(repository, (it) => give(it, 'a')),
      alone,
    );
    deepStrictEqual(
      above(repository, (it) => give(it, 'a', 'a/b', 'a/b/c')),
      all,
    );
  });

  it('end below the user’s home', () => {
    const { HOME, USERPROFILE } = process.env;
    try {
      const atHome = (path: string) => {
        process.env['HOME'] = process.env['USERPROFILE'] = join(path, 'a');
      };
      deepStrictEqual(above(repository, atHome), alone);
    } finally {
      Object.assign(process.env, { HOME, ...(USERPROFILE !== undefined && { USERPROFILE }) });
      if (USERPROFILE === undefined) delete process.env['USERPROFILE'];
    }
  });
});
