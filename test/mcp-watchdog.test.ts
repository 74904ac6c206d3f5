import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fakeCli, type FakeCli } from './fakes/cli.ts';
import { folderWith } from './fakes/folder.ts';

describe('deadtime mcp, at a file that hangs', function () {
  this.timeout(180_000);
  let cli: FakeCli;
  const files = { '.git/HEAD': '', 'good.js': 'wait(9);', 'bad/bad.js': 'hang();' };

  const started: ChildProcess[] = [];

  before(async () => (cli = await fakeCli()));
  after(() => {
    for (const it of started) it.kill('SIGKILL');
    cli.remove();
  });

  it('names it after a while, and answers other calls meanwhile and afterwards', async () => {
    const client = new Client({ name: 'a test', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({
        ...{ command: process.execPath, args: [cli.entry, 'mcp'], stderr: 'ignore' },
        cwd: folderWith(files).path,
      }),
    );
    const call = async (
      name: string,
      parameters: Record<string, unknown>,
      signal?: AbortSignal,
    ) => {
      const result = await client.callTool(
        { name, arguments: parameters },
        signal === undefined ? {} : { signal },
      );
      const [content] = result.content;
      return [result.isError ?? false, content?.type === 'text' ? content.text : ''] as const;
    };
    let isAnswered = false;
    const hanging = call('check_code', { paths: ['bad'] }).finally(() => (isAnswered = true));
    const controller = new AbortController();
    const cancelled = call('explain_finding', { id: 'bad/bad.js:1' }, controller.signal);

    const [isError, text] = await call('check_code', { paths: ['good.js'] });
    deepStrictEqual([isError, text.split('\n')[0]], [false, 'deadtime: 1 finding']);
    strictEqual((await call('explain_finding', { id: 'good.js:1' }))[0], false);
    controller.abort();
    await rejects(cancelled);
    ok(!isAnswered);

    deepStrictEqual(await hanging, [
      true,
      'bad/bad.js took longer than 20 s: the call has no result. Name other paths, or add this one to .deadtimeignore.',
    ]);
    strictEqual((await call('check_code', { paths: ['good.js'] }))[0], false);
    await client.close();
  });

  for (const [how, end, code] of [
    ['when its client has gone', (it: ChildProcess) => it.stdin!.end(), 0],
    ['at SIGTERM', (it: ChildProcess) => it.kill('SIGTERM'), 0],
    ['at SIGINT', (it: ChildProcess) => it.kill('SIGINT'), 130],
  ] as const) {
    it(`ends ${how}`, async () => {
      const child = spawn(process.execPath, [cli.entry, 'mcp'], {
        cwd: folderWith(files).path,
        stdio: ['pipe', 'ignore', 'pipe'],
      });
      started.push(child);
      const ended = once(child, 'exit');
      const send = (message: object) =>
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      const clientInfo = { name: 'a test', version: '1' };
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
      send({ id: 1, method: 'initialize', params });
      send({ method: 'notifications/initialized' });
      const paths = { paths: [join('bad', 'bad.js')] };
      send({ id: 2, method: 'tools/call', params: { name: 'check_code', arguments: paths } });
      // The rule has said that it hangs.
      await once(child.stderr, 'data');
      end(child);
      deepStrictEqual(await ended, [code, null]);
    });
  }
});
