import { deepStrictEqual, match, throws } from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { changeSetOf } from '../../src/scan/review/change-set.ts';
import {
  commitChanges,
  editedFiles,
  stagedChanges,
  workingTreeChanges,
} from '../../src/scan/review/sources.ts';
import { broughtBy } from '../fakes/brought-by.ts';
import { folderWith } from '../fakes/folder.ts';
import { gitIn, type GitRepository, repositoryWith } from '../fakes/git-repository.ts';

const here = (repository: GitRepository) => broughtBy(workingTreeChanges(repository.path));

describe('a review', () => {
  it('reports a finding in a changed line, and no other', async () => {
    const repository = repositoryWith({ 'a.js': 'wait(1);\nwait(2);\n', 'b.js': 'wait(3);\n' });
    repository.write({ 'a.js': 'wait(1);\nwait(22);\nwait(2);\n' });
    deepStrictEqual(await here(repository), ['a.js:2']);
  });

  it('takes the working tree against where the branch began: commits, edits and new files', async () => {
    const repository = repositoryWith({ 'a.js': 'run();\n', '.gitignore': 'out.js\n' });
    repository.git('checkout', '--quiet', '-b', 'work');
    repository.write({ 'a.js': 'run();\nwait(1);\n' });
    repository.commit();
    repository.write({ 'a.js': 'wait(2);\nrun();\nwait(1);\n', 'new.js': 'wait(3);' });
    repository.write({ 'out.js': 'wait(4);', 'README.md': 'wait(5);' });
    repository.git('branch', 'other', 'main');
    repository.git('checkout', '--quiet', 'main', '--', '.gitignore');
    deepStrictEqual(await here(repository), ['a.js:1', 'a.js:3', 'new.js:1']);
    const set = workingTreeChanges(repository.path, 'work');
    deepStrictEqual(await broughtBy(set), ['a.js:1', 'new.js:1']);
  });

  it('leaves out what the base branch has brought meanwhile', async () => {
    const repository = repositoryWith({ 'a.js': 'run();\n' });
    repository.git('checkout', '--quiet', '-b', 'work');
    repository.write({ 'b.js': 'wait(1);\n' });
    repository.commit();
    repository.git('checkout', '--quiet', 'main');
    repository.write({ 'a.js': 'wait(9);\n' });
    repository.commit();
    repository.git('checkout', '--quiet', 'work');
    deepStrictEqual(await here(repository), ['b.js:1']);
  });

  it('reports no code that was formatted, moved, or renamed with its file', async () => {
    const slow = 'async function slow(a) {\n  wait(9);\n  return "a" + a;\n}\n';
    const repository = repositoryWith({
      'a.js': `${slow}\nrun();\n`,
      'b.js': `one();\n${slow}two();\nthree();\nfour();\n`,
      'c.js': 'run();\n',
    });
    const formatted = "async function slow(a) {\n\n    wait( 9 )\n  return 'a' + a; // text\n}\n";
    repository.write({ 'a.js': `\n\n${formatted}\nrun();\n`, 'c.js': `run();\n${slow}` });
    rmSync(join(repository.path, 'b.js'));
    repository.write({ 'src/d.js': 'one();\ntwo();\nthree();\nfour();\n' });
    deepStrictEqual(await here(repository), []);
  });

  it('counts a copy of what was there as new', async () => {
    const slow = 'function slow() { wait(9); }\n';
    const repository = repositoryWith({ 'a.js': slow });
    repository.write({ 'b.js': slow, 'a.js': `${slow}run();\n` });
    deepStrictEqual(await here(repository), ['b.js:1']);
  });

  it('reads the index for --staged, with any text in the working tree', async () => {
    const repository = repositoryWith({ 'a.js': 'run();\n', 'b.js': 'run();\n' });
    repository.write({ 'a.js': 'run();\nwait(1);\n', 'new.js': 'wait(2);\n' });
    repository.git('add', 'a.js', 'new.js');
    repository.write({ 'a.js': 'wait(3);\n', 'b.js': 'wait(4);\n', 'other.js': 'wait(5);\n' });
    rmSync(join(repository.path, 'new.js'));
    const staged = () => broughtBy(stagedChanges(repository.path));
    deepStrictEqual(await staged(), ['a.js:2', 'new.js:1']);
  });

  it('reads one commit, also the first one, without later changes', async () => {
    const repository = repositoryWith({ 'a.js': 'wait(1);\n' });
    repository.write({ 'a.js': 'wait(1);\nwait(2);\n' });
    const second = repository.commit();
    repository.git('mv', 'a.js', 'b.js');
    repository.write({ 'b.js': 'other();\n' });
    const last = repository.commit();
    const brought = (name: string) => broughtBy(commitChanges(repository.path, name));
    deepStrictEqual(await brought(second), ['a.js:2']);
    deepStrictEqual(await brought('HEAD~2'), ['a.js:1']);
    deepStrictEqual(await brought(last), []);
  });

  it('takes a merge for what it has brought to its first parent', async () => {
    const repository = repositoryWith({ 'a.js': 'run();\n' });
    repository.git('checkout', '--quiet', '-b', 'work');
    repository.write({ 'b.js': 'wait(1);\n' });
    repository.commit();
    repository.git('checkout', '--quiet', 'main');
    repository.write({ 'c.js': 'wait(2);\n' });
    repository.commit();
    repository.git('merge', '--quiet', '--no-edit', 'work');
    deepStrictEqual(await broughtBy(commitChanges(repository.path, 'HEAD')), ['b.js:1']);
  });

  it('works before the first commit', async () => {
    const repository = gitIn(folderWith({ 'a.js': 'wait(1);\n' }));
    repository.git('init', '--quiet');
    deepStrictEqual(await here(repository), ['a.js:1']);
    repository.git('add', 'a.js');
    deepStrictEqual(await broughtBy(stagedChanges(repository.path)), ['a.js:1']);
  });

  it('reads names with spaces, quotes and other alphabets', async () => {
    const names = ['a b.js', 'a "b".js', "it's.js", 'ä/日本.js', 'tab\t.js'];
    const repository = repositoryWith(Object.fromEntries(names.map((it) => [it, 'run();\n'])));
    repository.write(Object.fromEntries(names.map((it) => [it, 'run();\nwait(1);\n'])));
    deepStrictEqual((await here(repository)).toSorted(), names.map((it) => `${it}:2`).toSorted());
  });

  it('reads files with CRLF, without a last newline, with a byte-order mark and with long names', async () => {
    const repository = repositoryWith({
      'crlf.js': 'run();\r\nrun();\r\n',
      'unended.js': 'wait(1);\nrun();',
      'mark.js': '\uFEFFwait(1);\nrun();\n',
    });
    repository.write({
      'crlf.js': 'run();\r\nwait(1);\r\nrun();\r\n',
      'unended.js': 'wait(1);\nrun();\nwait(2);',
      'mark.js': '\uFEFFwait(1);\nwait(2);\nrun();\n',
    });
    deepStrictEqual(await here(repository), ['crlf.js:2', 'mark.js:2', 'unended.js:3']);
  });

  it('reads a working tree in which git has changed the ends of lines', async () => {
    const repository = repositoryWith({ 'a.js': 'wait(1);\nrun();\n' });
    repository.git('config', 'core.autocrlf', 'true');
    repository.write({ 'a.js': 'wait(1);\r\nrun();\r\nwait(2);\r\n' });
    deepStrictEqual(await here(repository), ['a.js:3']);
  });

  it('passes over binary and broken files, links, and files without code', async () => {
    const repository = repositoryWith({ 'a.js': 'run();\n', 'b.png': Buffer.from([0, 1, 2]) });
    repository.write({ 'a.js': 'wait(1', 'b.png': Buffer.from([0, 9]), 'c.ts': Buffer.alloc(99) });
    symlinkSync('a.js', join(repository.path, 'link.js'));
    deepStrictEqual(await here(repository), []);
    repository.commit();
    deepStrictEqual(await broughtBy(commitChanges(repository.path, 'HEAD')), []);
  });

  it('reads code that git takes for binary', async () => {
    const repository = repositoryWith({ '.gitattributes': 'b.js binary\nc.js -diff\n' });
    repository.write({ 'a.js': '/* \0 */ run();\n', 'b.js': 'run();\n', 'c.js': 'run();\n' });
    repository.commit();
    repository.git('checkout', '--quiet', '-b', 'work');
    repository.write({ 'a.js': '/* \0 */ wait(1);\n', 'b.js': 'wait(2);\n', 'c.js': 'wait(3);\n' });
    deepStrictEqual(await here(repository), ['a.js:1', 'b.js:1', 'c.js:1']);
    repository.commit();
    const set = commitChanges(repository.path, 'HEAD');
    deepStrictEqual(await broughtBy(set), ['a.js:1', 'b.js:1', 'c.js:1']);
  });

  it('reads files with a different text in git than on disk', async () => {
    const attributes = 'a.js ident\nb.js working-tree-encoding=UTF-16LE\n';
    const repository = repositoryWith({ 'a.js': 'run();\n', 'b.js': '' });
    repository.write({
      '.gitattributes': attributes,
      'a.js': '// $Id: b $\nwait(1);\n',
      'b.js': 'wait(22);\n',
    });
    deepStrictEqual(await here(repository), ['a.js:2', 'b.js:1']);
    repository.git('add', '--all');
    deepStrictEqual(await broughtBy(stagedChanges(repository.path)), ['a.js:2', 'b.js:1']);
    repository.commit();
    const set = commitChanges(repository.path, 'HEAD');
    deepStrictEqual(await broughtBy(set), ['a.js:2', 'b.js:1']);
    match(set.remarks.join(), /^a\.js has a different text in git than on disk: all of it counts/);
    const call = editedFiles(repository.path, [join(repository.path, 'a.js')]);
    deepStrictEqual(await broughtBy(call), []);
  });

  describe('of a repository with another in it', () => {
    function withSubmodule() {
      const library = repositoryWith({ 'a.js': 'run();\nwait(1);\n' });
      const repository = repositoryWith({ 'b.js': 'run();\n' });
      repository.git('submodule', '--quiet', 'add', library.path, 'lib.js');
      repository.commit();
      repository.git('checkout', '--quiet', '-b', 'work');
      const inside = gitIn({ ...repository, path: join(repository.path, 'lib.js') });
      return { repository, inside };
    }

    it('scans submodules for changes since their recorded commit', async () => {
      const { repository, inside } = withSubmodule();
      repository.write({ 'lib.js/a.js': 'wait(2);\nwait(1);\n', 'b.js': 'wait(3);\n' });
      repository.write({ 'lib.js/new.js': 'wait(4);\n' });
      const all = ['b.js:1', 'lib.js/a.js:1', 'lib.js/new.js:1'];
      deepStrictEqual(await here(repository), all);
      inside.commit();
      deepStrictEqual(await here(repository), all);
      deepStrictEqual(await broughtBy(stagedChanges(repository.path)), []);
      repository.git('add', '--all');
      deepStrictEqual(await broughtBy(stagedChanges(repository.path)), all);
      repository.commit();
      deepStrictEqual(await here(repository), all);
      deepStrictEqual(await broughtBy(commitChanges(repository.path, 'HEAD')), all);
      inside.write({ 'lib.js/a.js': 'run();\n' });
      deepStrictEqual(await broughtBy(commitChanges(repository.path, 'HEAD')), all);
      deepStrictEqual(await broughtBy(commitChanges(inside.path, 'HEAD')), ['a.js:1', 'new.js:1']);
    });

    it('scans submodules in a hook of git, whose environment names the outer repository', async () => {
      const { repository, inside } = withSubmodule();
      inside.write({ 'lib.js/a.js': 'wait(2);\nwait(1);\n' });
      inside.commit();
      repository.git('add', '--all');
      const cwd = process.cwd();
      process.chdir(repository.path);
      // As of pre-commit: relative to the top.
      process.env['GIT_INDEX_FILE'] = '.git/index';
      try {
        deepStrictEqual(await broughtBy(stagedChanges(repository.path)), ['lib.js/a.js:1']);
      } finally {
        delete process.env['GIT_INDEX_FILE'];
        process.chdir(cwd);
      }
    });

    it('names a submodule that leads elsewhere, or lacks its commit, and scans none of them', async () => {
      const { repository } = withSubmodule();
      const elsewhere = repositoryWith({ 'a.js': 'run();\n' });
      const place = join(repository.path, 'lib.js');
      rmSync(place, { recursive: true });
      symlinkSync(elsewhere.path, place);
      elsewhere.write({ 'a.js': 'wait(9);\n' });
      const set = workingTreeChanges(repository.path);
      deepStrictEqual(await broughtBy(set), []);
      deepStrictEqual(set.remarks, [
        'The submodule lib.js leads to a different folder: not scanned.',
      ]);
      rmSync(place);
      repository.write({
        'lib.js/.git': `gitdir: ${join(elsewhere.path, '.git')}\n`,
        'lib.js/a.js': 'wait(9);\n',
      });
      deepStrictEqual(workingTreeChanges(repository.path).remarks, [
        'The submodule lib.js lacks the commit to compare with: git submodule update fetches it.',
      ]);
    });

    it('asks the repository of each edited file', async () => {
      const { repository } = withSubmodule();
      const nested = gitIn({ ...repository, path: join(repository.path, 'tools') });
      repository.write({
        'tools/c.js': 'run();\nwait(5);\n',
        'lib.js/a.js': 'wait(2);\nwait(1);\n',
      });
      nested.git('init', '--quiet');
      nested.commit();
      repository.git('worktree', 'add', '--quiet', 'tree', 'main');
      repository.write({ 'tools/c.js': 'wait(6);\nwait(5);\n', 'tree/b.js': 'wait(7);\n' });
      const edited = ['lib.js/a.js', 'tools/c.js', 'tree/b.js'];
      const set = editedFiles(
        repository.path,
        edited.map((it) => join(repository.path, it)),
      );
      deepStrictEqual(await broughtBy(set), ['lib.js/a.js:1', 'tools/c.js:1', 'tree/b.js:1']);
    });
  });

  it('compares with the branch itself where a shallow clone lacks the history, and reports that', async () => {
    const origin = repositoryWith({ 'a.js': 'wait(1);\n' });
    origin.git('checkout', '--quiet', '-b', 'work');
    origin.write({ 'b.js': 'wait(2);\n' });
    origin.commit();
    origin.write({ 'c.js': 'wait(3);\n' });
    origin.commit();
    const clone = gitIn({ ...origin, path: join(folderWith({}).path, 'clone') });
    origin.git('clone', '--quiet', '--depth=1', `file://${origin.path}`, clone.path);
    throws(
      () => workingTreeChanges(clone.path, 'main'),
      /has no commit "main".*git fetch origin main:refs\/remotes\/origin\/main/,
    );
    throws(() => commitChanges(clone.path, 'HEAD'), /git fetch --deepen=1/);
    clone.git('fetch', '--quiet', '--depth=1', 'origin', 'main:main');
    const set = workingTreeChanges(clone.path, 'main');
    match(set.remarks.join(), /no common commit of main and HEAD in this shallow clone/);
    deepStrictEqual(await broughtBy(set), ['b.js:1', 'c.js:1']);
    clone.git('fetch', '--quiet', '--deepen=1', 'origin', 'work');
    deepStrictEqual(await broughtBy(commitChanges(clone.path, 'HEAD')), ['c.js:1']);
  });

  it('reports what git cannot find', () => {
    const repository = repositoryWith({ 'a.js': '' });
    throws(() => commitChanges(repository.path, 'nowhere'), /has no commit "nowhere"/);
    throws(() => commitChanges(repository.path, '--all'), /has no commit "--all"/);
    repository.git('branch', '--move', 'trunk');
    throws(() => workingTreeChanges(repository.path), /no default branch here.*--base/);
    throws(() => workingTreeChanges(folderWith({}).path), /not a git repository/);
  });

  it('keeps to the ignore files and to the configuration after the change', async () => {
    const repository = repositoryWith({ 'a.js': 'run();\nwait(9);\n' });
    repository.write({ 'a.js': 'run();\nwait(9);\nwait(8);\n', 'gone.js': 'wait(1);' });
    repository.write({ '.deadtimeignore': 'gone.js\n' });
    repository.write({ 'deadtime.config.json': '{ "profile": "audit" }' });
    deepStrictEqual(await here(repository), ['a.js:3']);
  });
});

