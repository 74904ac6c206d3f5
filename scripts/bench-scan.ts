// Compares the CPU seconds of whole processes over real code:
//   npm run bench:scan -- DIR... [--runs 3]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { rules } from '../rules/index.ts';
import { buildPackage } from './build.ts';

interface Contestant {
  readonly name: string;
  readonly command: readonly string[];
}

interface Measurement {
  /** User and system time of the whole process tree, seconds. */
  readonly cpu: number;
  readonly wall: number;
  readonly status: number;
}

const repository = resolve(import.meta.dirname, '..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '3' } },
});
if (positionals.length === 0) {
  console.error('usage: npm run bench:scan -- DIR... [--runs 3]');
  process.exit(2);
}
await buildPackage();
const scratch = mkdtempSync(join(tmpdir(), 'deadtime-bench-'));
try {
  console.log(
    `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model}), medians of ${values.runs} interleaved runs.\n`,
  );
  console.log('| code | what | CPU s | wall s | beside eslint |');
  console.log('|---|---|--:|--:|--:|');
  for (const directory of positionals.map((it) => resolve(it))) compare(directory);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function compare(directory: string): void {
  const all = contestants();
  const measured = new Map<string, Measurement[]>(all.map(({ name }) => [name, []]));
  for (let run = 0; run < Number(values.runs); run++) {
    for (const { name, command } of all) measured.get(name)!.push(measure(command, directory));
  }
  const medianCpu = (name: string) => median(measured.get(name)!.map((it) => it.cpu));
  const reference = medianCpu('eslint, no-await-in-loop only');
  for (const { name } of all) {
    const cpu = medianCpu(name);
    const wall = median(measured.get(name)!.map((it) => it.wall));
    const failed = measured.get(name)!.some((it) => it.status > 1) ? ' (failed)' : '';
    console.log(
      `| ${basename(directory)} | ${name}${failed} | ${cpu.toFixed(2)} | ${wall.toFixed(2)} | 1/${(reference / cpu).toFixed(1)} |`,
    );
  }
}

function contestants(): readonly Contestant[] {
  const eslintConfig = join(scratch, 'eslint.config.mjs');
  const parser = pathToFileURL(
    join(repository, 'node_modules/@typescript-eslint/parser/dist/index.js'),
  );
  writeFileSync(
    eslintConfig,
    `import * as parser from ${JSON.stringify(parser.href)};
export default [
  { ignores: ['**/dist/**', '**/build/**', '**/out/**', '**/coverage/**', '**/*.d.ts', '**/*.min.js'] },
  { files: ['**/*.{js,jsx,ts,tsx,mjs,cjs,mts,cts}'], languageOptions: { parser }, rules: { 'no-await-in-loop': 'warn' } },
];
`,
  );
  const oxlintConfig = join(scratch, 'oxlintrc.json');
  writeFileSync(
    oxlintConfig,
    JSON.stringify({
      categories: { correctness: 'off' },
      jsPlugins: [join(repository, 'dist/plugin.js')],
      rules: Object.fromEntries(rules.map((it) => [`deadtime/${it.id}`, 'warn'])),
    }),
  );
  const node = process.execPath;
  const bin = (path: string) => join(repository, 'node_modules', path);
  return [
    {
      name: 'deadtime check, all rules',
      command: [
        node,
        join(repository, 'dist/cli.js'),
        'check',
        '--no-cache',
        '--format',
        'json',
        '.',
      ],
    },
    {
      name: 'eslint, no-await-in-loop only',
      command: [
        node,
        '--max-old-space-size=8192',
        bin('eslint/bin/eslint.js'),
        '--config',
        eslintConfig,
        '--no-inline-config',
        '--format',
        'json',
        '--no-warn-ignored',
        '.',
      ],
    },
    {
      name: 'oxlint with this plugin',
      command: [
        node,
        bin('oxlint/bin/oxlint'),
        '--config',
        oxlintConfig,
        '--disable-nested-config',
        '--format',
        'json',
        '.',
      ],
    },
  ];
}

/** bash knows the CPU time of a process and all that it started; Node does not. */
function measure(command: readonly string[], cwd: string): Measurement {
  const quoted = command.map((it) => `'${it.replaceAll("'", "'\\''")}'`).join(' ');
  const { stderr, status } = spawnSync(
    'bash',
    ['-c', `TIMEFORMAT='deadtime-time %U %S %R'; time ${quoted} >/dev/null 2>/dev/null`],
    { cwd, encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  const [, user, system, wall] = /deadtime-time (\S+) (\S+) (\S+)/.exec(stderr) ?? [];
  return { cpu: Number(user) + Number(system), wall: Number(wall), status: status ?? 1 };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
