import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Comparison } from '../../src/runtime/comparison.ts';
import type { Recording } from '../../src/runtime/recording.ts';
import { builtCli } from '../fakes/built-cli.ts';
import { type Folder, folderWith } from '../fakes/folder.ts';
import { recordingOf, runIn } from './measured-program.ts';

/** Writes its port into a file, and ends on SIGTERM, or by itself after so many requests of its own. */
const server = `import { writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { sleep } from './sleep.js';

const app = createServer(async (request, response) => {
  await sleep(request.url === '/slow' ? 200 : 1);
  response.end();
});
const [requests = '0', code = '0', port = '0'] = process.argv.slice(2);
app.listen(Number(port), '127.0.0.1', async () => {
  const { port } = app.address();
  writeFileSync('port.txt', String(port));
  for (let i = 0; i < Number(requests); i++) {
    await new Promise((done) => get({ port, path: i === 0 ? '/slow' : '/fast', agent: false }, (it) => it.resume().on('end', done)));
  }
  if (Number(requests) > 0) process.exit(Number(code));
});
`;

const sleep = `export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
`;

/** Sends three requests once the program has its port. */
const script = `import { existsSync, readFileSync } from 'node:fs';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
while (!existsSync('port.txt') || readFileSync('port.txt', 'utf8') === '') await wait(20);
const port = readFileSync('port.txt', 'utf8');
for (let i = 0; i < 3; i++) await (await fetch('http://127.0.0.1:' + port + '/fast')).text();
process.exitCode = Number(process.env.SCRIPT_CODE ?? 0);
`;

/** With the options and the output of autocannon; it sends five requests. */
const autocannon = `
const { writeFileSync } = require('node:fs');
const url = process.argv.at(-1);
writeFileSync('sent.json', JSON.stringify(process.argv.slice(2, -1)));
(async () => {
  for (let i = 0; i < 5; i++) await (await fetch(url)).text();
  if (process.env.FAILS) throw new Error('broken');
  console.log(JSON.stringify({ requests: { total: 5 }, errors: 0, timeouts: 0, non2xx: 2 }));
})();
`;

