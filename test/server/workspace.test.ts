import { deepStrictEqual, match, rejects, strictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  CancellationTokenSource,
  type Diagnostic,
  NotebookCellKind,
  type ProtocolConnection,
  WorkDoneProgress,
  WorkDoneProgressCancelNotification,
  WorkDoneProgressCreateRequest,
  type WorkspaceDiagnosticReport,
} from 'vscode-languageserver-protocol/node';
import { baselineName } from '../../src/scan/baseline.ts';
import {
  type BaselineFile,
  requests,
  type ScanSummary,
  serverCommands,
} from '../../server/protocol.ts';
import { cancellationSlots } from '../../server/analysis/answer-orders.ts';
import { annotated, editorFor, type EditorOptions } from '../fakes/editor.ts';
import { folderWith } from '../fakes/folder.ts';
import { holdingThread } from '../fakes/holding-thread.ts';
import { worker } from '../fakes/worker.ts';

async function inFolder(files: Readonly<Record<string, string>>, options: EditorOptions = {}) {
  const folder = folderWith({ 'package.json': '{}', ...files });
  const editor = await editorFor({ folders: [folder.path], ...options });
  const uriOf = (file: string) => pathToFileURL(join(folder.path, file)).href;
  return { editor, folder, uriOf, connection: editor.connection };
}

