import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { listedIn } from '../src/project/files.ts';
import { filesOf, isFoundBelow } from '../src/scan/files.ts';
import { folderWith } from './fakes/folder.ts';

function namesIn(
  files: readonly string[],
  paths: readonly string[] = ['.'],
  ignorePatterns: readonly string[] = [],
  texts: Readonly<Record<string, string>> = {},
): readonly string[] {
  const folder = folderWith({ ...Object.fromEntries(files.map((it) => [it, ''])), ...texts });
  const found = filesOf(paths, { cwd: folder.path, ignorePatterns });
  // Hosts that are handed one file after the other come to the same, for a folder that is searched.
  if (paths.length === 1 && paths[0] === '.') {
    const all = files.map((it) => join(folder.path, it));
    const same = all.filter((it) => isFoundBelow(folder.path, it, ignorePatterns));
    deepStrictEqual(same.sort(), [...found.files].sort());
  }
  return found.files.map((it) => relative(folder.path, it));
}

describe('files to scan', () => {
  it('are code, by extension, in the order of their names', () => {
    const code = [
      ...['a.astro', 'a.svelte', 'a.ts', 'a.vue', 'b.tsx', 'c.js', 'd.jsx', 'e.mjs', 'f.mts'],
      ...['g.cjs', 'h.cts', 'i/a.ts'],
    ];
    deepStrictEqual(namesIn([...code, 'a.json', 'a.css', 'Makefile', 'a.html'].reverse()), code);
  });

  it('are one where two names mean one file, however they are spelled', () => {
    const { path } = folderWith({ 'jobs.js': '', 'Jobs.js': '' });
    const disk = {
      ...{ list: listedIn, read: (it: string) => readFileSync(it, 'utf8'), exists: existsSync },
      real: (it: string) => it.replace('Jobs.js', 'jobs.js'),
    };
    deepStrictEqual(filesOf(['jobs.js', 'Jobs.js'], { cwd: path, disk }).files, [
      join(path, 'jobs.js'),
    ]);
    strictEqual(filesOf(['jobs.js', 'Jobs.js'], { cwd: path }).files.length, 2);
  });

  it('are not declarations, dependencies, build output, dot files and minified files', () => {
    const others = [
      ...['a.d.ts', 'a.d.mts', 'a.d.css.ts', 'node_modules/pg/index.js', 'packages/a/dist/a.js'],
      ...['build/a.js', 'out/a.js', 'coverage/a.js', '.next/a.js', '.eslintrc.js', 'vendor/a.js'],
      ...['a.min.js', 'a.bundle.js', 'a-min.mjs'],
    ];
    deepStrictEqual(namesIn([...others, 'a.js']), ['a.js']);
  });

  it('are not what a compiler has put beside its source', () => {
    const sources = ['a.ts', 'b.tsx', 'c.mts', 'd.cts', 'f.d.ts', 'g.ts'];
    const compiled = ['a.js', 'b.js', 'b.jsx', 'c.mjs', 'd.cjs'];
    const own = ['a.mjs', 'b.mjs', 'e.js', 'f.js', 'lib/g.js'];
    deepStrictEqual(
      [...namesIn([...sources, ...compiled, ...own])].sort(),
      [...sources.filter((it) => it !== 'f.d.ts'), ...own].sort(),
    );
  });

  it('are not in contexts where waiting costs nobody anything', () => {
    const others = [
      ...['a.test.ts', 'a.spec.js', 'a.bench.ts', 'a.stories.tsx', '__tests__/a.ts', 'test/a.ts'],
      ...['__mocks__/a.ts', 'fixtures/a.ts', 'migrations/1.ts', 'seeds/1.ts', 'e2e/a.ts'],
      ...['_test/a.ts', 'doctests/a.js', 'seed-data/a.ts'],
      ...['a.generated.ts', 'generated/a.ts'],
      ...['test-setup.ts', 'src/test-util.ts', 'src/test-helpers.js'],
      ...['test-support/a.ts', 'packages/shop-test-harness/src/a.ts', 'load-tests/a.ts'],
      ...['src-backup/a.ts', 'api_src.old/a.ts', 'backups/phase1_20250929_210545/app/a.ts'],
      ...['a.bak.js', 'a.orig.ts', 'report_OLD.js', 'src/report-OLD2.ts', 'report_BACKUP.ts'],
    ];
    const own = [
      ...['contest/a.ts', 'latest-utils/a.ts', 'latest-utils.ts', 'latest.ts'],
      ...['src/backup/a.ts', 'backups/a.ts', 'report-20250929/a.ts', 'a.backup.ts', 'old/a.ts'],
      ...['delete_old.ts', 'OLD.ts', 'src/report_OLDER.ts'],
    ];
    deepStrictEqual([...namesIn([...others, ...own])].sort(), own.sort());
  });

  it('are in a folder named like output when that is below src', () => {
    deepStrictEqual(namesIn(['src/build/a.ts', 'app/build/a.ts']), ['src/build/a.ts']);
  });

  it('are an application’s configuration, not its tools’', () => {
    const files = ['package.json', 'vite.config.ts', 'config/db.config.js'];
    deepStrictEqual(namesIn(files), ['config/db.config.js']);
  });

  it('are what is named, whatever it looks like, and the folder that is named', () => {
    const files = ['a.test.ts', 'dist/a.min.js', 'test/b.ts'];
    deepStrictEqual(namesIn(files, ['a.test.ts', 'dist/a.min.js', 'test']), files);
  });

  it('come once', () => {
    deepStrictEqual(namesIn(['src/a.ts'], ['.', 'src', 'src/a.ts']), ['src/a.ts']);
  });

  it('obey .gitignore and .deadtimeignore of every folder, the innermost first', () => {
    const files = ['a.js', 'b.js', 'lib/a.js', 'lib/b.js', 'lib/deep/c.js', 'tmp/x.js'];
    const texts = {
      '.gitignore': 'tmp/\na.js\n',
      'lib/.gitignore': '!a.js\n',
      'lib/.deadtimeignore': '/deep\n',
    };
    deepStrictEqual(namesIn(files, ['.'], [], texts), ['b.js', 'lib/a.js', 'lib/b.js']);
  });

  it('obey patterns that spell no name, or not as it is', () => {
    const files = ['a.js', 'b.js', 'B1.js', '#c.js', 'Lib/d.js', 'src/e.js', 'src/f.ts'];
    const texts = {
      '.gitignore': '\uFEFFlib/\n[ab].js\nb?.js\n\\#c.js\n',
      'src/.gitignore': '*\r\n!*.ts\r',
    };
    deepStrictEqual(namesIn(files, ['.'], [], texts), ['src/f.ts']);
  });

  it('obey however many patterns', () => {
    const others = Array.from({ length: 2_000 }, (_, i) => `other-${i}`);
    const texts = {
      '.gitignore': [...others, 'a.js', '# b.js', ''].join('\n'),
      'lib/.gitignore': '',
    };
    deepStrictEqual(namesIn(['a.js', 'b.js', 'lib/c.js', 'other-1/d.js'], ['.'], [], texts), [
      ...['b.js', 'lib/c.js'],
    ]);
  });

  it('obey a folder’s word before that of those above it, for folders as well', () => {
    const texts = { '.gitignore': '/lib/old/\n', 'lib/.gitignore': '!old/\n' };
    deepStrictEqual(namesIn(['lib/old/a.js', 'old/b.js'], ['.'], [], texts), [
      ...['lib/old/a.js', 'old/b.js'],
    ]);
  });

  it('are told where an ignore file has more than Deadtime reads, or cannot be read', () => {
    const folder = folderWith({
      '.gitignore': `${'*?'.repeat(501)}\na.js\n`,
      'lib/.deadtimeignore': '[ab]*?/\n'.repeat(2_000),
      'big/.gitignore': Buffer.alloc(20_000_001, '\n'),
      ...{ 'a.js': '', 'b.js': '', 'lib/c.js': '' },
    });
    const { files, notices } = filesOf(['.'], { cwd: folder.path });
    deepStrictEqual(
      files.map((it) => relative(folder.path, it)),
      ['b.js', 'lib/c.js'],
    );
    const cut = 'has too many patterns with wildcards: the rest ignores nothing';
    deepStrictEqual(
      notices.map((it) => [relative(folder.path, it.path), it.reason, it.message]),
      [
        ['.gitignore', 'limit', cut],
        [
          join('big', '.gitignore'),
          'unreadable',
          'cannot be read, or is larger than 20 MB: it ignores nothing',
        ],
        [join('lib', '.deadtimeignore'), 'limit', cut],
      ],
    );
  });

  it('are searched for below a folder that the command leaves out as little as in it', () => {
    deepStrictEqual(namesIn(['src/old/b.js'], ['src/old'], ['old/']), []);
    deepStrictEqual(namesIn(['src/old/in/b.js'], ['src/old/in'], ['/src/old']), []);
  });

  it('obey the ignore files above the folder, unless they leave out the folder itself', () => {
    const texts = { '.gitignore': '/built\n*.gen.js\n', '.git/HEAD': '' };
    const files = ['src/a.js', 'src/b.gen.js', 'built/c.js'];
    deepStrictEqual(namesIn(files, ['src'], [], texts), ['src/a.js']);
    deepStrictEqual(namesIn(files, ['built'], [], texts), ['built/c.js']);
  });

  it('obey patterns of the command, relative to the working directory', () => {
    const files = ['src/a.js', 'src/old/b.js', 'c.js'];
    deepStrictEqual(namesIn(files, ['src'], ['src/old', '/c.js']), ['src/a.js']);
  });

  it('are found once behind links, and cycles of links do not trap the search', () => {
    const folder = folderWith({ 'src/a.ts': '' });
    symlinkSync(folder.path, join(folder.path, 'src', 'loop'));
    symlinkSync(join(folder.path, 'src', 'a.ts'), join(folder.path, 'src', 'b.ts'));
    const { files } = filesOf(['.'], { cwd: folder.path });
    deepStrictEqual(files, [join(folder.path, 'src', 'a.ts')]);
  });

  it('are none in an empty folder; what is not there is told', () => {
    const folder = folderWith({});
    const found = filesOf(['.', 'nowhere'], { cwd: folder.path });
    deepStrictEqual([found.files, found.missing], [[], ['nowhere']]);
  });

  it('are none behind a file, a circle of links, or a name that is too long', () => {
    const folder = folderWith({ 'a.ts': '' });
    symlinkSync('circle.ts', join(folder.path, 'circle.ts'));
    const names = ['a.ts/b.ts', 'circle.ts', 'long'.repeat(1_000)];
    const found = filesOf(names, { cwd: folder.path });
    deepStrictEqual([found.files, found.missing], [[], names]);
  });

  it('come without those of a folder that cannot be read, which is told', function () {
    // The superuser can read everything.
    if (process.platform === 'win32' || process.getuid?.() === 0) this.skip();
    const folder = folderWith({ 'locked/a.ts': '', 'b.ts': '' });
    chmodSync(join(folder.path, 'locked'), 0);
    const found = filesOf(['.'], { cwd: folder.path });
    chmodSync(join(folder.path, 'locked'), 0o755);
    deepStrictEqual(found.files, [join(folder.path, 'b.ts')]);
    ok(found.notices[0]?.message.includes('EACCES'));
  });
});
