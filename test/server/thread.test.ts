import { deepStrictEqual, match, notStrictEqual, strictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cancellationSlots } from '../../server/analysis/answer-orders.ts';
import type { Envelope } from '../../server/analysis/messages.ts';
import type { Start } from '../../server/analysis/thread.ts';
import { type Analysis, notifications, requests, type TextResult } from '../../server/protocol.ts';
import { editorFor, inThisThread } from '../fakes/editor.ts';
import { folderWith } from '../fakes/folder.ts';
import { holdingThread } from '../fakes/holding-thread.ts';
import { worker as text } from '../fakes/worker.ts';

/** A thread that ends over its first `failures` analyses, as one does that runs out of memory. */
function endingThread(failures: number): { readonly start: Start; readonly count: () => number } {
  let left = failures;
  let started = 0;
  const start: Start = (options) => {
    started++;
    const { port, end } = inThisThread(options);
    const post = (message: unknown) => {
      const isLast = (message as Envelope).order.kind === 'analyse' && left-- > 0;
      if (!isLast) return port.post(message);
      end();
      const reason = 'needed more than 512 MB of memory';
      options.onEnd({ reason: 'memory', at: undefined, message: reason });
    };
    return { port: { ...port, post }, end };
  };
  return { start, count: () => started };
}

async function opened(start: Start) {
  const { path } = folderWith({ 'package.json': '{}' });
  const uri = pathToFileURL(join(path, 'worker.ts')).href;
  const editor = await editorFor({
    ...{ folders: [path], environment: { start } },
    options: { hasStatus: true },
  });
  await editor.open(uri, text);
  return { editor, uri };
}

describe('server thread', () => {
  it('starts anew when it has ended, and knows all texts again', async () => {
    const { start, count } = endingThread(1);
    const { editor, uri } = await opened(start);
    strictEqual((await editor.itemsOf(uri)).length, 1);
    strictEqual(count(), 2);
    const report = await editor.connection.sendRequest<TextResult>(requests.diagnosticsReport);
    match(
      report.text,
      /^the analysis has ended 1 times, the last time for this:\nA file needed more than 512 MB of memory$/m,
    );
  });

  it('leaves a text alone over which it has ended twice, until it changes', async () => {
    const { start, count } = endingThread(2);
    const { editor, uri } = await opened(start);
    const told = editor.told<Analysis>(notifications.analysed);
    deepStrictEqual(await editor.itemsOf(uri), []);
    match((await told).notices.join(), /^needed more than 512 MB of memory, and is ignored until/);
    await editor.edit(uri, '20', '30');
    strictEqual((await editor.itemsOf(uri)).length, 1);
    strictEqual(count(), 3);
  });

  it('is told to give up what it does when a newer text has come', async () => {
    const { start, held } = holdingThread('analyse');
    const { editor, uri } = await opened(start);
    const items = editor.itemsOf(uri);
    const { id, cancellation, letGo } = await held;
    const cancelled = () => Atomics.load(cancellation, cancellationSlots.analyse);
    notStrictEqual(cancelled(), id);
    await editor.edit(uri, 'await sleep', '\n    await sleep');
    await editor.isRead();
    strictEqual(cancelled(), id);
    letGo();
    deepStrictEqual(
      (await items).map(({ range }) => range.start.line),
      [10],
    );
  });
});
