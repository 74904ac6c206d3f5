// Measures the built language server as an editor meets it, on a file of a real project:
//   npm run bench:editor -- FILE [--project DIR] [--edits 300] [--open 50] [--idle 60] [--seed 1]
// The project is the repository around the file unless said otherwise; `--open` others of it are opened for the figure of memory.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import {
  createProtocolConnection,
  type Diagnostic,
  type DocumentDiagnosticReport,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { rootAround } from '../scan/repository.ts';
import { type Analysis, notifications } from '../server/protocol.ts';
import { buildPackage } from './build.ts';
import { randomEdits, type Edit } from './random-edits.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    project: { type: 'string' },
    edits: { type: 'string', default: '300' },
    open: { type: 'string', default: '50' },
    idle: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});
const [file] = positionals;
if (file === undefined) {
  console.error(
    'usage: npm run bench:editor -- FILE [--project DIR] [--edits 300] [--open 50] [--idle 60] [--seed 1]',
  );
  process.exit(2);
}
await buildPackage();
const here = process.env['INIT_CWD'] ?? process.cwd();
const path = resolve(here, file);
const root =
  values.project === undefined ? rootAround(dirname(path)) : resolve(here, values.project);
const text = readFileSync(path, 'utf8');
const server = serverIn(root);
const started = performance.now();
await server.start();
const startMs = performance.now() - started;

console.log(`Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model})`);
console.log(
  `${relative(root, path)}: ${text.split('\n').length} lines in a project of ${codeIn(root).length} files\n`,
);
console.log('| what | figure |');
console.log('|---|--:|');
const opened = performance.now();
server.open(path, text);
const findings = (await server.pull(path)).length;
row('the server starts in', `${startMs.toFixed(0)} ms`);
row(`first diagnostics after opening (${findings})`, ms(performance.now() - opened));
for (const [name, edits] of [
  ['typing', typing(text, Number(values.edits))],
  ['random edits', undefined],
] as const) {
  const random = randomEdits(Number(values.seed));
  const times: number[] = [];
  server.analysisMs.length = 0;
  for (let i = 0; i < Number(values.edits); i++) {
    const start = performance.now();
    server.edit(path, edits?.[i] ?? random.next(server.textOf(path)));
    await server.pull(path);
    times.push(performance.now() - start);
  }
  row(`${name}: keystroke to diagnostics, median`, ms(at(times, 0.5)));
  row(`${name}: keystroke to diagnostics, p95`, ms(at(times, 0.95)));
  row(`${name}: analysis alone, p95`, ms(at(server.analysisMs, 0.95)));
}
row('the same as a cold analysis of the text at the end', (await isAsCold()) ? 'yes' : 'NO');
const others = codeIn(root).filter((it) => it !== path);
for (const it of others.slice(0, Number(values.open))) {
  server.open(it, readFileSync(it, 'utf8'));
  await server.pull(it);
}
row(`memory with ${Math.min(others.length, Number(values.open))} more files open`, server.memory());
const idleSeconds = Number(values.idle);
if (idleSeconds > 0) {
  const before = server.cpuSeconds();
  await new Promise((resolve) => setTimeout(resolve, 1_000 * idleSeconds));
  const used = server.cpuSeconds() - before;
  row(`CPU when idle for ${idleSeconds} s`, `${((100 * used) / idleSeconds).toFixed(2)} %`);
}
await server.end();

async function isAsCold(): Promise<boolean> {
  const cold = serverIn(root);
  await cold.start();
  cold.open(path, server.textOf(path));
  const [a, b] = [await server.pull(path), await cold.pull(path)];
  await cold.end();
  return JSON.stringify(a) === JSON.stringify(b);
}

function row(what: string, figure: string): void {
  console.log(`| ${what} | ${figure} |`);
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** A statement, letter by letter, in the middle of the file; then it goes out again. */
function typing(whole: string, many: number): readonly Edit[] {
  const middle = whole.indexOf('\n', Math.floor(whole.length / 2)) + 1;
  const letters = [...'const waited = await later(1000);\n'];
  const edits: Edit[] = [];
  while (edits.length < many) {
    letters.forEach((it, i) => edits.push({ at: middle + i, removed: 0, text: it }));
    edits.push({ at: middle, removed: letters.length, text: '' });
  }
  return edits;
}

function codeIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile() && /\.(?:[cm]?[jt]s|[jt]sx)$/.test(it.name))
    .map((it) => join(it.parentPath, it.name))
    .filter((it) => !/[\\/](?:node_modules|\.git)[\\/]/.test(it))
    .sort();
}

function serverIn(folder: string) {
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
  const uriOf = (it: string) => pathToFileURL(it).href;
  const status = (name: string) => readFileSync(`/proc/${child.pid}/${name}`, 'utf8');
  connection.onNotification(notifications.analysed, ({ milliseconds }: Analysis) => {
    analysisMs.push(milliseconds);
  });
  connection.listen();
  return {
    analysisMs,
    async start() {
      await connection.sendRequest('initialize', {
        processId: process.pid,
        rootUri: uriOf(folder),
        capabilities: { textDocument: { diagnostic: {} } },
        initializationOptions: { hasStatus: true },
      });
      await connection.sendNotification('initialized', {});
    },
    open(it: string, content: string) {
      const uri = uriOf(it);
      documents.set(it, TextDocument.create(uri, 'typescript', 1, content));
      const textDocument = { uri, languageId: 'typescript', version: 1, text: content };
      void connection.sendNotification('textDocument/didOpen', { textDocument });
    },
    edit(it: string, { at, removed, text: added }: Edit) {
      const document = documents.get(it)!;
      const range = { start: document.positionAt(at), end: document.positionAt(at + removed) };
      const contentChanges = [{ range, text: added }];
      const version = document.version + 1;
      TextDocument.update(document, contentChanges, version);
      const textDocument = { uri: uriOf(it), version };
      void connection.sendNotification('textDocument/didChange', { textDocument, contentChanges });
    },
    async pull(it: string): Promise<readonly Diagnostic[]> {
      const textDocument = { uri: uriOf(it) };
      const report = await connection.sendRequest<DocumentDiagnosticReport>(
        'textDocument/diagnostic',
        { textDocument },
      );
      return report.kind === 'full' ? report.items : [];
    },
    textOf: (it: string) => documents.get(it)!.getText(),
    /** Linux only: other systems have no such file. */
    memory: () => `${Math.round(Number(/VmRSS:\s+(\d+)/.exec(status('status'))?.[1]) / 1_000)} MB`,
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
