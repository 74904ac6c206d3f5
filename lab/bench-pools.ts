/**
 * Whether the pool size that `deadtime run` suggests is right: a service runs under 150 clients with pools of several sizes, and each of its runs
 * suggests a size. It needs `npm run build` and PostgreSQL (`POSTGRES_URL`):
 * `node --import tsx lab/bench-pools.ts [--clients 150] [--think 1000] [--seconds 15] [--sizes 10,15,20,40]`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { poolAdviceOf } from '../src/runtime/pool-advice.ts';
import { type Recording, timesOf } from '../src/runtime/recording.ts';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '150' },
    think: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '15' },
    sizes: { type: 'string', default: '10,15,20,40' },
  },
});
const own = resolve('fixtures/truth');
const folder = mkdtempSync(join(tmpdir(), 'deadtime-pools-'));
cpSync(join(own, 'tickets'), folder, { recursive: true });
cpSync(join(own, 'load.js'), join(folder, 'load.js'));
symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
const manifest = { name: 'tickets', private: true, type: 'module', dependencies: { pg: '*' } };
writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));

function recordingWith(size: number): Recording {
  const load = ['/', ...[values.clients, values.seconds, values.think].map(Number)];
  const { stderr } = spawnSync(
    process.execPath,
    [resolve('dist/cli.js'), 'run', '--load-script', 'load.js', '--', 'node', 'server.js'],
    {
      ...{ cwd: folder, encoding: 'utf8' },
      env: {
        POSTGRES_URL: 'postgres://postgres@127.0.0.1:5432/test',
        ...process.env,
        ...{ LOAD: JSON.stringify(load), POOL_SIZE: String(size) },
      },
    },
  );
  if (!stderr.includes('Measured')) throw new Error(stderr);
  return JSON.parse(readFileSync(join(folder, '.deadtime/run.json'), 'utf8')) as Recording;
}

console.log(
  'pool   requests/s   mean      p95       wait mean   p95       most waiting   suggested',
);
try {
  for (const size of values.sizes.split(',').map(Number)) {
    const recording = recordingWith(size);
    const entry = recording.entries.find((it) => it.name === 'GET /')!;
    const pool = recording.pools.find((it) => it.size === size)!;
    const advice = poolAdviceOf(pool, recording);
    const times = [
      ...[entry.time.totalMs / entry.count, entry.time.p95Ms],
      ...[pool.wait.totalMs / pool.wait.count, pool.wait.p95Ms],
    ];
    console.log(
      [
        String(size).padEnd(6),
        ((1_000 * timesOf(entry)) / entry.spanMs).toFixed(1).padEnd(12),
        ...times.map((it, i) => `${it.toFixed(1)} ms`.padEnd(i === 2 ? 11 : 9)),
        String(pool.mostWaiting).padEnd(14),
        advice ? `${advice.size} for ${advice.clients.toFixed(0)} clients` : 'none',
      ].join(' '),
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
