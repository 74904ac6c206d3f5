// What other hosts of our plugin, and the parser alone, take for the keystrokes that bench-editor.ts times.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as parser from '@typescript-eslint/parser';
import { ESLint } from 'eslint';
import { parseSync } from 'oxc-parser';
import {
  createProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { rules } from '../rules/index.ts';
import type { Typing } from './commit-edits.ts';
import { applied } from '../tools/random-edits.ts';

/** Milliseconds for each keystroke. */
export type Times = readonly number[];

const plugin = resolve(import.meta.dirname, '..', 'dist', 'plugin.js');
const all = Object.fromEntries(rules.map(({ id }) => [`deadtime/${id}`, 'warn'] as const));

/** From the change of a document to the answer of `oxlint --lsp`. */
export async function oxlintTimes(path: string, root: string, typing: Typing): Promise<Times> {
  const folder = mkdtempSync(join(tmpdir(), 'deadtime-oxlint-'));
  const configPath = join(folder, 'oxlintrc.json');
  writeFileSync(configPath, JSON.stringify({ jsPlugins: [plugin], categories: {}, rules: all }));
  const bin = resolve(import.meta.dirname, '..', 'node_modules/oxlint/bin/oxlint');
  const child = spawn(process.execPath, [bin, '--lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const waiting = new Map<number, () => void>();
  connection.onNotification(
    'textDocument/publishDiagnostics',
    ({ version = 0 }: PublishDiagnosticsParams) => {
      waiting.get(version)?.();
      waiting.delete(version);
    },
  );
  connection.onRequest('client/registerCapability', () => null);
  const options = { configPath, run: 'onType' };
  connection.onRequest('workspace/configuration', ({ items }: { items: readonly unknown[] }) =>
    items.map(() => options),
  );
  connection.listen();
  const rootUri = pathToFileURL(root).href;
  await connection.sendRequest('initialize', {
    ...{ processId: process.pid, rootUri, capabilities: {} },
    workspaceFolders: [{ uri: rootUri, name: 'project' }],
    initializationOptions: [{ workspaceUri: rootUri, options }],
  });
  await connection.sendNotification('initialized', {});
  const uri = pathToFileURL(path).href;
  let version = 0;
  const said = async (text: string) => {
    const start = performance.now();
    const answer = new Promise<void>((done) => waiting.set(++version, done));
    const textDocument = { uri, version, languageId: 'typescript' };
    if (version === 1) {
      void connection.sendNotification('textDocument/didOpen', {
        textDocument: { ...textDocument, text },
      });
    } else {
      const contentChanges = [{ text }];
      void connection.sendNotification('textDocument/didChange', { textDocument, contentChanges });
    }
    await answer;
    return performance.now() - start;
  };
  const times = await twice(typing, said);
  child.kill();
  connection.dispose();
  rmSync(folder, { recursive: true, force: true });
  return times;
}

/** ESLint's class, in this process, as an editor's extension holds it. */
export async function eslintTimes(path: string, root: string, typing: Typing): Promise<Times> {
  const { default: deadtime } = (await import(pathToFileURL(plugin).href)) as {
    readonly default: ESLint.Plugin;
  };
  const eslint = new ESLint({
    cwd: root,
    overrideConfigFile: true,
    overrideConfig: [
      { files: ['**'], languageOptions: { parser }, plugins: { deadtime }, rules: all },
    ],
  });
  return twice(typing, async (text) => {
    const start = performance.now();
    await eslint.lintText(text, { filePath: path });
    return performance.now() - start;
  });
}

/** The tree of the whole text, with nothing asked of it. */
export async function parserTimes(path: string, typing: Typing): Promise<Times> {
  return twice(typing, async (text) => {
    const start = performance.now();
    // The tree is created at the first request.
    void parseSync(path, text).program;
    return performance.now() - start;
  });
}

/** The first time is for warming up. */
async function twice(
  { text, edits }: Typing,
  said: (text: string) => Promise<number>,
): Promise<Times> {
  let times: number[] = [];
  for (let i = 0; i < 2; i++) {
    let now = text;
    await said(now);
    times = [];
    for (const edit of edits) times.push(await said((now = applied(now, edit))));
  }
  return times;
}
