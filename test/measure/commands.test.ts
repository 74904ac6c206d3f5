import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MachineProfile, PoolSize, PoolTest } from '../../src/proof/measure/results.ts';
import { fakeCli, type FakeCli } from '../fakes/cli.ts';
import { folderWith } from '../fakes/folder.ts';

const smallest = ['pool-size', '--users', '4', '--query-ms', '20', '--think-ms', '20'];

describe('measuring commands', function () {
  this.timeout(60_000);
  let cli: FakeCli;
  before(async () => (cli = await fakeCli()));
  after(() => cli.remove());

  it('deadtime profile writes its file, and writes it again', async () => {
    const { path: cwd } = folderWith({});
    const first = await cli.run(['profile'], { cwd });
    deepStrictEqual(
      [first.code, first.stderr],
      [0, 'deadtime: written to deadtime.profile.json\n'],
    );
    match(first.stdout, /^Measured {2}PostgreSQL 18\.4 \(embedded\); /);
    match(first.stdout, /^Round trip .* sequential queries: at most [\d.,]+ per second$/m);
    const { code, stdout } = await cli.run(['profile', '--json'], { cwd });
    const file = readFileSync(join(cwd, 'deadtime.profile.json'), 'utf8');
    deepStrictEqual([code, stdout], [0, file]);
    const { writtenBy, database } = JSON.parse(file) as MachineProfile;
    match(writtenBy, /^deadtime profile \d+\.\d+\.\d+/);
    strictEqual(database?.origin, 'embedded');
  });

  it('deadtime profile replaces no other file', async () => {
    const { path: cwd } = folderWith({ 'package.json': '{}' });
    deepStrictEqual(await cli.run(['profile', '--output', 'package.json'], { cwd }), {
      ...{ code: 2, stdout: '' },
      stderr: 'deadtime: package.json exists and is no profile: name another file by --output.\n',
    });
  });

  it('deadtime profile writes nothing when the server does not answer', async () => {
    const { path: cwd } = folderWith({});
    const url = 'postgres://me:secret@127.0.0.1:1/shop';
    const { code, stdout, stderr } = await cli.run(['profile', '--database-url', url], { cwd });
    deepStrictEqual([code, stdout], [1, '']);
    match(stderr, /^deadtime: postgres:\/\/me:\*\*\*@127\.0\.0\.1:1\/shop does not answer: .+\n$/);
    strictEqual(existsSync(join(cwd, 'deadtime.profile.json')), false);
  });

  it('deadtime prove says that a profile is broken, before it runs anything', async () => {
    const { path: cwd } = folderWith({
      'a.js': 'wait(6);\n',
      'deadtime.profile.json': '{ "format": 7 }',
    });
    const { code, stderr } = await cli.run(['prove', 'a.js:1'], { cwd });
    strictEqual(code, 2);
    match(
      stderr,
      /deadtime\.profile\.json is not a profile of this version: run deadtime profile /,
    );
  });

  it('deadtime pool-size answers, and tests four sizes', async () => {
    const { path: cwd } = folderWith({});
    const { code, stdout, stderr } = await cli.run(smallest, { cwd });
    deepStrictEqual([code, stderr], [0, '']);
    match(stdout, /^A pool of 2\.\n {2}Demand +4 users, queries of 20 ms, /);
    match(stdout, /^Simulated {2}PostgreSQL 18\.4 \(embedded\); /m);
    match(stdout, /^ {2}1 +\d+ .*\n {2}2 +\d+ .*\n {2}3 +\d+ .*\n {2}4 +\d+ /m);
  });

  it('deadtime pool-size prints JSON for other programs', async () => {
    const { path: cwd } = folderWith({});
    const args = ['--users', '9', '--query-ms', '1', '--think-ms', '0', '--json'];
    const { code, stdout } = await cli.run(['pool-size', ...args], { cwd });
    const { size, test } = JSON.parse(stdout) as PoolSize & { readonly test: PoolTest };
    deepStrictEqual([code, size, test.state], [0, 9, 'not-run']);
  });

  it('deadtime pool-size refuses what is no size', async () => {
    const { path: cwd } = folderWith({});
    const refused = async (...args: readonly string[]) => {
      const { code, stderr } = await cli.run(['pool-size', ...args], { cwd });
      return `${code} ${stderr.split('\n')[0]}`;
    };
    deepStrictEqual(
      [
        await refused('--query-ms', '5'),
        await refused('--users', '-3', '--query-ms', '5'),
        await refused('--users', '3', '--query-ms', '0'),
        await refused('--users', '3', '--query-ms', 'fast'),
        await refused('--users', '3', '--query-ms', '5', '--workers', '1.5'),
      ],
      [
        "2 deadtime: Required option '--users <n>' not specified",
        "2 deadtime: Option '--users <n>' argument '-3' is invalid. It is a number from 0 to 10000000.",
        "2 deadtime: Option '--query-ms <ms>' argument '0' is invalid. It is a number above 0.",
        "2 deadtime: Option '--query-ms <ms>' argument 'fast' is invalid. It is a number from 0 to 10000000.",
        "2 deadtime: Option '--workers <n>' argument '1.5' is invalid. It is a whole number from 1 on.",
      ],
    );
  });

  it('deadtime pool-size ends on Ctrl-C', async () => {
    const child = spawn(process.execPath, [cli.entry, ...smallest], {
      cwd: folderWith({}).path,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];
    strictEqual(code, 130);
    ok(stdout.endsWith('Cancelled.\n'));
  });
});
