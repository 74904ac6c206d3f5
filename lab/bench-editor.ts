// Measures the built language server as an editor meets it, on a large file of a real project with its history:
//   npm run -w lab bench:editor -- FILE [--edits 900] [--runs 5] [--open 50] [--idle 60] [--peers 100] [--types 200] [--typed FILE] [--write]
// What the last commits did to the file is typed again as in an editor: once for warming up, and once timed. The figures of
// that are medians of several runs with a server of its own each: one may be a third slower than the next with the same code.
// The same keystrokes, fewer of them, are typed in the other hosts of our plugin. The second pass needs the project's own
// TypeScript in its node_modules, and is timed in another file where FILE leaves little to ask. 0 leaves either out.
// With --write, the figures go to lab/notes/performance.md.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { rootAround } from '../src/scan/repository.ts';
import { readArguments } from '../tools/arguments.ts';
import { buildPackage } from '../tools/build/build.ts';
import { typed, typingOf, type Typing } from './commit-edits.ts';
import { editorClient, type EditorClient } from '../tools/editor-client.ts';
import { eslintTimes, oxlintTimes, parserTimes, type Times } from './editor-peers.ts';
import { withTable } from '../tools/generate/generated-files.ts';
import { latencySentence, memoryLatency } from './memory-latency.ts';
import { applied, type Edit } from '../tools/random-edits.ts';
import { secondPassTimes } from './second-pass.ts';
import { installedFor } from '../src/project/typescript/load.ts';

