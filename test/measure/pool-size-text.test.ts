import { strictEqual } from 'node:assert/strict';
import { poolSize } from '../../src/proof/measure/pool-size.ts';
import type { PoolTest, PoolTestRow } from '../../src/proof/measure/results.ts';
import { poolSizeText, poolTestText } from '../../src/report/measure/pool-size-text.ts';

const plain = { hasColors: false };

const row: PoolTestRow = {
  size: 27,
  predicted: { requestsPerSecond: 180, averageMs: 733, queue: 105 },
  measured: {
    requests: 451,
    requestsPerSecond: 179.2,
    averageMs: 738.4,
    p95Ms: 783.1,
    peakQueue: 112,
    meanQueue: 104.7,
    eventLoopUtilization: 0.06,
  },
};

const test: Extract<PoolTest, { state: 'simulated' }> = {
  state: 'simulated',
  environment: {
    date: '2026-11-21T10:00:00.000Z',
    node: 'v20.20.2',
    platform: 'Linux 6.1 x64',
    cpu: 'CPU',
    cores: 2,
    load: 0.5,
    database: 'PostgreSQL 18.4 (embedded)',
  },
  users: 150,
  queryMs: 150.4,
  timeScale: 1,
  rows: [row],
  quiet: { isBusy: false, cpuShare: 1, timerLateMs: 0.1, signs: [] },
};

describe("a pool's size in a terminal", () => {
  it('says the answer first, and then the ways to it', () => {
    const sizing = poolSize({
      ...{ users: 150, queryMs: 150, thinkMs: 850, isThinkAssumed: true },
      ...{ workers: 4, serverMax: 20, isServerMaxAssumed: false },
    });
    strictEqual(
      poolSizeText(sizing, plain),
      `A pool of 4 in each of 4 workers, and requests will wait: 6 are needed, and the server's limit allows 4. Shorter queries, a higher limit, or a pooler in front of the server.
  Demand             150 users, queries of 150 ms, and between them each user thinks for 850 ms (assumed; --think-ms sets it)
  Little’s law       6 for each worker: 150 requests per second, 150 ms each, are 22.5 running
  Published formula  7 for each worker: ceil(150 · 150 / 1000 · 1.2), for one request per user and second
  Server’s limit     4 for each worker: (20 - 3 for administrators) / 4 workers
  Estimated          38 when users think for 0 ms, 23 when users think for 100 ms, 5 when users think for 1,000 ms, 1 when users think for 10 s
`,
    );
  });

  it('shows measurements beside predictions', () => {
    strictEqual(
      poolTestText(test, plain),
      `Simulated  PostgreSQL 18.4 (embedded); CPU, 2 cores; Linux 6.1 x64; Node v20.20.2; load 0.5; 2026-11-21
  150 users on one pool; a query needed 150 ms on the idle server
                  requests              average                     queue
  pool  requests  a second  predicted  response  predicted     p95   peak  mean  predicted
  27         451       179        180    738 ms     733 ms  783 ms    112   105        105
`,
    );
  });

  it('names a gap, and what else was wrong', () => {
    const measured = { ...row.measured, requestsPerSecond: 90, eventLoopUtilization: 0.97 };
    const quiet = { ...test.quiet, isBusy: true, signs: ['Timers fired 4.1 ms late.'] };
    const busy = { ...test, timeScale: 4, rows: [{ ...row, measured }], quiet };
    const lines = poolTestText(busy, plain).split('\n');
    strictEqual(
      [lines[1], ...lines.slice(5)].join('\n'),
      `  150 users on one pool; a query needed 150 ms on the idle server; run with all times divided by 4, shown as requested
  A pool of 27 served 50 % fewer requests than predicted: this process was the limit, its event loop was busy 97 % of the time.
The machine was busy, so the times are too long:
Timers fired 4.1 ms late.
`,
    );
  });

  it('says why nothing was tested', () => {
    const needs = [{ what: 'PostgreSQL', command: 'npm install it' }];
    strictEqual(
      [
        poolTestText({ state: 'not-run', reason: 'it would take an hour' }, plain),
        poolTestText({ state: 'unavailable', needs }, plain),
        poolTestText({ state: 'failed', message: 'the disk is full' }, plain),
      ].join(''),
      `Not tested: it would take an hour.
Not tested, because something is missing:
  PostgreSQL: npm install it
The test failed: the disk is full
`,
    );
  });
});
