import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import type { TextResult } from '../../server/protocol.ts';
import { cliBuild } from '../../scripts/build.ts';
import { connected } from '../fakes/editor.ts';
import { folderWith } from '../fakes/folder.ts';

const text = `import Redis from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';

const redis = new Redis();

export async function work() {
  while (true) {
    const order = await redis.lpop('orders');
    if (order) await redis.publish('shipped', order);
    await sleep(20);
  }
}
`;

describe('deadtime lsp', function () {
  this.timeout(60_000);
  let root: string;
  const started: ChildProcess[] = [];

  before(async () => {
    // Below node_modules, so that the bundle finds its dependencies.
    mkdirSync('node_modules/.cache', { recursive: true });
    root = resolve(mkdtempSync('node_modules/.cache/deadtime-'));
    await build({ ...cliBuild(), outdir: join(root, 'dist') });
    for (const name of ['package.json', 'rules']) symlinkSync(resolve(name), join(root, name));
  });
  after(() => {
    for (const it of started) it.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  });

  function start(...args: readonly string[]) {
    const child = spawn(process.execPath, [join(root, 'dist', 'cli.js'), 'lsp', ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    started.push(child);
    return child;
  }

  it('serves an editor over stdio, with the analysis in a thread, and ends when its input does', async () => {
    const folder = folderWith({ 'package.json': '{}' });
    const child = start('--stdio', '--clientProcessId', String(process.pid));
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    const editor = await connected(connection, { folders: [folder.path] });
    const uri = pathToFileURL(join(folder.path, 'worker.ts')).href;
    await editor.open(uri, text);
    const [item] = await editor.itemsOf(uri);
    strictEqual(item?.code, 'no-hot-path-sleep');
    const page = await connection.sendRequest<TextResult>('deadtime/rulePage', {
      ruleId: 'no-hot-path-sleep',
    });
    match(page.text, /^<!-- Written by/);
    const exit = once(child, 'exit');
    connection.end();
    child.stdin.end();
    // It was not told to shut down before.
    deepStrictEqual(await exit, [1, null]);
    connection.dispose();
  });

  it('ends when the editor has gone without a word', async function () {
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    const child = start('--stdio', `--clientProcessId=${gone.pid}`);
    deepStrictEqual(await once(child, 'exit'), [1, null]);
  });

  it('says what it needs', async () => {
    const child = start();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (it: string) => (stderr += it));
    deepStrictEqual(await once(child, 'close'), [2, null]);
    match(stderr, /required option '--stdio' not specified/);
  });
});
