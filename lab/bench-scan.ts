// Compares the CPU seconds, the time and the memory of whole processes over real code, which is copied first:
//   npm run -w lab bench:scan -- DIR... [--runs 5] [--only cold,eslint] [--times 1,2,4,8] [--write]
// --times 0 leaves out how the time grows with the code. With --write, tables and plots go to lab/notes/performance.md.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { medianOf } from '../src/proof/harness/statistics.ts';
import { withCommas } from '../src/report/counts.ts';
import { readArguments } from '../tools/arguments.ts';
import { causesIn } from './bench-scan/causes.ts';
import {
  COLD_PER_RUN,
  type Contestant,
  contestants,
  EDITS_PER_RUN,
} from './bench-scan/contestants.ts';
import { measure, type Measurement } from './bench-scan/measure.ts';
import { barPlot, linePlot } from './bench-scan/plots.ts';
import { filesOf } from '../src/scan/files.ts';
import { latencySentence, memoryLatency } from './memory-latency.ts';
import { buildPackage } from '../tools/build/build.ts';
import { withTable } from '../tools/generate/generated-files.ts';

const { values, positionals } = readArguments(
  'npm run -w lab bench:scan -- DIR... [--runs 5] [--only IDS] [--times 1,2,4,8] [--write]',
  {
    runs: { type: 'string', default: '5' },
    only: { type: 'string' },
    times: { type: 'string', default: '1,2,4,8' },
    write: { type: 'boolean', default: false },
  },
  (it) => it.positionals.length > 0,
);
const PAGE = 'lab/notes/performance.md';
const START = '<!-- Written by `npm run -w lab bench:scan -- DIR... --write`. -->';

