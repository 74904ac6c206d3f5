import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  type Diagnostic,
  type DocumentDiagnosticReport,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type Analysis, notifications } from '../server/protocol.ts';
import type { Edit } from './random-edits.ts';

/** The built language server in a process of its own, as an editor talks to it over its pipes. */
export interface EditorClient {
  /** How long each analysis of a parsed text took, in milliseconds, as the server reports it. */
  readonly analysisMs: number[];
  open(path: string, text: string): void;
  edit(path: string, edit: Edit): void;
  pull(path: string): Promise<readonly Diagnostic[]>;
  textOf(path: string): string;
  /** Resident, in MB of a million bytes. */
  memory(): number;
  cpuSeconds(): number;
  end(): Promise<void>;
}

export async function editorClient(
  root: string,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<EditorClient> {
  const cli = resolve(import.meta.dirname, '..', 'dist', 'cli.js');
  const child = spawn(process.execPath, [cli, 'lsp', '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const documents = new Map<string, TextDocument>();
  const analysisMs: number[] = [];
  const uriOf = (path: string) => pathToFileURL(path).href;
  /** Linux only: other systems have no such files. */
  const status = (name: string) => readFileSync(`/proc/${child.pid}/${name}`, 'utf8');
  connection.onNotification(notifications.analysed, ({ milliseconds, notices }: Analysis) => {
    if (notices.length === 0) analysisMs.push(milliseconds);
  });
  connection.listen();
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: uriOf(root),
    capabilities: { textDocument: { diagnostic: {} } },
    initializationOptions: { hasStatus: true, settings },
  });
  await connection.sendNotification('initialized', {});
  return {
    analysisMs,
    open(path, text) {
      const uri = uriOf(path);
      documents.set(path, TextDocument.create(uri, 'typescript', 1, text));
      const textDocument = { uri, languageId: 'typescript', version: 1, text };
      void connection.sendNotification('textDocument/didOpen', { textDocument });
    },
    edit(path, { at, removed, text }) {
      const document = documents.get(path)!;
      const range = { start: document.positionAt(at), end: document.positionAt(at + removed) };
      const contentChanges = [{ range, text }];
      const version = document.version + 1;
      TextDocument.update(document, contentChanges, version);
      const textDocument = { uri: uriOf(path), version };
      void connection.sendNotification('textDocument/didChange', { textDocument, contentChanges });
    },
    async pull(path) {
      const textDocument = { uri: uriOf(path) };
      const report = await connection.sendRequest<DocumentDiagnosticReport>(
        'textDocument/diagnostic',
        { textDocument },
      );
      return report.kind === 'full' ? report.items : [];
    },
    textOf: (path) => documents.get(path)!.getText(),
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(status('status'))?.[1]) / 1_000,
    cpuSeconds() {
      const fields = status('stat').split(') ')[1]!.split(' ');
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    async end() {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      connection.dispose();
    },
  };
}