describe('an option of deadtime run', function () {
  this.timeout(240_000);
  let cli: string;
  let project: Folder;
  let port: number;
  before(async () => {
    port = await freePort();
    cli = await builtCli();
    project = folderWith({
      ...{ 'server.js': server, 'sleep.js': sleep, 'load.js': script },
      'package.json': '{ "name": "shop", "type": "module" }',
    });
  });

  const run = (options: readonly string[], args: readonly string[] = [], env = {}) => {
    rmSync(join(project.path, 'port.txt'), { force: true });
    const command = [process.execPath, 'server.js', ...args];
    return runIn(project.path, [cli, 'run', ...options, '--', ...command], env);
  };
  const recorded = () =>
    recordingOf<Recording & { readonly comparison?: Comparison }>(project.path);
  const countOf = (name: string) => recorded().entries.find((it) => it.name === name)?.count;

  describe('--compare', () => {
    it('adds what changed to the table and to the recording', () => {
      strictEqual(run([], ['50']).status, 0);
      strictEqual(recorded().comparison, undefined);
      copyFileSync(join(project.path, '.deadtime', 'run.json'), join(project.path, 'before.json'));
      const { status, stderr } = run(['--compare', 'before.json'], ['40']);
      strictEqual(status, 0, stderr);
      match(stderr, /Compared with before\.json: .*node server\.js/);
      match(stderr, /GET \/fast {3}49 → 39 requests/);
      const { comparison } = recorded();
      deepStrictEqual(comparison?.entries.map(({ name, count }) => [name, count]).sort(), [
        ['GET /fast', { before: 49, after: 39 }],
        ['GET /slow', { before: 1, after: 1 }],
      ]);
      deepStrictEqual(
        comparison.entries.find((it) => it.name === 'GET /slow')?.dead.verdict,
        'too few',
      );
    });

    it('reads the earlier recording before its own replaces it', () => {
      strictEqual(run([], ['5']).status, 0);
      const { stderr } = run(['--compare', '.deadtime/run.json'], ['9']);
      match(stderr, /GET \/fast {3}4 → 8 requests/);
    });

    it('refuses what is no recording before the program runs', () => {
      for (const name of ['nowhere.json', 'package.json']) {
        const { status, stderr } = run(['--compare', name], ['5']);
        deepStrictEqual([status, stderr.includes(name)], [2, true], stderr);
        ok(!existsSync(join(project.path, 'port.txt')));
      }
    });
  });

  describe('--fail-on-cost', () => {
    it('fails where a kind of entry has more dead time each, and names its line', () => {
      const { status, stderr } = run(['--fail-on-cost', '100ms'], ['3']);
      strictEqual(status, 1, stderr);
      match(
        stderr,
        /deadtime: GET \/slow has .* of dead time per request, more than 100 ms; most of it at server\.js:6/,
      );
      ok(!/GET \/fast has/.test(stderr));
    });

    it('does not fail below, and leaves its own code to a program that fails', () => {
      strictEqual(run(['--fail-on-cost', '100s'], ['3']).status, 0);
      const { status, stderr } = run(['--fail-on-cost', '100ms'], ['3', '7']);
      deepStrictEqual([status, stderr.includes('GET /slow has')], [7, true]);
    });

    it('does not pass where nothing was measured', () => {
      const { status, stderr } = run(['--for', '1s', '--fail-on-cost', '1s']);
      deepStrictEqual([status, stderr.includes('nothing to judge')], [1, true], stderr);
    });
  });

  describe('--html', () => {
    it('writes a page next to the recording', () => {
      const { status, stderr } = run(['--html', 'run.html'], ['3']);
      strictEqual(status, 0, stderr);
      const page = readFileSync(join(project.path, 'run.html'), 'utf8');
      match(page, /GET \/slow[\s\S]*GET \/fast/);
    });

    it('names a folder that is missing before the program runs', () => {
      const { status, stderr } = run(['--html', 'nowhere/run.html'], ['3']);
      deepStrictEqual([status, stderr.includes('there is no folder')], [2, true], stderr);
      ok(!existsSync(join(project.path, 'port.txt')));
    });
  });

  describe('--load-script', () => {
    it('runs alongside the program, which ends when it does', () => {
      const { status, stderr } = run(['--load-script', 'load.js']);
      strictEqual(status, 0, stderr);
      strictEqual(countOf('GET /fast'), 3);
      // `fetch` uses its connections again.
      ok(recordingOf(project.path).clients!.between.count > 0);
    });

    it('fails where the script does, after the table', () => {
      const { status, stderr } = run(['--load-script', 'load.js'], [], { SCRIPT_CODE: '4' });
      strictEqual(status, 2, stderr);
      match(
        stderr,
        /GET \/fast {3}3 requests[\s\S]*The load failed: load\.js ended with exit code 4\./,
      );
    });
  });

  describe('--load', () => {
    const address = (its: number) => `http://127.0.0.1:${its}/fast`;

    it('names what to install where autocannon is not, before the program runs', () => {
      const { status, stderr } = run(['--load', address(1)]);
      deepStrictEqual([status, stderr.includes('npm install --save-dev autocannon')], [2, true]);
      ok(!existsSync(join(project.path, 'port.txt')));
    });

    it('sends requests from the first answer on, and ends the program after them', () => {
      project.write({
        'node_modules/autocannon/package.json': '{ "name": "autocannon", "main": "main.cjs" }',
        'node_modules/autocannon/main.cjs': autocannon,
      });
      const options = ['--load', address(port), '--load-connections', '3', '--for', '2s'];
      const { status, stderr } = run(options, ['0', '0', String(port)]);
      strictEqual(status, 0, stderr);
      // The first answer is that of a request of Deadtime.
      strictEqual(countOf('GET /fast'), 6);
      match(stderr, /3 connections sent 5 requests in 2 s; 2 answers had a status other than 2xx/);
      deepStrictEqual(JSON.parse(readFileSync(join(project.path, 'sent.json'), 'utf8')), [
        ...['--connections', '3', '--duration', '2', '--no-progress', '--json'],
      ]);
    });

    it('fails where autocannon does, and where the program ends before it answers', () => {
      const options = ['--load', address(port)];
      const broken = run(options, ['0', '0', String(port)], { FAILS: '1' });
      deepStrictEqual(
        [broken.status, broken.stderr.includes('The load failed: autocannon')],
        [2, true],
      );
      const gone = run(['--load', address(1)], ['1']);
      deepStrictEqual(
        [gone.status, gone.stderr.includes('the program ended before the load began')],
        [2, true],
        gone.stderr,
      );
    });
  });
});

/** On which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
