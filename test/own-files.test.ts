import { deepStrictEqual, strictEqual, throws } from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { keep, kept } from '../src/cli/kept.ts';
import {
  appendOwn,
  createOwn,
  ownFolder,
  ownLinks,
  readOwn,
  removeOld,
  scratchFolder,
  UnsafePath,
  userCacheFolder,
  writeWhole,
} from '../src/system/own-files.ts';
import { withCacheIn } from './fakes/cache.ts';
import { type Folder, folderWith } from './fakes/folder.ts';

const HOUR_MS = 60 * 60 * 1_000;

describe('files that are kept', () => {
  it('go once they are a week old, though an old folder lies before them', () => {
    const { path } = folderWith({ b: '', c: '', new: '' });
    mkdirSync(join(path, 'a'));
    for (const it of ['a', 'b', 'c']) utimesSync(join(path, it), 0, 0);
    removeOld(path, { isOurs: (name) => name !== 'c' });
    deepStrictEqual(readdirSync(path).sort(), ['a', 'c', 'new']);
    removeOld(join(path, 'none'));
  });

  it('stay while they are used, and are marked at most once a day', () => {
    const { path } = folderWith({});
    const [used, unused] = [join(path, 'used'), join(path, 'unused')];
    for (const it of [used, unused]) keep(it, Buffer.from('data'));
    const start = statSync(used).mtimeMs;
    const marks = new Set<number>();
    for (let hour = 0; hour <= 500; hour += 10) {
      const now = start + hour * HOUR_MS;
      removeOld(path, { now });
      strictEqual(kept(used, now)?.toString(), 'data');
      marks.add(statSync(used).mtimeMs);
    }
    deepStrictEqual(readdirSync(path), ['used']);
    // When it was written, and at the first use after each day: every 30 hours.
    strictEqual(marks.size, 1 + Math.floor(500 / 30));
    removeOld(path, { now: Math.max(...marks) + 8 * 24 * HOUR_MS });
    deepStrictEqual(readdirSync(path), []);
  });

  it('are not marked where they are damaged', () => {
    const { path } = folderWith({ damaged: 'x'.repeat(40) });
    const file = join(path, 'damaged');
    chmodSync(file, 0o600);
    utimesSync(file, 1, 1);
    strictEqual(kept(file), undefined);
    strictEqual(statSync(file).mtimeMs, 1_000);
  });
});

