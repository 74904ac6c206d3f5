import {
  deepStrictEqual,
  doesNotMatch,
  match,
  notStrictEqual,
  strictEqual,
} from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type Diagnostic,
  DidChangeWorkspaceFoldersNotification,
} from 'vscode-languageserver-protocol/node';
import type { ServerOptions } from '../../server/protocol.ts';
import { annotated, type Editor, editorFor, usualCapabilities } from '../fakes/editor.ts';
import { folderWith } from '../fakes/folder.ts';
import { worker } from '../fakes/worker.ts';

const marked = worker.replace(
  'await sleep(20);',
  'await sleep(20);\n//  ^^^^^^^^^^^^^^^ no-hot-path-sleep warning',
);

/** An editor in a folder with these files, and the way to their URIs. */
async function inFolder(
  files: Readonly<Record<string, string>>,
  options: Parameters<typeof editorFor>[0] = {},
) {
  const { path, write } = folderWith({ 'package.json': '{}', ...files });
  const editor = await editorFor({ folders: [path], ...options });
  return { editor, path, write, uriOf: (file: string) => pathToFileURL(join(path, file)).href };
}

async function seen(editor: Editor, uri: string): Promise<string> {
  return annotated(editor.textOf(uri), await editor.itemsOf(uri));
}

describe('server diagnostics', () => {
  it('are where the command line reports them', async () => {
    const { editor, uriOf } = await inFolder({});
    await editor.open(uriOf('src/worker.ts'), worker);
    strictEqual(await seen(editor, uriOf('src/worker.ts')), marked);
  });

  it('follow edits, of which only the changes are sent', async () => {
    const { editor, uriOf } = await inFolder({});
    const uri = uriOf('worker.ts');
    await editor.open(uri, worker);
    await editor.edit(uri, 'await sleep(20);', 'void order;');
    strictEqual((await editor.itemsOf(uri)).length, 0);
    await editor.edit(uri, 'export async', '\n\nexport async');
    await editor.edit(uri, 'void order;', 'await sleep(20);');
    strictEqual(await seen(editor, uri), marked.replace('export async', '\n\nexport async'));
  });

  it('are of the newest text after many fast edits', async () => {
    const { editor, uriOf } = await inFolder({});
    const uri = uriOf('worker.ts');
    await editor.open(uri, worker);
    const early = editor.itemsOf(uri);
    for (let i = 0; i < 50; i++)
      await editor.edit(uri, 'await sleep(2', `void ${i};\n    await sleep(2`);
    const late = await seen(editor, uri);
    match(late, /void 49;\n {4}await sleep\(20\);\n\/\/ {2}\^{15} no-hot-path-sleep warning\n/);
    await early;
  });

  it('are not sent again when nothing has changed', async () => {
    const { editor, uriOf } = await inFolder({});
    const uri = uriOf('worker.ts');
    await editor.open(uri, worker);
    const first = await editor.pull(uri);
    const again = await editor.pull(uri, first.resultId);
    deepStrictEqual(again, { kind: 'unchanged', resultId: first.resultId });
    await editor.edit(uri, '20', '30');
    strictEqual((await editor.pull(uri, first.resultId)).kind, 'full');
  });

  it('are pushed to clients that cannot ask, and taken back on closing', async () => {
    const textDocument = { publishDiagnostics: {} };
    const { editor, uriOf } = await inFolder({}, { capabilities: { textDocument } });
    const uri = uriOf('worker.ts');
    const first = editor.pushed(uri);
    await editor.open(uri, worker);
    strictEqual(annotated(worker, await first), marked);
    strictEqual(editor.initialized.capabilities.diagnosticProvider, undefined);
    const closed = editor.pushed(uri);
    await editor.close(uri);
    deepStrictEqual(await closed, []);
  });

  it('see the unsaved text of files that are imported', async () => {
    const pause = 'export const pauseMs = Number(process.env.PAUSE);\n';
    const { editor, uriOf } = await inFolder({ 'pause.ts': pause });
    const [uri, other] = [uriOf('worker.ts'), uriOf('pause.ts')];
    const text = `import { pauseMs } from './pause.js';\n${worker.replace('20', 'pauseMs')}`;
    await editor.open(uri, text);
    deepStrictEqual(await editor.itemsOf(uri), []);
    await editor.open(other, pause);
    await editor.edit(other, 'Number(process.env.PAUSE)', '50');
    match(await seen(editor, uri), /no-hot-path-sleep/);
    await editor.close(other);
    deepStrictEqual(await editor.itemsOf(uri), []);
  });

  it('name the places that belong to the proof', async () => {
    const text = `import { Pool } from 'pg';

const pool = new Pool();

export async function ordersOf(customer: string) {
  const client = await pool.connect();
  const orders = await client.query('select * from orders where customer = $1', [customer]);
  if (orders.rows.length === 0) return [];
  client.release();
  return orders.rows;
}
`;
    const { editor, uriOf } = await inFolder({});
    const uri = uriOf('orders.ts');
    await editor.open(uri, text);
    const items = await editor.itemsOf(uri);
    const item = items.find(({ code }) => code === 'no-leaked-connection');
    deepStrictEqual(
      item?.relatedInformation?.map((it) => [
        it.location.uri === uri,
        it.location.range.start.line,
      ]),
      [[true, 7]],
    );
  });

  it('link to the rules’ pages where the client sets them, else in the package, and never to a command', async () => {
    const linkOf = async (options: ServerOptions) => {
      const { editor, uriOf } = await inFolder({}, { options });
      await editor.open(uriOf('worker.ts'), worker);
      return (await editor.itemsOf(uriOf('worker.ts')))[0]?.codeDescription;
    };
    const href = 'deadtime-doc:/rules/no-hot-path-sleep.md';
    deepStrictEqual(await linkOf({ rulePages: 'deadtime-doc:/rules/{id}.md' }), { href });
    const installed = await linkOf({});
    match(readFileSync(fileURLToPath(installed!.href), 'utf8'), /^# no-hot-path-sleep$/m);
    deepStrictEqual(await linkOf({ rulePages: 'command:deadtime.open?{id}' }), installed);
  });

  it('leave out what the command line leaves out', async () => {
    const { editor, uriOf } = await inFolder({ '.gitignore': 'generated-*\n' });
    for (const file of ['worker.test.ts', 'node_modules/a/worker.ts', 'generated-worker.ts']) {
      await editor.open(uriOf(file), worker);
      deepStrictEqual([file, await editor.itemsOf(uriOf(file))], [file, []]);
    }
  });

  const around = {
    vue: ['<template><p>{{ n }}</p></template>\n<script lang="ts">\n', '</script>\n'],
    svelte: ['<script lang="ts">\n', '</script>\n\n<p>{n}</p>\n'],
    astro: ['---\n', '---\n\n<p>{n}</p>\n'],
  } as const;
  for (const [language, [before, after]] of Object.entries(around)) {
    it(`are found in the scripts of .${language} files`, async () => {
      const { editor, uriOf } = await inFolder({});
      const uri = uriOf(`Worker.${language}`);
      await editor.open(uri, `${before}${worker}${after}`, language);
      strictEqual(await seen(editor, uri), `${before}${marked}${after}`);
    });
  }

  it('are found in new texts and without a folder', async () => {
    const { editor } = await inFolder({});
    await editor.open('untitled:Untitled-1', worker);
    strictEqual(await seen(editor, 'untitled:Untitled-1'), marked);
    const alone = await editorFor();
    await alone.open('untitled:Untitled-1', worker);
    strictEqual(await seen(alone, 'untitled:Untitled-1'), marked);
    await alone.open('untitled:100%', worker);
    strictEqual(await seen(alone, 'untitled:100%'), marked);
    await alone.open('git:/worker.ts?ref', worker);
    deepStrictEqual(await alone.itemsOf('git:/worker.ts?ref'), []);
  });

  it('are empty for broken code, and come back', async () => {
    const { editor, uriOf } = await inFolder({});
    const uri = uriOf('worker.ts');
    await editor.open(uri, worker);
    await editor.edit(uri, 'while (true) {', 'while (true {{{');
    const broken = await editor.itemsOf(uri);
    doesNotMatch(JSON.stringify(broken), /internal/);
    await editor.edit(uri, 'while (true {{{', 'while (true) {');
    strictEqual(await seen(editor, uri), marked);
  });
});

describe('server settings', () => {
  const idsOf = (items: readonly Diagnostic[]) =>
    items.map(({ severity, code }) => [severity, code]);

  it('hold without a restart', async () => {
    const { editor, uriOf } = await inFolder({});
    const uri = uriOf('worker.ts');
    await editor.open(uri, worker);
    deepStrictEqual(idsOf(await editor.itemsOf(uri)), [[2, 'no-hot-path-sleep']]);
    const changes = [
      [{ rules: { 'no-hot-path-sleep': 'error' } }, [[1, 'no-hot-path-sleep']]],
      [{ rules: { 'no-hot-path-sleep': 'off' } }, []],
      [{ enable: false }, []],
      [{ exclude: ['work*'] }, []],
      [{ rules: { 'no-hot-path-sleep': ['default', { minMs: 21 }] } }, []],
      [{}, [[2, 'no-hot-path-sleep']]],
    ] as const;
    for (const [settings, expected] of changes) {
      await editor.configure(settings);
      deepStrictEqual([settings, idsOf(await editor.itemsOf(uri))], [settings, expected]);
    }
    deepStrictEqual(editor.warnings, []);
  });

  it('that are invalid are reported once, with what to write instead', async () => {
    const settings = { rules: { 'no-such-rule': 'off' }, profile: 'recommended' } as const;
    const { editor, uriOf } = await inFolder(
      { 'deadtime.config.json': '{ "rule": {} }' },
      { settings },
    );
    await editor.open(uriOf('worker.ts'), worker);
    await editor.itemsOf(uriOf('worker.ts'));
    await editor.edit(uriOf('worker.ts'), '20', '30');
    await editor.itemsOf(uriOf('worker.ts'));
    strictEqual(editor.warnings.length, 2);
    match(
      editor.warnings[0]!,
      /^Deadtime: The settings of your editor: there is no rule "no-such-rule"/,
    );
    match(editor.warnings[1]!, /^Deadtime: .*deadtime\.config\.json:1:3: there is no key "rule"/);
  });

  it('that are reported contain no link that runs a command of the editor', async () => {
    const { editor, uriOf } = await inFolder({
      'deadtime.config.json': '{ "[Fix](command:workbench.action.quit)": 1 }',
    });
    await editor.open(uriOf('worker.ts'), worker);
    await editor.itemsOf(uriOf('worker.ts'));
    match(editor.warnings[0]!, /there is no key "\[Fix\] \(command:/);
  });

  it('and files of each folder hold for that folder', async () => {
    const [strict, usual] = [
      folderWith({
        'package.json': '{}',
        'deadtime.config.json': '{ "rules": { "no-hot-path-sleep": "error" } }',
      }),
      folderWith({ 'package.json': '{}' }),
    ];
    const editor = await editorFor({ folders: [strict.path, usual.path] });
    const uris = [strict, usual].map((it) => pathToFileURL(join(it.path, 'worker.ts')).href);
    for (const uri of uris) await editor.open(uri, worker);
    const severities = await Promise.all(
      uris.map(async (it) => (await editor.itemsOf(it))[0]?.severity),
    );
    deepStrictEqual(severities, [1, 2]);
  });

  it('of the editor may be others in each folder, also in one that is added later', async () => {
    const paths = ['first', 'second', 'third'].map(() => folderWith({ 'package.json': '{}' }).path);
    const uriIn = (path: string) => pathToFileURL(join(path, 'worker.ts')).href;
    const severities = ['error', 'information', 'hint'] as const;
    const editor = await editorFor({
      folders: paths.slice(0, 2),
      capabilities: {
        ...usualCapabilities,
        workspace: { ...usualCapabilities.workspace, workspaceFolders: true },
      },
      folderSettings: Object.fromEntries(
        paths.map((it, i) => [it, { rules: { 'no-hot-path-sleep': severities[i] } }]),
      ),
    });
    const seenIn = async () =>
      Promise.all(paths.map(async (it) => (await editor.itemsOf(uriIn(it)))[0]?.severity));
    for (const it of paths) await editor.open(uriIn(it), worker);
    const [first, second, third] = await seenIn();
    deepStrictEqual([first, second], [1, 3]);
    notStrictEqual(third, 4);
    const added = [{ name: 'third', uri: pathToFileURL(paths[2]!).href }];
    await editor.connection.sendNotification(DidChangeWorkspaceFoldersNotification.type, {
      event: { added, removed: [] },
    });
    deepStrictEqual(await seenIn(), [1, 3, 4]);
  });

  it('files are read again when the client reports a change', async () => {
    const { editor, uriOf, write } = await inFolder({});
    const uri = uriOf('worker.ts');
    await editor.open(uri, worker);
    strictEqual((await editor.itemsOf(uri)).length, 1);
    write({ 'deadtime.config.json': '{ "rules": { "no-hot-path-sleep": "off" } }' });
    const changes = [{ uri: uriOf('deadtime.config.json'), type: 1 }];
    await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    deepStrictEqual(await editor.itemsOf(uri), []);
  });

  it('determine when a document is analysed', async () => {
    const { editor, uriOf } = await inFolder({}, { settings: { run: 'onSave' } });
    const uri = uriOf('worker.ts');
    await editor.open(uri, worker);
    strictEqual((await editor.itemsOf(uri)).length, 1);
    await editor.edit(uri, 'await sleep(20);', '');
    strictEqual((await editor.itemsOf(uri)).length, 1);
    await editor.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
    strictEqual((await editor.itemsOf(uri)).length, 0);
  });
});