describe('server workspace', () => {
  const files = { 'a.ts': worker, 'b.ts': worker, 'c.ts': 'export {};\n', 'b.test.ts': worker };

  it('answers for all files, with the unsaved text of those that are open', async () => {
    const { editor, uriOf, connection } = await inFolder(files);
    await editor.open(uriOf('b.ts'), worker.replace('await sleep(20);', ''));
    const previousResultIds = [{ uri: uriOf('c.ts'), value: '1' }];
    const { items } = await connection.sendRequest<WorkspaceDiagnosticReport>(
      'workspace/diagnostic',
      { previousResultIds },
    );
    deepStrictEqual(
      items.map((it) => [it.uri, it.kind === 'full' && it.items.map(({ code }) => code)]),
      [
        [uriOf('a.ts'), ['no-hot-path-sleep']],
        [uriOf('c.ts'), []],
      ],
    );
  });

  it('names in the summary of a scan what it leaves out, and logs why', async () => {
    const { editor, connection, folder } = await inFolder({
      ...files,
      'broken.ts': `${worker}const = ;`,
    });
    const summary = await connection.sendRequest<ScanSummary>(requests.scanWorkspace, {});
    strictEqual(summary.text, '2 findings in 4 files. Ignored: broken.ts.');
    const [line] = editor.log.filter((it) => it.startsWith(join(folder.path, 'broken.ts')));
    match(line!, /could not parse/);
  });

  it('pushes what a scan finds in files that are not open, and keeps it in step', async () => {
    const { editor, folder, uriOf, connection } = await inFolder(files);
    await editor.open(uriOf('b.ts'), worker);
    const first = editor.pushed(uriOf('a.ts'));
    const summary = await connection.sendRequest<ScanSummary>(requests.scanWorkspace, {});
    strictEqual((await first).length, 1);
    deepStrictEqual(
      [summary.files, summary.findings, summary.isCancelled, summary.text],
      [3, 2, false, '2 findings in 3 files.'],
    );

    const mended = editor.pushed(uriOf('a.ts'));
    folder.write({ 'a.ts': 'export {};\n' });
    const changes = [{ uri: uriOf('a.ts'), type: 2 }];
    await connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    deepStrictEqual(await mended, []);

    const closed = editor.pushed(uriOf('b.ts'));
    await editor.close(uriOf('b.ts'));
    strictEqual((await closed).length, 1);
    const reopened = editor.pushed(uriOf('b.ts'));
    await editor.open(uriOf('b.ts'), worker);
    deepStrictEqual(await reopened, []);
  });

  it('goes on without what a client has announced and refuses', async () => {
    const dynamicRegistration = true;
    const { editor, folder, uriOf, connection } = await inFolder(files, {
      isRefusing: true,
      capabilities: {
        workspace: {
          configuration: true,
          didChangeConfiguration: { dynamicRegistration },
          didChangeWatchedFiles: { dynamicRegistration },
          diagnostics: { refreshSupport: true },
          codeLens: { refreshSupport: true },
          inlayHint: { refreshSupport: true },
        },
      },
    });
    const uri = uriOf('a.ts');
    await editor.open(uri, worker);
    strictEqual((await editor.itemsOf(uri)).length, 1);
    const asked = ['diagnostic', 'codeLens', 'inlayHint'].map((it) =>
      editor.told(`workspace/${it}/refresh`),
    );
    await editor.configure({ severityPolicy: 'fixed' });
    await Promise.all(asked);
    strictEqual((await editor.itemsOf(uri)).length, 1);
    // Nobody watches the disk for it, so it looks for itself when a file is saved.
    folder.write({ 'deadtime.config.json': '{ "rules": { "no-hot-path-sleep": "off" } }' });
    await connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    deepStrictEqual(await editor.itemsOf(uri), []);
  });

  it('stops a scan that is cancelled', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`w${i}.ts`, worker]));
    const { connection } = await inFolder(many);
    const source = new CancellationTokenSource();
    const scan = connection.sendRequest(
      'workspace/diagnostic',
      { previousResultIds: [] },
      source.token,
    );
    source.cancel();
    await rejects(scan, /cancel/i);
  });

  it('scans by a command, too', async () => {
    const { connection } = await inFolder(files);
    const summary = await connection.sendRequest<ScanSummary>('workspace/executeCommand', {
      command: serverCommands.scanWorkspace,
    });
    match(summary.text, /^2 findings in 3 files\.$/);
  });

  const whole = ['begin Deadtime: scanning', 'report 3 of 3 files', 'end'];
  /** A scan reports in between, too, whenever it has taken some milliseconds. */
  const withoutTurns = (told: readonly string[]) =>
    told.filter((it) => !/^report [12] of 3 files$/.test(it));

  it('reports its progress where the client has said where', async () => {
    const { connection } = await inFolder(files);
    const told = progressAt(connection, 'here');
    await connection.sendRequest(requests.scanWorkspace, { workDoneToken: 'here' });
    deepStrictEqual(withoutTurns(told), whole);
  });

  it('asks a client that can show progress for a place', async () => {
    const { connection } = await inFolder(files, showingProgress);
    const told = progressWhereAsked(connection);
    await connection.sendRequest('workspace/executeCommand', {
      command: serverCommands.scanWorkspace,
    });
    deepStrictEqual(withoutTurns((await told).lines), whole);
  });

  for (const how of ['the request', 'the progress'] as const) {
    it(`ends when ${how} is cancelled`, async () => {
      const { start, held } = holdingThread('scan');
      const { editor, connection } = await inFolder(files, {
        ...showingProgress,
        environment: { start },
      });
      const place = progressWhereAsked(connection);
      const request = new CancellationTokenSource();
      const scan = connection.sendRequest<ScanSummary>(
        'workspace/executeCommand',
        { command: serverCommands.scanWorkspace },
        request.token,
      );
      const { id, cancellation, letGo } = await held;
      const { token, lines } = await place;
      if (how === 'the request') request.cancel();
      else await connection.sendNotification(WorkDoneProgressCancelNotification.type, { token });
      await editor.isRead();
      strictEqual(Atomics.load(cancellation, cancellationSlots.scan), id);
      letGo();
      const { files: read, isCancelled } = await scan;
      deepStrictEqual([read, isCancelled, lines.at(-1)], [0, true, 'end']);
    });
  }
});

const showingProgress: EditorOptions = { capabilities: { window: { workDoneProgress: true } } };

