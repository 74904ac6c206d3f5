import { deepStrictEqual, match, ok, rejects, strictEqual } from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  DocumentDiagnosticRequest,
  ErrorCodes,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import {
  type DiagnosticData,
  notifications,
  type Proof,
  requests,
  type Review,
  type TextResult,
} from '../../server/protocol.ts';
import { builtCli } from '../fakes/built-cli.ts';
import { connected } from '../fakes/editor.ts';
import { folderWith } from '../fakes/folder.ts';
import { repositoryWith } from '../fakes/git-repository.ts';
import { worker as text } from '../fakes/worker.ts';
import { itInFull } from '../lanes.ts';

describe('deadtime lsp', function () {
  this.timeout(180_000);
  let cli: string;
  const started: ChildProcess[] = [];
  /** Has nothing to do while the other tests run. */
  let idle: Awaited<ReturnType<typeof startIdle>>;

  before(async () => {
    cli = await builtCli();
    idle = await startIdle();
  });
  after(() => {
    for (const it of started) it.kill('SIGKILL');
  });

  function start(...args: readonly string[]) {
    const child = spawn(process.execPath, [cli, 'lsp', ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    started.push(child);
    return child;
  }

  function connectionTo({ stdout, stdin }: ReturnType<typeof start>) {
    const [reader, writer] = [new StreamMessageReader(stdout), new StreamMessageWriter(stdin)];
    return createProtocolConnection(reader, writer);
  }

  /** A server of which nobody wants anything, with a process that it is told to end with. */
  async function startIdle() {
    const parent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    started.push(parent);
    const folder = folderWith({ 'package.json': '{}' });
    const child = start('--stdio', `--clientProcessId=${parent.pid}`);
    const connection = connectionTo(child);
    const editor = await connected(connection, { folders: [folder.path] });
    const uri = pathToFileURL(join(folder.path, 'worker.ts')).href;
    await editor.open(uri, text);
    strictEqual((await editor.itemsOf(uri)).length, 1);
    return {
      parent,
      child,
      connection,
      sinceMs: performance.now(),
      usedBefore: cpuSecondsOf(child),
    };
  }

  it('rejects requests before initialize', async () => {
    const connection = connectionTo(start('--stdio'));
    connection.listen();
    const textDocument = { uri: pathToFileURL('/project/a.ts').href };
    const asked = connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument });
    await rejects(asked, { code: ErrorCodes.ServerNotInitialized });
    connection.dispose();
  });

  it('serves an editor over stdio, and ends when its input does', async () => {
    const folder = folderWith({ 'package.json': '{}', 'worker.ts': text });
    const child = start('--stdio', '--clientProcessId', String(process.pid));
    const connection = connectionTo(child);
    const editor = await connected(connection, { folders: [folder.path] });
    const uri = pathToFileURL(join(folder.path, 'worker.ts')).href;
    await editor.open(uri, text);
    const [item] = await editor.itemsOf(uri);
    strictEqual(item?.code, 'no-hot-path-sleep');
    const page = await connection.sendRequest<TextResult>('deadtime/rulePage', {
      ruleId: 'no-hot-path-sleep',
    });
    match(page.text, /^# no-hot-path-sleep/);
    const shown = await connection.sendRequest<TextResult>('deadtime/configuration', { uri });
    const printed = spawnSync(
      process.execPath,
      [cli, '--print-config', join(folder.path, 'worker.ts')],
      { encoding: 'utf8' },
    );
    strictEqual(shown.text, printed.stdout);
    const why = await connection.sendRequest<TextResult>('deadtime/why', { uri, line: 9 });
    match(why.text, /^worker\.ts:10 .*\n[\s\S]*Reported on this line: no-hot-path-sleep\./);
    const exit = once(child, 'exit');
    connection.end();
    child.stdin.end();
    // It was not told to shut down before.
    deepStrictEqual(await exit, [1, null]);
    connection.dispose();
  });

  it('proves a finding by a process of its own', async () => {
    const folder = folderWith({ 'package.json': '{}', 'worker.ts': text });
    const child = start('--stdio');
    const connection = connectionTo(child);
    const storagePath = join(folder.path, 'storage');
    const editor = await connected(connection, {
      folders: [folder.path],
      options: { storagePath },
    });
    const uri = pathToFileURL(join(folder.path, 'worker.ts')).href;
    await editor.open(uri, text);
    const [item] = await editor.itemsOf(uri);
    const { fingerprint } = item!.data as DiagnosticData;
    const proof = await connection.sendRequest<Proof>(requests.prove, {
      ...{ uri, fingerprint, maxSeconds: 40 },
    });
    // Which of the verdicts is not for this test to say: other tests run at the same time. The time is enough for one.
    match(proof.summary, /[Ss]lower(?: on a busy machine)?: |^The machine is busy|^No difference/);
    deepStrictEqual([proof.uri, proof.node], [uri, process.version]);
    strictEqual(proof.command, 'npx deadtime prove worker.ts:10 --max-seconds 40');
    connection.end();
    connection.dispose();
    child.kill();
  });

  it('reviews what has come since the last commit, where git may be started', async () => {
    const repository = repositoryWith({ 'package.json': '{}', 'old.ts': text });
    repository.write({ 'new/worker.ts': text.replace('sleep(20)', 'sleep(30)') });
    const child = start('--stdio');
    const connection = connectionTo(child);
    await connected(connection, { folders: [repository.path], options: { isTrusted: false } });
    const review = () => connection.sendRequest<Review>(requests.review, null);
    match((await review()).failures.join(), /not trusted/);
    await connection.sendNotification(notifications.trustChanged, { isTrusted: true });
    const { findings, failures } = await review();
    deepStrictEqual(failures, []);
    deepStrictEqual(
      findings.map(({ uri, ruleId, range }) => [uri, ruleId, range.start]),
      [
        [
          pathToFileURL(join(repository.path, 'new/worker.ts')).href,
          'no-hot-path-sleep',
          { line: 9, character: 4 },
        ],
      ],
    );
    connection.end();
    connection.dispose();
    child.kill();
  });

  it('shows only what has come since the last commit to those who ask for no more', async () => {
    const repository = repositoryWith({ 'package.json': '{}', 'worker.ts': text });
    const child = start('--stdio');
    const connection = connectionTo(child);
    const editor = await connected(connection, {
      folders: [repository.path],
      settings: { onlyChangedLines: true },
      options: { isTrusted: false },
    });
    const uri = pathToFileURL(join(repository.path, 'worker.ts')).href;
    const found = async () => (await editor.itemsOf(uri)).map((it) => it.code);
    await editor.open(uri, text);
    // Git may not be asked before.
    deepStrictEqual(await found(), ['no-hot-path-sleep']);
    await connection.sendNotification(notifications.trustChanged, { isTrusted: true });
    deepStrictEqual(await found(), []);
    await editor.edit(uri, 'sleep(20)', 'sleep(30)');
    deepStrictEqual(await found(), ['no-hot-path-sleep']);
    await editor.edit(uri, 'sleep(30)', 'sleep(20)');
    deepStrictEqual(await found(), []);

    const saved = `${text}${text.slice(text.indexOf('export async')).replace('work()', 'again()').replace('sleep(20)', 'sleep(30)')}`;
    await editor.replace(uri, { at: 0, removed: text.length, text: saved });
    repository.write({ 'worker.ts': saved });
    await connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    const lines = (await editor.itemsOf(uri)).map((it) => it.range.start.line);
    deepStrictEqual(lines, [saved.slice(0, saved.indexOf('sleep(30)')).split('\n').length - 1]);
    repository.commit();
    const changes = [{ uri: pathToFileURL(join(repository.path, '.git/logs/HEAD')).href, type: 2 }];
    await connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    deepStrictEqual(await found(), []);
    connection.end();
    connection.dispose();
    child.kill();
  });

  it('ends when the editor has gone without a word', async function () {
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    const child = start('--stdio', `--clientProcessId=${gone.pid}`);
    deepStrictEqual(await once(child, 'exit'), [1, null]);
  });

  it('gives up an analysis that would hold more than it may: a thread ends, and the server goes on', async () => {
    const folder = folderWith({ 'package.json': '{}' });
    const child = start('--stdio');
    const connection = connectionTo(child);
    const options = { maximumMemoryMb: 64 };
    const editor = await connected(connection, { folders: [folder.path], options });
    const uri = pathToFileURL(join(folder.path, 'worker.ts')).href;
    // A tree takes some 50 bytes for each character. With twice this text, V8 of Node.js 24 ends the whole process in JSON.parse.
    await editor.open(uri, text.repeat(Math.ceil(1_500_000 / text.length)));
    deepStrictEqual(await editor.itemsOf(uri), []);
    const report = await connection.sendRequest<TextResult>(requests.diagnosticsReport, null);
    match(report.text, /the analysis has ended 2 times, the last time for this:\n.*memory/);
    await editor.replace(uri, { at: 0, removed: editor.textOf(uri).length, text });
    strictEqual((await editor.itemsOf(uri)).length, 1);
    connection.end();
    connection.dispose();
    child.kill();
  });

  itInFull(
    'takes next to no CPU while nobody types, and ends with the process that it was told of',
    async function () {
      const { parent, child, connection, sinceMs, usedBefore } = idle;
      if (usedBefore === undefined) return this.skip();
      await setTimeout(Math.max(0, sinceMs + 60_000 - performance.now()));
      const seconds = (performance.now() - sinceMs) / 1_000;
      const share = (cpuSecondsOf(child)! - usedBefore) / seconds;
      ok(share <= 0.01, `${(100 * share).toFixed(2)} % of a core`);
      const exit = once(child, 'exit');
      parent.kill('SIGKILL');
      deepStrictEqual(await exit, [1, null]);
      connection.dispose();
    },
  );

  it('names what it needs', async () => {
    const child = start();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (it: string) => (stderr += it));
    deepStrictEqual(await once(child, 'close'), [2, null]);
    match(stderr, /^deadtime: Required option '--stdio' not specified/);
  });
});

/** Its own and the system's for it; the kernel counts in hundredths. Undefined where only Linux would say it. */
function cpuSecondsOf({ pid }: ChildProcess): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
