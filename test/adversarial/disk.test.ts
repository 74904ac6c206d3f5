import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { disk } from '../../src/project/files.ts';
import { observer } from '../../src/project/observer.ts';
import { configurationsOf } from '../../src/scan/configuration.ts';
import { filesOf, isFoundBelow } from '../../src/scan/files.ts';
import { scanFiles } from '../../src/scan/scan-files.ts';
import { readingOf } from '../../src/scan/text.ts';
import { fakeCli, type FakeCli } from '../fakes/cli.ts';
import { folderWith } from '../fakes/folder.ts';
import { noWait } from '../fakes/no-wait.ts';

const isWindows = process.platform === 'win32';
const options = { rules: [noWait], configurations: configurationsOf([noWait]) };

describe('a disk that is unkind', function () {
  this.timeout(120_000);
  let cli: FakeCli;
  before(async () => (cli = await fakeCli()));
  after(() => cli.remove());

  it('may take away files and folders between the search and the scan', async () => {
    const folder = folderWith({ 'a.js': 'wait(9);', 'gone/b.js': 'wait(9);', 'c.js': 'wait(9);' });
    const found = filesOf(['.'], { cwd: folder.path });
    rmSync(join(folder.path, 'gone'), { recursive: true });
    const { problems, notices } = await scanFiles(found, options);
    deepStrictEqual(
      problems.map((it) => relative(folder.path, it.path)),
      ['a.js', 'c.js'],
    );
    deepStrictEqual(
      notices.map((it) => it.message),
      ['cannot be read (ENOENT)'],
    );
  });

  it('may take away the folder in which it is asked', async function () {
    // Windows keeps a folder that somebody is in.
    if (isWindows) this.skip();
    const { path } = folderWith({ 'a.js': 'wait(9);' });
    const command = `rm -r "${path}"; "${process.execPath}" "${cli.entry}"`;
    const { code, stderr } = await ended(spawn('sh', ['-c', command], { cwd: path }));
    deepStrictEqual(
      [code, stderr],
      [2, 'deadtime: The current folder no longer exists. Change into one that exists.\n'],
    );
  });

  it('may have pipes and devices by the names of code: nobody waits for them', async function () {
    if (isWindows) this.skip();
    const folder = folderWith({ 'a.js': 'wait(9);' });
    execFileSync('mkfifo', [join(folder.path, 'pipe.js')]);
    symlinkSync('/dev/zero', join(folder.path, 'zero.js'));
    deepStrictEqual((await scanFiles(filesOf(['.'], { cwd: folder.path }), options)).notices, []);
    const { stderr, stdout } = await cli.run(['pipe.js', 'zero.js', 'a.js', '-f', 'compact'], {
      cwd: folder.path,
    });
    strictEqual(stdout, 'a.js:1:1: warning no-wait: Waits 9 ms.\n');
    strictEqual(
      stderr,
      'deadtime: pipe.js: is no regular file\ndeadtime: zero.js: is no regular file\n',
    );
  });

  it('may have pipes by the names of what stands beside code: nobody waits for them', async function () {
    if (isWindows) this.skip();
    const folder = folderWith({ 'a.js': "import './b.js';\nwait(9);", 'b.js': '' });
    const names = ['.gitignore', '.deadtimeignore', 'deadtime.config.json', 'package.json'];
    execFileSync(
      'mkfifo',
      names.map((it) => join(folder.path, it)),
    );
    strictEqual(isFoundBelow(folder.path, join(folder.path, 'a.js'), []), true);
    const found = filesOf(['.'], { cwd: folder.path });
    strictEqual((await scanFiles(found, options)).problems.length, 1);
    // The second finds what the first has kept.
    for (const args of [['.'], ['.'], ['a.js']]) {
      const { stdout } = await cli.run([...args, '-f', 'compact'], { cwd: folder.path });
      strictEqual(stdout, 'a.js:2:1: warning no-wait: Waits 9 ms.\n');
    }
  });

  it('may have files without an end, and longer ones than anybody writes: they are not read', async function () {
    const { path } = folderWith({ 'long.js': Buffer.alloc(20_000_001, '\n'), 'a.js': 'wait(9);' });
    const why: Record<string, string> = { 'long.js': 'is larger than 20 MB' };
    if (!isWindows) {
      const links = { 'zero.js': '/dev/zero', 'maps.js': '/proc/self/maps', 'in.js': 'pipe' };
      execFileSync('mkfifo', [join(path, 'pipe')]);
      for (const [name, target] of Object.entries(links)) symlinkSync(target, join(path, name));
      Object.assign(why, { 'zero.js': 'is no regular file', 'in.js': 'is no regular file' });
      if (existsSync('/proc/self/maps')) why['maps.js'] = 'does not report its size';
    }
    for (const [name, reason] of Object.entries(why)) {
      strictEqual(disk.read(join(path, name)), undefined);
      const { read } = observer(Date.now());
      for (const reading of [readingOf(join(path, name)), readingOf(join(path, name), read)])
        deepStrictEqual(reading, { reason: 'unreadable', message: reason });
    }
    const { problems, notices } = await scanFiles(filesOf(['.'], { cwd: path }), options);
    deepStrictEqual(
      [problems.length, notices.map((it) => it.message)],
      [1, ['is larger than 20 MB']],
    );
  });

  it('may have any name for a file', async function () {
    if (isWindows) this.skip();
    const names = ['__proto__.js', 'constructor.js', 'a\n"b" \'c\'.js', '-f.js', 'ü😀.js', 'A.JS'];
    const folder = folderWith(Object.fromEntries(names.map((it) => [it, 'wait(9);'])));
    // Not UTF-8: no name that Node.js can ask for.
    execFileSync('sh', ['-c', 'printf "wait(9);" > "$(printf "bad\\377.js")"'], {
      cwd: folder.path,
    });
    const { code, stdout, stderr } = await cli.run(['-f', 'json'], { cwd: folder.path });
    const { findings } = JSON.parse(stdout) as { findings: readonly { readonly file: string }[] };
    deepStrictEqual([code, new Set(findings.map((it) => it.file))], [0, new Set(names)]);
    match(stderr, /^deadtime: bad.*\.js: cannot be read \(E\w+\)\n$/);
  });

  it('may have bytes in a file that are no text: what stands around them is found', async () => {
    const code = Buffer.from(`const a = '?';\nwait(9);\n// ${'long '.repeat(50)}\n`);
    code[code.indexOf('?')] = 0xff;
    const { path } = folderWith({});
    writeFileSync(join(path, 'a.js'), code);
    const { stdout, stderr } = await cli.run(['-f', 'compact'], { cwd: path });
    deepStrictEqual([stdout, stderr], ['a.js:2:1: warning no-wait: Waits 9 ms.\n', '']);
  });

  it('may be full: nothing is left half-written, and that is said', async function () {
    if (!existsSync('/dev/full')) this.skip();
    const { path } = folderWith({ 'a.js': 'wait(9);' });
    const toFile = await cli.run(['-f', 'json:/dev/full'], { cwd: path });
    strictEqual(toFile.code, 2);
    match(toFile.stderr, /^deadtime: Cannot write \/dev\/full: ENOSPC/);
    const command = `"${process.execPath}" "${cli.entry}" -f json > /dev/full`;
    const { code, stderr } = await ended(spawn('sh', ['-c', command], { cwd: path }));
    deepStrictEqual(
      [code, stderr.split(':', 3).join(':')],
      [2, 'deadtime: Cannot write to standard output: ENOSPC'],
    );
  });

  it('may take no more of a cache: what was kept is as it was, and that is said', async function () {
    // The limit is the shell's.
    if (isWindows) this.skip();
    const { cwd, write, at, run } = withCache();
    await run();
    write({ 'd.js': 'wait(5);' });
    const kept = () => readdirSync(at).map((it) => [it, readFileSync(join(at, it), 'utf8')]);
    const before = kept();
    const command = `ulimit -f 1; exec "${process.execPath}" "${cli.entry}" -f compact --cache-location "${at}"`;
    const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' });
    match(stdout, /^d\.js:1:1: warning no-wait/m);
    match(
      stderr,
      /^deadtime: cannot write the cache, so the next run scans all files again: EFBIG: .*\n$/,
    );
    deepStrictEqual(kept(), before);
    match((await run()).stderr, /^3 of 4 files from the cache$/m);
  });

  it('may let nobody write a cache: it is read', async function () {
    // The superuser may write everything.
    if (isWindows || process.getuid?.() === 0) this.skip();
    const { at, run } = withCache();
    const first = await run();
    chmodSync(at, 0o555);
    const second = await run();
    chmodSync(at, 0o755);
    strictEqual(second.stdout, first.stdout);
    match(second.stderr, /^3 of 3 files from the cache$/m);
  });

  const withCache = () => {
    const { path: cwd, write } = folderWith({
      'a.js': 'wait(9);',
      'b.js': 'wait(7);\n',
      'c.js': 'run();',
    });
    const at = join(folderWith({}).path, 'kept');
    return { cwd, write, at, run: () => cli.run(['--timing', '--cache-location', at], { cwd }) };
  };

  it('may have no reader for what is said beside the report', async () => {
    const { path } = folderWith({ 'a.js': 'wait(9);', 'half.js': 'wait(9' });
    const child = spawn(process.execPath, [cli.entry, '-f', 'compact'], { cwd: path });
    child.stderr.destroy();
    const { code, stdout } = await ended(child);
    deepStrictEqual([code, stdout], [0, 'a.js:1:1: warning no-wait: Waits 9 ms.\n']);
  });

  it('holds a whole report, or none, whenever somebody interrupts', async function () {
    if (isWindows) this.skip();
    const names = Array.from({ length: 40 }, (_, i) => [`b${i}.js`, 'wait(9);\n'.repeat(500)]);
    const { path } = folderWith(Object.fromEntries(names) as Record<string, string>);
    const report = join(path, 'report.json');
    for (const delayMs of [0, 50, 100, 150, 200, 300, 400, 600]) {
      rmSync(report, { force: true });
      const child = spawn(process.execPath, [cli.entry, '-f', 'json:report.json'], { cwd: path });
      setTimeout(() => child.kill('SIGINT'), delayMs);
      const { code, signal } = await ended(child);
      // Before there is anybody to listen, Node.js goes as any program does.
      ok(code === 130 || code === 0 || signal === 'SIGINT', `${code} ${signal}`);
      if (existsSync(report)) JSON.parse(readFileSync(report, 'utf8'));
      if (code === 0) ok(existsSync(report));
    }
  });
});

function ended(child: ReturnType<typeof spawn>) {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (it: string) => (stdout += it));
  child.stderr?.setEncoding('utf8').on('data', (it: string) => (stderr += it));
  return new Promise<{
    readonly code: number | null;
    readonly signal: string | null;
    readonly stdout: string;
    readonly stderr: string;
  }>((done) => child.on('close', (code, signal) => done({ code, signal, stdout, stderr })));
}