/** What is told from now on. */
function progressAt(connection: ProtocolConnection, token: string | number): readonly string[] {
  const lines: string[] = [];
  connection.onProgress(WorkDoneProgress.type, token, (it) => {
    const text = it.kind === 'begin' ? it.title : it.message;
    lines.push(text === undefined ? it.kind : `${it.kind} ${text}`);
  });
  return lines;
}

/** Settles when the server has asked for a place. */
function progressWhereAsked(connection: ProtocolConnection) {
  type Place = { readonly token: string | number; readonly lines: readonly string[] };
  return new Promise<Place>((resolve) => {
    connection.onRequest(WorkDoneProgressCreateRequest.type, ({ token }) => {
      resolve({ token, lines: progressAt(connection, token) });
    });
  });
}

describe('server baseline', () => {
  it('holds what somebody has decided to leave, as on the command line', async () => {
    const { editor, folder, uriOf, connection } = await inFolder({ 'a.ts': worker });
    await editor.open(uriOf('a.ts'), worker);
    const [item] = await editor.itemsOf(uriOf('a.ts'));
    const { fingerprint } = item!.data as { readonly fingerprint: string };
    const params = { uri: uriOf('a.ts'), fingerprint, reason: 'the queue is short' };
    const file = await connection.sendRequest<BaselineFile>(requests.baseline, params);
    strictEqual(file.uri, uriOf(baselineName));
    const { findings } = JSON.parse(file.text) as { readonly findings: readonly object[] };
    const date = new Date().toISOString().slice(0, 10);
    const rule = 'no-hot-path-sleep';
    deepStrictEqual(findings, [
      { fingerprint, rule, file: 'a.ts', reason: 'the queue is short', date },
    ]);

    const changed = async (text: string) => {
      folder.write({ [baselineName]: text });
      const changes = [{ uri: file.uri, type: 2 }];
      await connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    };
    await changed(file.text);
    deepStrictEqual(await editor.itemsOf(uriOf('a.ts')), []);
    const summary = await connection.sendRequest<ScanSummary>(requests.scanWorkspace, {});
    strictEqual(summary.findings, 0);
    await changed('[]');
    strictEqual((await editor.itemsOf(uriOf('a.ts'))).length, 1);
    match(editor.warnings.join(), /deadtime\.baseline\.json is no baseline/);
    strictEqual(await connection.sendRequest(requests.baseline, params), null);
  });
});

describe('server notebooks', () => {
  it('read the cells as one program', async () => {
    const { connection, uriOf, editor } = await inFolder({});
    const [head, tail] = worker.split('\n\nexport ');
    const texts = [`${head}\n`, `export ${tail}`];
    const notebook = uriOf('explore.ipynb');
    const cells = texts.map((text, i) => ({
      ...{ uri: `vscode-notebook-cell:/explore.ipynb#${i}`, languageId: 'typescript' },
      ...{ version: 1, text },
    }));
    await connection.sendNotification('notebookDocument/didOpen', {
      notebookDocument: {
        ...{ uri: notebook, notebookType: 'jupyter-notebook', version: 1 },
        cells: cells.map(({ uri }) => ({ kind: NotebookCellKind.Code, document: uri })),
      },
      cellTextDocuments: cells,
    });
    deepStrictEqual(await editor.itemsOf(cells[0]!.uri), []);
    match(seen(texts[1]!, await editor.itemsOf(cells[1]!.uri)), /\^{15} no-hot-path-sleep warning/);
    const start = { line: 4, character: 4 };
    await connection.sendNotification('notebookDocument/didChange', {
      notebookDocument: { uri: notebook, version: 2 },
      change: {
        cells: {
          textContent: [
            {
              document: { uri: cells[1]!.uri, version: 2 },
              changes: [{ range: { start, end: { line: 4, character: 20 } }, text: 'void order;' }],
            },
          ],
        },
      },
    });
    deepStrictEqual(await editor.itemsOf(cells[1]!.uri), []);
  });
});

function seen(text: string, items: readonly Diagnostic[]): string {
  return annotated(text, items);
}
