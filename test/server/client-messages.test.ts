import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import {
  type Message,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { createConnection } from 'vscode-languageserver/node';
import { clientMessages } from '../../server/client-messages.ts';
import { serve } from '../../server/serve.ts';
import { builtCli } from '../fakes/built-cli.ts';
import { inThisThread } from '../fakes/editor.ts';

interface Answer {
  readonly id?: number | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A server that is written to byte by byte. */
function server() {
  const [up, down] = [new PassThrough(), new PassThrough()];
  const ends: string[] = [];
  const writer = new StreamMessageWriter(down);
  const reader = clientMessages(up, {
    writer,
    onBroken: (reason) => ends.push(reason),
    onEnd: ({ isShutDown }) => ends.push(isShutDown ? 'after shutdown' : 'without shutdown'),
  });
  serve(createConnection(reader, writer), {
    ...{ version: '0.0.0', program: [], storagePath: '/nowhere', start: inThisThread },
    ...{ pageOf: () => undefined, pageUrlOf: () => '' },
  });
  const answers: Answer[] = [];
  let arrived = () => {};
  new StreamMessageReader(down).listen((message: Message) => {
    // What the server says by itself is nothing here.
    if ('method' in message) return;
    answers.push(message as Answer);
    arrived();
  });
  const write = (body: string) =>
    up.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  let id = 0;
  return {
    ...{ up, ends, write },
    send: (method: string, params: unknown = null) =>
      write(JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })),
    notify: (method: string) => write(JSON.stringify({ jsonrpc: '2.0', method, params: {} })),
    /** As `id code message`, or `id result`. */
    async answered(count: number) {
      while (answers.length < count) await new Promise<void>((resolve) => (arrived = resolve));
      return answers.map(({ id, error }) =>
        error ? `${id} ${error.code} ${error.message}` : `${id} result`,
      );
    },
  };
}

const introduction = { processId: null, rootUri: null, capabilities: {} };

describe('messages of a client', () => {
  it('are answered in every order, and the first introduction holds', async () => {
    const it = server();
    it.notify('textDocument/didOpen');
    it.send('textDocument/hover');
    it.send('initialize', introduction);
    it.notify('initialized');
    it.send('initialize', introduction);
    it.send('deadtime/nothing');
    it.send('deadtime/findings', { uri: 'file:///a.ts' });
    await it.answered(5);
    it.send('shutdown');
    await it.answered(6);
    it.send('deadtime/findings', { uri: 'file:///a.ts' });
    deepStrictEqual((await it.answered(7)).toSorted(), [
      '1 -32002 Send initialize first.',
      '2 result',
      '3 -32600 initialize was sent before.',
      '4 -32601 Unhandled method deadtime/nothing',
      '5 result',
      '6 result',
      '7 -32600 The server is shutting down.',
    ]);
    it.up.end();
    await once(it.up, 'close');
    strictEqual(it.ends[0], 'after shutdown');
  });

  it('are refused one by one where they are no JSON, or say nothing', async () => {
    const it = server();
    it.write('{');
    it.write('');
    for (const body of ['7', 'null', '[]', '{}', '{"id":1}', '{"method":1}']) it.write(body);
    it.send('initialize', introduction);
    deepStrictEqual(await it.answered(9), [
      ...Array.from({ length: 2 }, () => 'null -32700 The message is not JSON.'),
      ...Array.from(
        { length: 6 },
        () => 'null -32600 The message is neither a request, nor a notification, nor a response.',
      ),
      '1 result',
    ]);
  });

  it('are put together of whatever pieces they come in', async () => {
    const it = server();
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: introduction,
    });
    const more = '{"jsonrpc":"2.0","id":2,"method":"é","params":{}}';
    const frames = [body, more].map(
      (text) => `content-length:${Buffer.byteLength(text)}\r\nContent-Type: x\r\n\r\n${text}`,
    );
    for (const byte of Buffer.from(frames.join(''))) it.up.write(Buffer.of(byte));
    deepStrictEqual(await it.answered(2), ['1 result', '2 -32601 Unhandled method é']);
  });

  for (const header of [
    'Content-Length: abc',
    'Content-Length: -5',
    'Content-Length: 1e12',
    'Content-Length: 1000000000000',
    'Content-Length: 12 34',
    'Content-Length:',
    'Length: 5',
    'nothing',
  ]) {
    it(`end where a header is ${JSON.stringify(header)}`, async () => {
      const it = server();
      it.up.write(`${header}\r\n\r\n{}`);
      it.send('initialize', introduction);
      await new Promise(setImmediate);
      strictEqual(it.ends.length, 1);
      match(it.ends[0]!, /^the header of a message is ".*": it has no Content-Length from 0 to /);
    });
  }

  it('end where no header comes', async () => {
    const it = server();
    it.up.write('x'.repeat(10_000));
    await new Promise(setImmediate);
    deepStrictEqual(it.ends, ['a message starts without a header']);
  });

  it('end the process with a word', async function () {
    this.timeout(60_000);
    const child = spawn(process.execPath, [await builtCli(), 'lsp', '--stdio']);
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.stdin.write('Content-Length: -5\r\n\r\n{}');
    deepStrictEqual(await once(child, 'close'), [1, null]);
    match(
      stderr,
      /^deadtime lsp: the header of a message is "Content-Length: -5": .* The server ends\.\n$/,
    );
  });
});
