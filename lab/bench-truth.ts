/**
 * Whether an estimate of `deadtime run` comes true: each service of `fixtures/truth` runs under a load, then its fixed form under the same load. It
 * needs `npm run build`, PostgreSQL, MariaDB and Redis (`POSTGRES_URL`, `MYSQL_URL`, `REDIS_URL`):
 * `npm run bench:truth -- [--seconds 8] [--clients 2] [--rounds 3] [--only NAME]`.
 */
import { parseArgs } from 'node:util';
import { gainMsOf } from '../src/runtime/forecast.ts';
import type { RecordedEntry } from '../src/runtime/line-comparison.ts';
import { recordingOf } from './measured-service.ts';

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

function measured(service: Service, isFixed: boolean): RecordedEntry {
  const load = [service.path, Number(values.clients), Number(values.seconds)];
  const recording = recordingOf({ ...service, isFixed, load });
  const entry = recording.entries.find(
    ({ kind, name, count }) =>
      kind === service.kind && (kind === 'worker' || name === 'GET /') && count > 30,
  );
  if (!entry) throw new Error(`${service.name} has no entry of its kind`);
  return { entry, recording };
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
