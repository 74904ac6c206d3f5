/**
 * Whether the pool size that `deadtime run` suggests is right: a service runs under 150 clients with pools of several sizes, and each of its runs
 * suggests a size. It needs `npm run build` and PostgreSQL (`POSTGRES_URL`):
 * `node --import tsx lab/bench-pools.ts [--clients 150] [--think 1000] [--seconds 15] [--sizes 10,15,20,40]`.
 */
import { parseArgs } from 'node:util';
import { poolAdviceOf } from '../src/runtime/pool-advice.ts';
import { timesOf } from '../src/runtime/recording.ts';
import { recordingOf } from './measured-service.ts';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '150' },
    think: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '15' },
    sizes: { type: 'string', default: '10,15,20,40' },
  },
});
const load = ['/', ...[values.clients, values.seconds, values.think].map(Number)];

console.log(
  'pool   requests/s   mean      p95       wait mean   p95       most waiting   suggested',
);
for (const size of values.sizes.split(',').map(Number)) {
  const recording = recordingOf({
    ...{ name: 'tickets', packages: ['pg'], load },
    environment: { POOL_SIZE: String(size) },
  });
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
