// Measures what an agent waits for after an edit: the built hook, in a process of its own each time:
//   npm run -w lab bench:hook [-- --runs 15] [--write]
// The file has 993 lines and a loop of queries in every ninth, each a finding that HEAD has already, but for one.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readArguments } from '../tools/arguments.ts';
import { buildPackage } from '../tools/build/build.ts';
import { withTable } from '../tools/generate/generated-files.ts';

const { values } = readArguments(
  'npm run -w lab bench:hook [-- --runs 15] [--write]',
  { runs: { type: 'string', default: '15' }, write: { type: 'boolean', default: false } },
  (it) => Number(it.values.runs) >= 1,
);
await buildPackage();
const folder = mkdtempSync(join(tmpdir(), 'deadtime-hook-'));
const file = join(folder, 'tables.ts');
const cli = resolve(import.meta.dirname, '../dist/cli.js');
try {
  prepare();
  const parameters = [cli, 'hook'];
  // Once to compile, once to find it compiled.
  for (let i = 0; i < 2; i++) elapsedMs(parameters, `warm ${i}`, 2);
  const runs = Array.from({ length: Number(values.runs) }, (_, i) => ({
    hook: elapsedMs(parameters, `${i}`, 2),
    node: elapsedMs(['-e', '0'], '', 0),
  }));
  const report = `
Node.js ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), ${new Date().toISOString().slice(0, 10)}, ${runs.length} runs of each in turns.

<!-- prettier-ignore -->
| What | Fastest | Median | Slowest | Aim |
|---|--:|--:|--:|--:|
${rowOf(
  '`deadtime hook`',
  runs.map((it) => it.hook),
)} ≤ 300 ms |
${rowOf(
  'Starting Node.js with nothing to do, of that',
  runs.map((it) => it.node),
)}  |
`;
  console.log(report);
  if (values.write) {
    const page = 'lab/notes/performance.md';
    const start = '<!-- Written by `npm run -w lab bench:hook -- --write`. -->';
    writeFileSync(page, withTable(page, start, report));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function prepare(): void {
  const text = [
    "import { Pool } from 'pg';\n\nconst pool = new Pool();",
    ...Array.from({ length: 110 }, (_, i) => readerOf(`table_${i}`)),
  ].join('\n\n');
  const git = (...parameters: string[]) => execFileSync('git', parameters, { cwd: folder });
  writeFileSync(file, text);
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '--quiet', '-m', 'a');
  writeFileSync(file, text.replace('from table_50 ', 'from table_50 where kept '));
}

function readerOf(table: string): string {
  return `export async function ${table}(ids: readonly string[]) {
  const found = [];
  for (const id of ids) {
    const { rows } = await pool.query('select * from ${table} where id = $1', [id]);
    found.push(...rows);
  }
  return found;
}`;
}

function elapsedMs(parameters: readonly string[], run: string, code: number): number {
  const input = JSON.stringify({
    ...{ session_id: `${folder} ${run}`, cwd: folder, hook_event_name: 'PostToolUse' },
    ...{ tool_name: 'Edit', tool_input: { file_path: file } },
  });
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, parameters, { input, encoding: 'utf8' });
  const elapsed = performance.now() - start;
  if (status !== code) throw new Error(`exit code ${status}: ${stderr}`);
  return elapsed;
}

function rowOf(what: string, times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => `${sorted[Math.floor(part * (sorted.length - 1))]!.toFixed(0)} ms`;
  return `| ${what} | ${at(0)} | ${at(0.5)} | ${at(1)} |`;
}