await buildPackage();
const scratch = mkdtempSync(join(tmpdir(), 'deadtime-bench-'));
try {
  const machine = `Node.js ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), ${new Date().toISOString().slice(0, 10)}; medians of ${values.runs} run(s) of each, in turns; in each run Deadtime without its cache ${COLD_PER_RUN} times, and after an edit ${EDITS_PER_RUN} times.`;
  const parts: string[] = [machine];
  const before = memoryLatency();
  for (const directory of positionals.map((it) => resolve(it))) {
    parts.push(...(await compared(directory)), ...(await grown(directory)));
  }
  parts.splice(1, 0, latencySentence(before, memoryLatency()));
  const text = parts.join('\n\n');
  console.log(text);
  if (values.write) writeFileSync(PAGE, withTable(PAGE, START, `\n${text}\n`));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function compared(directory: string): Promise<readonly string[]> {
  const name = basename(directory);
  const folder = copyOf(directory, join(scratch, name));
  const code = globSync('**/*.{js,jsx,ts,tsx,mjs,cjs,mts,cts}', {
    cwd: folder,
    ignore: ['**/{dist,build,out,coverage}/**', '**/*.{d.ts,min.js}'],
  }).sort();
  const lines = code.reduce(
    (sum, it) => sum + readFileSync(join(folder, it), 'utf8').split('\n').length,
    0,
  );
  const only = values.only?.split(',');
  const edited = spreadOver(filesOf([folder], { cwd: folder }).files);
  const all = contestants(scratch, code, edited).filter((it) => !only || only.includes(it.id));
  const measured = new Map<string, Measurement[]>(all.map(({ id }) => [id, []]));
  for (let run = 0; run < Number(values.runs); run++) {
    for (const it of all) {
      for (let i = 0; i < (it.perRun ?? 1); i++) {
        // Its cache exists, and is as new as the code.
        if (it.keeps) await measure(it.command, folder);
        it.prepare?.(measured.get(it.id)!.length);
        const one = await measure(it.command, folder);
        measured.get(it.id)!.push(one);
        console.error(`${it.id}: ${one.cpu.toFixed(2)} s CPU, ${one.wall.toFixed(2)} s`);
      }
    }
  }
  const title = `${name}, ${withCommas(code.length)} files, ${withCommas(lines)} lines`;
  const plot = values.write
    ? [
        plotted(
          `scan-${name}`,
          barPlot(
            title,
            all.map((it) => barOf(it, measured)),
          ),
        ),
      ]
    : [];
  const table = tableOf(all, measured);
  return [`${title}.`, table, ...edits(measured.get('edited')), ...plot, ...causes(folder)];
}

/** As many as there are measurements after an edit, so that files count on which much or nothing rests. */
function spreadOver(files: readonly string[]): readonly string[] {
  const count = Math.min(files.length, EDITS_PER_RUN * Number(values.runs));
  return Array.from(
    { length: count },
    (_, i) => files[Math.floor(((i + 0.5) * files.length) / count)]!,
  );
}

/** How the time changes with the changed file. */
function edits(runs: readonly Measurement[] = []): readonly string[] {
  if (runs.length === 0) return [];
  const said = (of: (it: Measurement) => number) => {
    const sorted = runs.map(of).sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(2);
    return `${at(0)} to ${at(1)} s, nine in ten at most ${at(0.9)} s`;
  };
  return [
    `One file changed, each time another of ${runs.length} that are spread evenly over the code: ${said((it) => it.wall)} (CPU: ${said((it) => it.cpu)}). It takes the longer the more files rest on the one that was changed.`,
  ];
}

/** What the time of one scan without the cache goes to. */
function causes(folder: string): readonly string[] {
  if (values.only && !values.only.split(',').includes('cold')) return [];
  const rows = causesIn(folder).map(
    ([cause, ms]) => `| ${cause} | ${withCommas(Math.round(ms))} |`,
  );
  return [
    'What one more scan without the cache takes, by cause:',
    ['<!-- prettier-ignore -->', '| Cause | ms |', '|---|--:|', ...rows].join('\n'),
  ];
}

function barOf({ id, name }: Contestant, measured: ReadonlyMap<string, readonly Measurement[]>) {
  return {
    label: name.replaceAll('`', ''),
    value: medianOf(measured.get(id)!.map((it) => it.cpu)),
  };
}

function tableOf(
  all: readonly Contestant[],
  measured: ReadonlyMap<string, readonly Measurement[]>,
): string {
  const cpuOf = (id: string) => medianOf(measured.get(id)!.map((it) => it.cpu));
  const reference = measured.has('eslint') ? cpuOf('eslint') : undefined;
  const rows = all.map(({ id, name }) => {
    const runs = measured.get(id)!;
    const failed = runs.find((it) => it.status > 1);
    const peaks = runs.flatMap((it) => it.peakMb ?? []);
    return [
      failed ? `${name} (failed with ${failed.status})` : name,
      cpuOf(id).toFixed(2),
      medianOf(runs.map((it) => it.wall)).toFixed(2),
      peaks.length > 0 ? Math.max(...peaks).toFixed(0) : '',
      reference === undefined ? '' : `1/${(reference / cpuOf(id)).toFixed(1)}`,
    ];
  });
  return [
    '<!-- prettier-ignore -->',
    '| What | CPU s | Wall s | Most MB | Beside ESLint |',
    '|---|--:|--:|--:|--:|',
    ...rows.map((it) => `| ${it.join(' | ')} |`),
  ].join('\n');
}

/** The same code several times over. */
async function grown(directory: string): Promise<readonly string[]> {
  const times = values.times.split(',').map(Number).filter(Boolean);
  const [cold] = contestants(scratch, [], []);
  if (times.length === 0 || (values.only && !values.only.split(',').includes(cold!.id))) return [];
  const name = basename(directory);
  const folders = times.map((count) => {
    const folder = join(scratch, `${name} ${count} times`);
    for (let i = 0; i < count; i++) copyOf(directory, join(folder, `copy-${i}`));
    return [count, folder] as const;
  });
  const measured = new Map<number, number[]>(times.map((it) => [it, []]));
  for (let run = 0; run < Number(values.runs); run++) {
    for (const [count, folder] of folders) {
      measured.get(count)!.push((await measure(cold!.command, folder)).cpu);
    }
  }
  for (const [, folder] of folders) rmSync(folder, { recursive: true });
  const points = times.map((it) => [it, medianOf(measured.get(it)!)] as const);
  const said = points.map(([count, cpu]) => `${count} ×: ${cpu.toFixed(2)} s`).join(', ');
  const text = `The same code several times over, Deadtime without its cache, CPU: ${said}.`;
  if (!values.write) return [text];
  return [text, plotted(`scan-${name}-times`, linePlot(`${name}, several times over`, points))];
}

function plotted(name: string, svg: string): string {
  const file = `${name.replaceAll(/[^\w.-]+/g, '-')}.svg`;
  writeFileSync(join('lab/notes/images', file), svg);
  const title = /<title>(.*)<\/title>/.exec(svg)![1]!;
  return `![${title}](images/${file})`;
}

/** Removes what no contestant reads; the code itself stays unchanged. */
function copyOf(directory: string, to: string): string {
  cpSync(directory, to, {
    recursive: true,
    filter: (it) => !['node_modules', '.git'].includes(basename(it)),
  });
  return to;
}