describe('files of our own', () => {
  let folder: Folder;
  let putBack: () => void;
  beforeEach(() => {
    folder = folderWith({});
    putBack = withCacheIn(folder.path);
  });
  afterEach(() => putBack());
  const cache = () => userCacheFolder();

  it('lie in folders that the user alone can enter, also where an earlier version made them', function () {
    if (process.platform === 'win32') this.skip();
    mkdirSync(cache(), { recursive: true, mode: 0o755 });
    const path = ownFolder('scans', 'a');
    for (const it of [cache(), join(cache(), 'scans'), path]) {
      strictEqual(statSync(it).mode & 0o777, 0o700, it);
    }
  });

  it('are kept in no folder that is a link, a file, or one that others can write to', function () {
    if (process.platform === 'win32') this.skip();
    const { path: elsewhere } = folderWith({});
    const cases: readonly (readonly [make: (path: string) => void, why: RegExp])[] = [
      [(it) => symlinkSync(elsewhere, it), /is a link, or no folder, so Deadtime writes nothing/],
      [(it) => writeFileSync(it, ''), /is a link, or no folder/],
      [(it) => chmodSync(made(it), 0o777), /can be written to by others/],
      [(it) => chmodSync(made(it), 0o770), /can be written to by others/],
    ];
    for (const [i, [make, why]] of cases.entries()) {
      make(join(ownFolder(), String(i)));
      throws(() => ownFolder(String(i)), why);
      throws(() => writeWhole(join(cache(), String(i), 'file'), ''), why);
    }
    deepStrictEqual(readdirSync(elsewhere), []);
  });

  it('are kept in no folder of another user', function () {
    if (process.getuid?.() !== 0) this.skip();
    chownSync(ownFolder('scans'), 65_534, 65_534);
    throws(() => ownFolder('scans'), /scans belongs to another user/);
  });

  it('are not kept below a folder in which every user can rename what lies there', function () {
    if (process.platform === 'win32') this.skip();
    chmodSync(folder.path, 0o777);
    throws(() => ownFolder(), /can be written to by every user of this machine/);
    // As /tmp is.
    chmodSync(folder.path, 0o1777);
    ownFolder();
  });

  it('are not looked for without an end where a file system makes no folders', function () {
    if (process.platform !== 'linux') this.skip();
    process.env['XDG_CACHE_HOME'] = '/proc/self/none';
    throws(() => ownFolder(), /ENOENT|EACCES/);
  });

  it('are read by their user alone, and not through links', function () {
    if (process.platform === 'win32') this.skip();
    const path = join(cache(), 'file');
    writeWhole(path, 'ours');
    strictEqual(readOwn(path)?.toString(), 'ours');
    chmodSync(path, 0o644);
    strictEqual(readOwn(path), undefined);
    const link = join(cache(), 'link');
    symlinkSync(join(cache(), 'target'), link);
    writeWhole(join(cache(), 'target'), '');
    throws(() => readOwn(link), /ELOOP/);
  });

  it('take the place of links, and leave what these lead to', function () {
    if (process.platform === 'win32') this.skip();
    const { path } = folderWith({ precious: 'precious' });
    const precious = join(path, 'precious');
    ownFolder();
    const links = ['whole', 'created', `whole.${process.pid}`].map((it) => join(cache(), it));
    for (const it of links) symlinkSync(precious, it);
    writeWhole(links[0]!, 'ours');
    closeSync(createOwn(links[1]!));
    strictEqual(readFileSync(precious, 'utf8'), 'precious');
    strictEqual(readOwn(links[0]!)?.toString(), 'ours');
    symlinkSync(precious, join(cache(), 'said'));
    throws(() => appendOwn(join(cache(), 'said'), 'x'), UnsafePath);
    strictEqual(readFileSync(precious, 'utf8'), 'precious');
  });

  it('lie where the user says, unless links of the working directory lead out of it', function () {
    if (process.platform === 'win32') this.skip();
    const cwd = process.cwd();
    const [project, elsewhere] = [folderWith({}), folderWith({})];
    process.chdir(project.path);
    try {
      writeWhole('kept/a/file', '');
      writeWhole(join(elsewhere.path, 'b/file'), '');
      symlinkSync(elsewhere.path, join(project.path, 'link'));
      throws(() => writeWhole('link/c/file', ''), /link is a link/);
      deepStrictEqual(readdirSync(elsewhere.path), ['b']);
    } finally {
      process.chdir(cwd);
    }
  });

  it('are links to what is asked for, and to nothing else', function () {
    if (process.platform === 'win32') this.skip();
    const targets = new Map([['libpq.so.5', '/usr/lib/libpq.so.5.18']]);
    const path = ownLinks('libraries-1', targets);
    rmSync(join(path, 'libpq.so.5'));
    writeFileSync(join(path, 'libpq.so.5'), 'another library');
    symlinkSync('/tmp', join(path, 'libc.so.6'));
    ownLinks('libraries-1', targets);
    deepStrictEqual(
      readdirSync(path).map((it) => [it, readlinkSync(join(path, it))]),
      [...targets],
    );
  });

  it('go with the benchmark that made them, or a day later', () => {
    const left = scratchFolder();
    writeWhole(join(left.path, 'file'), '');
    utimesSync(left.path, 0, 0);
    const { path, remove } = scratchFolder();
    strictEqual(existsSync(left.path), false);
    writeWhole(join(path, 'file'), '');
    remove();
    deepStrictEqual(readdirSync(join(cache(), 'scratch')), []);
  });
});

function made(path: string): string {
  mkdirSync(path);
  return path;
}
