import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CodeLens, Hover, InlayHint } from 'vscode-languageserver-protocol';
import {
  type Analysis,
  type EditorFinding,
  notifications,
  requests,
  type TextResult,
} from '../../server/protocol.ts';
import type { Recording } from '../../src/runtime/recording.ts';
import { type Editor, editorFor } from '../fakes/editor.ts';
import { type Folder, folderWith } from '../fakes/folder.ts';
import { recorded } from '../fakes/recorded.ts';
import { worker } from '../fakes/worker.ts';

const file = 'src/worker.ts';
const recordingFile = '.deadtime/run.json';
const cost = '4.4 ms per request in GET /dashboard';

const recordingOfWorker = () => JSON.stringify(recorded({ [file]: worker }));

describe('server with a recording of the program', () => {
  let editor: Editor;
  let folder: Folder;
  let uri: string;

  async function open(recording?: string): Promise<void> {
    folder = folderWith({
      [file]: worker,
      ...(recording !== undefined && { [recordingFile]: recording }),
    });
    editor = await editorFor({
      folders: [folder.path],
      options: { hasStatus: true },
      settings: { inlayHints: { enabled: true } },
    });
    uri = pathToFileURL(join(folder.path, file)).href;
    await editor.open(uri, worker);
    await editor.pull(uri);
  }

  const ask = <T>(method: string, params: object = {}) =>
    editor.connection.sendRequest<T>(method, { textDocument: { uri }, ...params });
  const lenses = async () =>
    (await ask<readonly CodeLens[]>('textDocument/codeLens')).map((it) => it.command!.title);
  const hover = async () => {
    const { contents } = await ask<Hover>('textDocument/hover', {
      position: { line: 9, character: 6 },
    });
    return (contents as { readonly value: string }).value;
  };
  const hints = async () => {
    const range = { start: { line: 0, character: 0 }, end: { line: 12, character: 0 } };
    return (await ask<readonly InlayHint[]>('textDocument/inlayHint', { range })).map(
      (it) => it.label,
    );
  };
  const findings = () =>
    editor.connection.sendRequest<readonly EditorFinding[]>(requests.findings, { uri });
  const change = async (path: string) => {
    const changes = [{ uri: pathToFileURL(join(folder.path, path)).href, type: 2 }];
    await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
  };

  it('shows the measured cost in hover, lens and hint', async () => {
    await open(recordingOfWorker());
    match(
      await hover(),
      /Measured in your program: 4\.4 ms per request in GET \/dashboard \(412 requests\)\./,
    );
    deepStrictEqual(await lenses(), [
      `${cost}, measured in your program · ▷ Prove it (5 s at most)`,
    ]);
    deepStrictEqual(await hints(), [`${cost}, measured in your program`]);
    const [finding] = await findings();
    deepStrictEqual(
      [finding?.measured, finding?.isStale],
      [`Measured in your program: ${cost} (412 requests)`, undefined],
    );
  });

  it('shows that a line did not run', async () => {
    await open(JSON.stringify(recorded({ [file]: worker }, { ran: (line) => line < 10 })));
    deepStrictEqual(await lenses(), [
      'Did not run in this run (60 s, 412 entries) · ▷ Prove it (5 s at most)',
    ]);
  });

  it('is stale after an edit of the function, and not after one elsewhere', async () => {
    await open(recordingOfWorker());
    await lenses();
    await editor.edit(uri, 'const redis', '// the queue\nconst redis');
    deepStrictEqual(await lenses(), [
      `${cost}, measured in your program · ▷ Prove it (5 s at most)`,
    ]);
    await editor.edit(uri, 'sleep(20)', 'sleep(30)');
    deepStrictEqual(await lenses(), [
      `Stale, the code has changed since the run: ${cost} · ▷ Prove it (5 s at most)`,
    ]);
    const [finding] = await findings();
    deepStrictEqual(
      [finding?.measured, finding?.isStale],
      [
        `Stale, the code has changed since it was measured in your program: ${cost} (412 requests)`,
        true,
      ],
    );
    await editor.edit(uri, 'sleep(30)', 'sleep(20)');
    deepStrictEqual(await lenses(), [
      `${cost}, measured in your program · ▷ Prove it (5 s at most)`,
    ]);
  });

  it('follows a recording that is written, changed and removed', async () => {
    await open();
    deepStrictEqual(await lenses(), ['▷ Prove it (5 s at most)']);
    folder.write({ [recordingFile]: recordingOfWorker() });
    const told = editor.told<Analysis>(notifications.analysed);
    await change(recordingFile);
    const [finding] = (await told).findings;
    strictEqual(finding?.measured, `Measured in your program: ${cost} (412 requests)`);
    deepStrictEqual(await lenses(), [
      `${cost}, measured in your program · ▷ Prove it (5 s at most)`,
    ]);
    rmSync(join(folder.path, recordingFile));
    await change(recordingFile);
    deepStrictEqual(await lenses(), ['▷ Prove it (5 s at most)']);
  });

  it('warns once of a recording that is broken, and shows the findings without it', async () => {
    await open('{');
    deepStrictEqual(await lenses(), ['▷ Prove it (5 s at most)']);
    await lenses();
    deepStrictEqual(editor.warnings, [
      'Deadtime: .deadtime/run.json is no recording of deadtime run, so findings have no measured costs. Run deadtime run again, or remove the file.',
    ]);
    strictEqual(/measured/i.test(await hover()), false);
  });

  it('shows a name of the recording as text', async () => {
    const hostile = JSON.parse(recordingOfWorker()) as Recording;
    const entries = hostile.entries.map((it) => ({ ...it, name: '[a](http://x.example)\n\x1b' }));
    await open(JSON.stringify({ ...hostile, entries }));
    match(await hover(), /\\\[a\\\]\\\(http:<!-- -->\/\/x\.example\\\)/);
  });

  it('answers an agent with what the program waited for', async () => {
    const waits = async () =>
      (await editor.connection.sendRequest<TextResult>(requests.tool, { tool: 'measured_waits' }))
        .text;
    await open();
    match(await waits(), /^There is no \.deadtime\/run\.json\./);
    folder.write({ [recordingFile]: recordingOfWorker() });
    await change(recordingFile);
    const text = await waits();
    match(text, /GET \/dashboard {3}412 requests/);
    match(text, /src\/worker\.ts:10/);
    strictEqual(text.includes('Changed since'), false);
    await editor.edit(uri, 'sleep(20)', 'sleep(30)');
    match(await waits(), /\nChanged since the run, so lines may differ: src\/worker\.ts$/);
    folder.write({ [recordingFile]: '[]' });
    await change(recordingFile);
    match(await waits(), /^\.deadtime\/run\.json is no recording/);
  });
});