const { values, positionals } = readArguments(
  'npm run -w lab bench:editor -- FILE [--edits 900] [--runs 5] [--open 50] [--idle 60] [--peers 100] [--types 200] [--typed FILE] [--write]',
  {
    edits: { type: 'string', default: '900' },
    runs: { type: 'string', default: '5' },
    open: { type: 'string', default: '50' },
    idle: { type: 'string', default: '60' },
    peers: { type: 'string', default: '100' },
    types: { type: 'string', default: '200' },
    typed: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
  (it) => it.positionals.length > 0,
);
const file = positionals[0]!;
/** Typed after all files are open: what a keystroke leaves behind shows in the memory. */
const MORE_KEYSTROKES = 400;

await buildPackage();
const at = (name: string) => resolve(process.env['INIT_CWD'] ?? process.cwd(), name);
const path = at(file);
const root = rootAround(dirname(path));
const code = codeIn(root);
const typing = typingOf(path, root, Number(values.edits));

const before = memoryLatency();
const rows = [
  ...(await typingFigures(typing)),
  ...(await typeFigures(at(values.typed ?? file), Number(values.types))),
  ...(await peerFigures(last(typing, Number(values.peers)))),
  ...(await restingFigures(typing)),
];
const after = memoryLatency();
const about = [
  `${relative(root, path)}, ${typed(typing).split('\n').length - 1} lines, in ${basename(root)}, ${code.length} files; ` +
    `the last ${typing.edits.length} keystrokes of its commits.`,
  `Node.js ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), ${new Date().toISOString().slice(0, 10)}.`,
  latencySentence(before, after),
];
const table = [
  '<!-- prettier-ignore -->',
  '| What | Figure | Aim |',
  '|---|--:|--:|',
  ...rows.map((it) => `| ${it.join(' | ')} |`),
].join('\n');
const report = `\n${about.join('\n')}\n\n${table}\n`;
console.log(report);
if (values.write) {
  const page = 'lab/notes/performance.md';
  const start = '<!-- Written by `npm run -w lab bench:editor -- FILE --write`. -->';
  writeFileSync(page, withTable(page, start, report));
}

type Row = readonly [what: string, figure: string, aim: string];

async function typingFigures(typing: Typing): Promise<readonly Row[]> {
  const alone: TypingTimes[] = [];
  const withTypes: TypingTimes[] = [];
  let isAsCold = true;
  for (let run = 0; run < Number(values.runs); run++) {
    const client = await editorClient(root);
    alone.push(await timesOf(client, typing));
    isAsCold &&= await sameAsCold(client);
    await client.end();
    // As in VS Code, in a folder that is trusted.
    const typeClient = await editorClient(root, { typeChecker: { enabled: true } });
    withTypes.push(await timesOf(typeClient, typing));
    await typeClient.end();
  }
  const keystroke = 'Keystroke to diagnostics';
  const analysis = 'Analysis alone, where the text could be parsed';
  const asked = 'while types are asked for';
  const slowest = alone.map((it) => quantile(it.keystrokesMs, 1));
  return [
    ['First diagnostics after opening', medianMs(alone.map((it) => it.firstMs)), '< 1,500 ms'],
    ...rowsOfTimes(keystroke, alone, 'keystrokesMs', '< 30 ms'),
    [`${keystroke}, slowest`, medianMs(slowest), ''],
    ...rowsOfTimes(analysis, alone, 'analysisMs', '≤ 10 ms'),
    ...rowsOfTimes(`${keystroke}, ${asked}`, withTypes, 'keystrokesMs', '< 30 ms'),
    ...rowsOfTimes(`${analysis}, ${asked}`, withTypes, 'analysisMs', '≤ 10 ms'),
    ['As a cold analysis of the text at the end', isAsCold ? 'yes' : 'NO', 'yes'],
  ];
}

/** The median of the runs' medians, and of their p95, with the least and the most of these. */
function rowsOfTimes(
  what: string,
  runs: readonly TypingTimes[],
  which: 'keystrokesMs' | 'analysisMs',
  aim: string,
): readonly Row[] {
  const p95 = runs.map((it) => quantile(it[which], 0.95)).toSorted((a, b) => a - b);
  const range = `${p95[0]!.toFixed(1)} to ${ms(p95.at(-1)!)}`;
  return [
    [`${what}, median`, medianMs(runs.map((it) => quantile(it[which], 0.5))), ''],
    [`${what}, p95`, `${medianMs(p95)} (${range})`, aim],
  ];
}

function medianMs(times: readonly number[]): string {
  return ms(quantile(times, 0.5));
}

interface TypingTimes {
  readonly firstMs: number;
  readonly keystrokesMs: readonly number[];
  readonly analysisMs: readonly number[];
}

async function timesOf(client: EditorClient, { text, edits }: Typing): Promise<TypingTimes> {
  const openedAt = performance.now();
  client.open(path, text);
  await client.pull(path);
  const firstMs = performance.now() - openedAt;
  for (const edit of edits) await keystroke(client, edit);
  client.edit(path, { at: 0, removed: client.textOf(path).length, text });
  await client.pull(path);
  client.analysisMs.length = 0;
  const keystrokesMs: number[] = [];
  for (const edit of edits) keystrokesMs.push(await keystroke(client, edit));
  return { firstMs, keystrokesMs, analysisMs: [...client.analysisMs] };
}

async function typeFigures(typed: string, many: number): Promise<readonly Row[]> {
  if (many === 0) return [];
  const { times, questions } = await secondPassTimes(typed, root, typingOf(typed, root, many));
  const what = `Second pass with the types of TypeScript ${typescriptFor(typed)} after a keystroke in ${basename(typed)} (${questions} questions)`;
  return [
    [`${what}, median`, ms(quantile(times, 0.5)), ''],
    [`${what}, p95`, ms(quantile(times, 0.95)), '< 100 ms'],
  ];
}

function typescriptFor(path: string): string {
  const manifest = join(installedFor(path)!.folder, 'package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version;
}

async function peerFigures(some: Typing): Promise<readonly Row[]> {
  if (some.edits.length === 0) return [];
  const rowsOf = (what: string, times: Times): readonly Row[] => [
    [`Beside it: ${what}, median`, ms(quantile(times, 0.5)), ''],
    [`Beside it: ${what}, p95`, ms(quantile(times, 0.95)), ''],
  ];
  return [
    ...rowsOf('`oxlint --lsp` with our plugin, all our rules', await oxlintTimes(path, root, some)),
    ...rowsOf('ESLint’s class with our plugin, all our rules', await eslintTimes(path, root, some)),
    ...rowsOf('oxc-parser, the tree of the whole text', await parserTimes(path, some)),
  ];
}

function last({ text, edits }: Typing, many: number): Typing {
  const first = many === 0 ? edits : edits.slice(0, -many);
  return { text: first.reduce(applied, text), edits: edits.slice(first.length) };
}

async function keystroke(client: EditorClient, edit: Edit): Promise<number> {
  const start = performance.now();
  client.edit(path, edit);
  await client.pull(path);
  return performance.now() - start;
}

async function sameAsCold(warm: EditorClient): Promise<boolean> {
  const cold = await editorClient(root);
  cold.open(path, warm.textOf(path));
  const [a, b] = [await warm.pull(path), await cold.pull(path)];
  await cold.end();
  return JSON.stringify(a) === JSON.stringify(b);
}

async function restingFigures({ text, edits }: Typing): Promise<readonly Row[]> {
  const client = await editorClient(root);
  const many = Number(values.open);
  // Spread over the project, so that each brings other files with it.
  const opened = code.filter((_, i) => i % Math.ceil(code.length / many) === 0);
  for (const it of opened) {
    client.open(it, readFileSync(it, 'utf8'));
    await client.pull(it);
  }
  const memory = client.memory();
  const seconds = Number(values.idle);
  const before = client.cpuSeconds();
  await new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));
  const share = (client.cpuSeconds() - before) / seconds;
  client.open(path, text);
  const more = edits.slice(0, MORE_KEYSTROKES);
  for (const it of more) await keystroke(client, it);
  const memoryAfter = client.memory();
  await client.end();
  return [
    [`Memory of the server with ${opened.length} files open`, mb(memory), '< 350 MB'],
    [`The same after ${more.length} keystrokes in one more file`, mb(memoryAfter), '< 350 MB'],
    [`CPU while nobody types, for ${seconds} s`, `${(100 * share).toFixed(2)} %`, '< 1 %'],
  ];
}

function mb(value: number): string {
  return `${value.toFixed(0)} MB`;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function codeIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile() && /\.(?:[cm]?[jt]s|[jt]sx)$/.test(it.name))
    .map((it) => join(it.parentPath, it.name))
    .filter((it) => !/[\\/](?:node_modules|\.git)[\\/]/.test(it))
    .sort();
}
