import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { folderWith } from '../fakes/folder.ts';

describe('npm run dev', function () {
  this.timeout(60_000);
  let child: ChildProcess | undefined;
  after(() => {
    if (child?.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGINT');
  });

  /** Of a machine where `code` is this script. */
  function environmentWith(script: string): NodeJS.ProcessEnv {
    const { path } = folderWith({ code: `#!/bin/sh\n${script}\n` });
    chmodSync(join(path, 'code'), 0o755);
    return { ...process.env, PATH: `${path}${delimiter}${process.env['PATH'] ?? ''}` };
  }

  it('builds the extension for the VS Code of the machine, and opens it there', () => {
    const { path } = folderWith({});
    const seen = join(path, 'seen');
    const main = 'extension/dist/extension.cjs';
    rmSync(main, { force: true });
    const env = environmentWith(`[ "$1" = --version ] || { echo "$@"; ls ${main}; } > "${seen}"`);
    const { status, stderr } = spawnSync('npm', ['run', 'dev'], { env, encoding: 'utf8' });
    strictEqual(status, 0, stderr);
    deepStrictEqual(readFileSync(seen, 'utf8').split('\n'), [
      '--new-window --extensionDevelopmentPath=extension fixtures/editor/shop',
      main,
      '',
    ]);
  });

  it('serves one with the extension installed where the machine has none, and ends it', async () => {
    child = spawn('npm', ['run', 'dev'], {
      ...{ detached: true, env: environmentWith('exit 1') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let address: URL | undefined;
    for await (const line of createInterface(child.stdout!)) {
      if (!line.startsWith('http:')) continue;
      address = new URL(line);
      break;
    }
    ok(address);
    strictEqual(address.hostname, '127.0.0.1');
    const page = await fetch(address);
    match(await page.text(), /workbench/);
    const folder = address.searchParams.get('folder')!;
    const installed = readdirSync(join(dirname(folder), 'extensions'));
    ok(installed.some((it) => it.startsWith('deadtime.deadtime-vscode-')));
    const exit = once(child, 'exit');
    process.kill(-child.pid!, 'SIGINT');
    await exit;
    strictEqual(existsSync(folder), false);
  });
});
