/**
 * Whether an estimate of `deadtime run` comes true: each service of `fixtures/truth` runs under a load, then its fixed form under the same load. It
 * needs `npm run build`, PostgreSQL, MariaDB and Redis (`POSTGRES_URL`, `MYSQL_URL`, `REDIS_URL`):
 * `npm run bench:truth -- [--seconds 8] [--clients 2] [--rounds 3] [--only NAME]`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gainMsOf } from '../src/runtime/forecast.ts';
import type { RecordedEntry } from '../src/runtime/line-comparison.ts';
import type { Recording } from '../src/runtime/recording.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    clients: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
});

/** Each has the address that the load asks, and of what kind its entry is. */
const services = [
  { name: 'dashboard', path: '/?depot=3', kind: 'http', packages: ['pg'] },
  { name: 'orders', path: '/?shop=7', kind: 'http', packages: ['pg'] },
  { name: 'catalogue', path: '/?id=11', kind: 'http', packages: ['mysql2'] },
  { name: 'sessions', path: '/?team=5', kind: 'http', packages: ['ioredis'] },
  { name: 'imports', path: '/?meter=9', kind: 'http', packages: ['pg'] },
  { name: 'prices', path: '/', kind: 'http', packages: [] },
  { name: 'mailer', path: '/', kind: 'worker', packages: ['pg'] },
] as const;
type Service = (typeof services)[number];

const environment = {
  POSTGRES_URL: 'postgres://postgres@127.0.0.1:5432/test',
  MYSQL_URL: 'mysql://root@127.0.0.1:3306/test',
  REDIS_URL: 'redis://127.0.0.1:6379',
  ...process.env,
};
const cli = resolve('dist/cli.js');
const [packagesFolder, own] = [resolve('node_modules'), resolve('fixtures/truth')];

function folderOf({ name, packages }: Service, isFixed: boolean): string {
  const folder = mkdtempSync(join(tmpdir(), 'deadtime-truth-'));
  cpSync(join(own, name), folder, { recursive: true, filter: (it) => !it.endsWith('/fixed') });
  if (isFixed) cpSync(join(own, name, 'fixed'), folder, { recursive: true });
  cpSync(join(own, 'load.js'), join(folder, 'load.js'));
  symlinkSync(packagesFolder, join(folder, 'node_modules'));
  const dependencies = Object.fromEntries(packages.map((it) => [it, '*']));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name, private: true, type: 'module', dependencies }),
  );
  return folder;
}

function measured(service: Service, isFixed: boolean): RecordedEntry {
  const folder = folderOf(service, isFixed);
  const { clients, seconds } = values;
  try {
    const { stderr } = spawnSync(
      process.execPath,
      [cli, 'run', '--load-script', 'load.js', '--', 'node', 'server.js'],
      {
        ...{ cwd: folder, encoding: 'utf8' },
        env: { ...environment, LOAD: JSON.stringify([service.path, clients, seconds]) },
      },
    );
    if (!stderr.includes('Measured')) throw new Error(stderr);
    const recording = JSON.parse(
      readFileSync(join(folder, '.deadtime/run.json'), 'utf8'),
    ) as Recording;
    const entry = recording.entries.find(
      ({ kind, name, count }) =>
        kind === service.kind && (kind === 'worker' || name === 'GET /') && count > 30,
    );
    if (!entry) throw new Error(`${service.name} has no entry of its kind: ${stderr}`);
    return { entry, recording };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function meanMsOf({ entry }: RecordedEntry): number {
  return entry.time.totalMs / entry.count;
}

function quantileOf(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

function shareText(share: number): string {
  return `${share > 0 ? '+' : ''}${(100 * share).toFixed(0)} %`;
}

const errors: number[] = [];
console.log('service      before     estimated  fixed      error      of the gain');
for (const service of services.filter((it) => !values.only || it.name === values.only)) {
  for (let i = 0; i < Number(values.rounds); i++) {
    const before = measured(service, false);
    const after = measured(service, true);
    const estimatedMs = meanMsOf(before) - gainMsOf(before);
    const error = estimatedMs / meanMsOf(after) - 1;
    errors.push(Math.abs(error));
    const ofGain = gainMsOf(before) / (meanMsOf(before) - meanMsOf(after)) - 1;
    const times = [meanMsOf(before), estimatedMs, meanMsOf(after)];
    console.log(
      [service.name.padEnd(12), ...times.map((it) => `${it.toFixed(2)} ms`.padEnd(10))].join(' '),
      [error, ofGain].map((it) => shareText(it).padEnd(10)).join(' '),
    );
  }
}
console.log(
  `error: median ${(100 * quantileOf(errors, 0.5)).toFixed(0)} %, p90 ${(100 * quantileOf(errors, 0.9)).toFixed(0)} %`,
);