describe('a review of a patch', () => {
  const before = 'wait(1);\nrun();\n';
  const after = 'wait(1);\nwait(2);\nrun();\n';
  const patch = (name: string) =>
    `--- a/${name}\n+++ b/${name}\n@@ -1,2 +1,3 @@\n wait(1);\n+wait(2);\n run();\n`;

  it('needs no git, and takes files as before and as after it', async () => {
    for (const text of [before, after]) {
      const { path } = folderWith({ 'src/a.js': text });
      deepStrictEqual(await broughtBy(changeSetOf(patch('src/a.js'), path)), ['src/a.js:2']);
    }
  });

  it('takes new files from the patch, and finds names from the folder it is in', async () => {
    const repository = repositoryWith({ 'package/a.js': before });
    const path = join(repository.path, 'package');
    const added = 'diff --git a/n.js b/n.js\n--- /dev/null\n+++ b/n.js\n@@ -0,0 +1 @@\n+wait(3);\n';
    const set = changeSetOf(patch('a.js') + added, path);
    deepStrictEqual(await broughtBy(set), ['package/a.js:2', 'n.js:1']);
  });

  it('lists files of before that were removed or renamed', async () => {
    const { path } = folderWith({ 'a.js': 'wait(1);\n', 'b.js': 'wait(2);\n' });
    const gone = '--- a/a.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-wait(1);\n';
    const renamed = 'diff --git a/b.js b/c.js\nrename from b.js\nrename to c.js\n';
    deepStrictEqual(await broughtBy(changeSetOf(gone + renamed, path)), []);
  });

  it('names files that it does not fit, and stays inside the folder', async () => {
    const { path } = folderWith({ 'a.js': 'other();\n', 'inside/x.js': '' });
    const set = changeSetOf(
      patch('a.js') + patch('../a.js') + patch('none.js'),
      join(path, 'inside'),
    );
    deepStrictEqual(await broughtBy(set), []);
    deepStrictEqual(
      set.remarks.map((it) => it.replace(path, '')),
      [
        'a.js matches neither the text before the patch nor the text after it: it is ignored.',
        '../a.js is outside of /inside: it is ignored.',
        'none.js matches neither the text before the patch nor the text after it: it is ignored.',
      ],
    );
    throws(() => changeSetOf(patch('a.js') + patch('a.js'), path), /changes a\.js twice/);
    mkdirSync(join(path, 'empty'));
    deepStrictEqual(changeSetOf('', join(path, 'empty')).changes, []);
  });
});
