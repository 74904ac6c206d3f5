import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeCli, type FakeCli } from './fakes/cli.ts';
import { folderWith } from './fakes/folder.ts';
import { freePort, isListening, untilClosed, untilListening } from './fakes/ports.ts';

// `no-wait` has a benchmark that sleeps, and for waits of 7 ms one that only counts.
const files = { 'a.js': 'run();\n\nwait(6);\nwait(7);\n', 'clean.js': 'run();\n' };

describe('deadtime prove', function () {
  this.timeout(60_000);
  let cli: FakeCli;
  before(async () => (cli = await fakeCli()));
  after(() => cli.remove());

  const run = (...args: readonly string[]) =>
    cli.run(['prove', ...args], { cwd: folderWith(files).path });

  it('proves the finding at a place, with the values of its code', async () => {
    const { code, stdout, stderr } = await run('a.js:3');
    deepStrictEqual([code, stderr], [0, '']);
    match(stdout, /^a\.js:3 {2}Waits 6 ms\.\nno-wait\/sleeps {2}A case that sleeps\n/);
    match(stdout, /^ +Parameters +sleepMs 6 ms \(from the code\), how long it sleeps$/m);
    match(stdout, /^ +Counted +1 sleeps per iteration$/m);
    match(stdout, /^ +Repeat +npx deadtime prove a\.js:3$/m);
    match(stdout, /^ +Not shown +Anything real\.$/m);
  });

  it('says both outcomes where there is nothing to time', async () => {
    const { code, stdout } = await run('a.js:4:2');
    strictEqual(code, 0);
    match(stdout, /^Before: request 51 failed; after: none failed\.$/m);
    match(stdout, /^ +Before +loses connections: request 51 failed$/m);
  });

  it('names the nearest findings where there is none', async () => {
    deepStrictEqual(await run('a.js:1'), {
      ...{ code: 2, stdout: '' },
      stderr:
        'deadtime: There is no finding at a.js:1. The nearest are:\n  a.js:3  no-wait\n  a.js:4  no-wait\n',
    });
    deepStrictEqual(await run('clean.js:1'), {
      ...{ code: 2, stdout: '' },
      stderr: 'deadtime: There is no finding at clean.js:1. The file has none.\n',
    });
  });

  it('refuses what it cannot run, before it runs anything', async () => {
    const refused = async (args: readonly string[], message: string) =>
      deepStrictEqual(await run(...args), {
        ...{ code: 2, stdout: '' },
        stderr: `deadtime: ${message}\n`,
      });
    await refused(['b.js:3'], 'No such file: b.js');
    await refused(
      ['--suite', '--all'],
      'The suite is fixed: --suite accepts only --json, --database-url and --yes.',
    );
    await refused(
      ['a.js'],
      'a.js needs a line: deadtime prove a.js:41. deadtime check a.js lists them.',
    );
    await refused(['no-wiat'], 'There is no rule "no-wiat". Did you mean no-wait?');
    match(
      (await run('no-wait/naps')).stderr,
      /^deadtime: no-wait has no benchmark "naps"\. It has /,
    );
    await refused(
      ['a.js:3', '--set', 'sleepMs=-1'],
      'sleepMs is a number from 0 to 10000 ms, not -1.',
    );
    await refused(
      ['a.js:3', '--set', 'pause=1'],
      'This benchmark has no parameter "pause". It has sleepMs, port.',
    );
    await refused(['a.js:3', '--set', 'sleepMs'], '--set takes name=value, not "sleepMs".');
    await refused(['a.js:3', '--all'], 'Name a target or --all, not both.');
    match(
      (await run('a.js:3', '--database-url', 'mysql:secret')).stderr,
      /^deadtime: --database-url: .* is no database that Deadtime supports; write postgres/,
    );
    match((await run()).stderr, /^deadtime: Name what to prove: /);
    match((await run('a.js:3', '--max-seconds', '0')).stderr, /a number of seconds from 1 to 3600/);
  });

  it('prints JSON that has the place, the samples and the command', async () => {
    const { code, stdout } = await run('a.js:4', '--json', '--max-seconds', '9');
    strictEqual(code, 0);
    const { version, results } = JSON.parse(stdout) as {
      version: number;
      results: readonly Record<string, unknown>[];
    };
    const [{ place, state, verdict, command } = {}] = results;
    deepStrictEqual(
      [version, results.length, place, state, verdict, command],
      [1, 1, 'a.js:4', 'completed', 'slower', 'npx deadtime prove a.js:4 --max-seconds 9'],
    );
  });

  it('keeps the password of a server out of what it prints', async () => {
    const url = 'postgres://me:secret@127.0.0.1:9/db';
    const { stdout } = await run('a.js:4', '--database-url', url);
    match(stdout, /--database-url '?postgres:\/\/me:\*\*\*@127\.0\.0\.1:9\/db/);
    doesNotMatch(stdout, /secret/);
  });

  it('writes a report, and says why it cannot', async () => {
    const folder = folderWith(files);
    const written = await cli.run(['prove', 'a.js:4', '--html', 'r.html'], { cwd: folder.path });
    strictEqual(written.code, 0);
    match(readFileSync(join(folder.path, 'r.html'), 'utf8'), /<!doctype html>[^]*Waits 7 ms\./);
    match(
      (await run('a.js:4', '--html', 'no/r.html')).stderr,
      /^deadtime: --html: there is no folder /,
    );
    match(
      (await run('a.js:4', '--html', '.')).stderr,
      /^deadtime: --html names a file, and \. is a folder/,
    );
    if (!existsSync('/dev/full')) return;
    const full = await run('a.js:4', '--html', '/dev/full');
    strictEqual(full.code, 2);
    match(full.stdout, /^Before: request 51 failed/m);
    match(full.stderr, /^deadtime: Cannot write [^ ]+: ENOSPC/);
  });

  it('exits with 1 when a benchmark fails, and says what to do', async () => {
    const { code, stdout } = await run('no-wait/lacks');
    strictEqual(code, 1);
    match(stdout, /^ +a ship: npm i ship$/m);
    const late = await run('no-wait/hangs', '--max-seconds', '1');
    strictEqual(late.code, 1);
    match(late.stdout, /--max-seconds 2 allows more time/);
  });

  it('finds no difference between the mended code and itself', async () => {
    const control = await run('no-wait/counts', '--control');
    strictEqual(control.code, 0);
    match(control.stdout, /^Control: the code after the fix ran on both sides/m);
    match(control.stdout, /^No difference seen: /m);
    strictEqual((await run('no-wait/counts', '--control', 'swapped')).code, 0);
  });

  it('ends on Ctrl-C with all that it started', async function () {
    // Windows has no signal for it.
    if (process.platform === 'win32') this.skip();
    const port = await freePort();
    const child = spawn(
      process.execPath,
      [cli.entry, 'prove', 'no-wait/serves', '--max-seconds', '60', '--set', `port=${port}`],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NO_COLOR: '1' } },
    );
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    await untilListening(port);
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];
    strictEqual(code, 130);
    match(stdout, /^Cancelled before there was a result\.$/m);
    await untilClosed(port);
    ok(!(await isListening(port)));
  });
});
