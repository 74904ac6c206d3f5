import { ok, strictEqual } from 'node:assert/strict';
import { poolAdviceOf, waitMsIn } from '../../src/runtime/pool-advice.ts';
import type { Pool, Recording } from '../../src/runtime/recording.ts';
import { entryWith, recordingWith, timesAround } from '../fakes/recordings.ts';

describe('the wait for a connection in a closed system', () => {
  /** Each state by itself: weights C(N, n) n! / (min! …), as in a table of machine repair. */
  const byStates = (clients: number, size: number, betweenMs: number, holdMs: number) => {
    const weights = [1];
    for (let n = 1; n <= clients; n++) {
      const arrivals = (clients - n + 1) / betweenMs;
      weights.push((weights[n - 1]! * arrivals) / (Math.min(n, size) / holdMs));
    }
    const sum = weights.reduce((a, b) => a + b);
    const queue = weights.reduce((all, it, n) => all + (Math.max(0, n - size) * it) / sum, 0);
    const rate = weights.reduce((all, it, n) => all + ((clients - n) * it) / (sum * betweenMs), 0);
    return queue / rate;
  };

  for (const [clients, size, betweenMs, holdMs] of [
    [2, 1, 10, 10],
    [20, 3, 100, 20],
    [150, 10, 1_000, 100],
  ] as const) {
    it(`is that of machine repair: ${clients} clients, ${size} connections`, () => {
      const [own, expected] = [
        waitMsIn({ clients, betweenMs, holdMs }, size),
        byStates(clients, size, betweenMs, holdMs),
      ];
      ok(Math.abs(own - expected) < 1e-6 * expected, `${own} for ${expected}`);
    });
  }

  it('of two that share one connection is a third of their cycle', () => {
    // States 0, 1, 2 with weights 1, 2, 2: a queue of 2/5 for a rate of 4/5 in 10 ms.
    strictEqual(waitMsIn({ clients: 2, betweenMs: 10, holdMs: 10 }, 1), 5);
  });

  it('is none with a connection for each', () => {
    strictEqual(waitMsIn({ clients: 5, betweenMs: 1, holdMs: 100 }, 5), 0);
  });

  it('of clients that never stop is that of all in front', () => {
    strictEqual(waitMsIn({ clients: 40, betweenMs: 0, holdMs: 10 }, 10), 30);
  });

  it('is a number for very many', () => {
    const waitMs = waitMsIn({ clients: 50_000, betweenMs: 100, holdMs: 50 }, 1_000);
    ok(waitMs > 2_000 && waitMs < 2_500, `${waitMs}`);
  });
});

describe('the size that a pool would have needed', () => {
  /** In ten seconds: requests of 150 clients that wait 1 s between them. */
  const recording = (fields: Partial<Recording> = {}): Recording =>
    recordingWith({
      entries: [entryWith({ name: 'GET /', time: timesAround(500, 1_000) })],
      clients: { between: timesAround(1_000, 1_000) },
      ...fields,
    });
  const pool: Pool = {
    ...{ driver: 'pg', size: 10, mostHeld: 10, mostWaiting: 40, open: 0, idleHoldMs: 0 },
    ...{ wait: timesAround(400, 1_000), hold: timesAround(100, 1_000) },
  };

  it('is what the clients need, by what they do between checkouts', () => {
    const { size, clients, betweenMs } = poolAdviceOf(pool, recording())!;
    strictEqual(Math.round(clients), 150);
    strictEqual(Math.round(betweenMs), 1_000);
    // 150 · 100 / 1,100 are 13.6 at the same time, and some more for chance.
    ok(size >= 15 && size <= 20, `${size}`);
  });

  it('is more where requests are shorter apart', () => {
    const busy = recording({ clients: { between: timesAround(100, 1_000) } });
    ok(poolAdviceOf(pool, busy)!.size > 20);
  });

  it('counts each process by itself', () => {
    const two = poolAdviceOf(
      { ...pool, processes: 2, wait: timesAround(400, 2_000), hold: timesAround(100, 2_000) },
      recording({
        processes: 2,
        entries: [entryWith({ name: 'GET /', time: timesAround(500, 2_000) })],
        clients: { between: timesAround(1_000, 2_000) },
      }),
    );
    strictEqual(two?.size, poolAdviceOf(pool, recording())!.size);
  });

  it('counts the iterations of workers, which have nothing between them', () => {
    const worker = recordingWith({
      entries: [
        {
          ...entryWith({ kind: 'worker', name: 'poll', time: timesAround(500, 800) }),
          busyMs: 10_000,
        },
      ],
    });
    const { clients, size } = poolAdviceOf({ ...pool, wait: timesAround(400, 800) }, worker)!;
    strictEqual(Math.round(clients), 40);
    ok(size > 10, `${size}`);
  });

  for (const [why, changed, other] of [
    ['nothing waits', { mostWaiting: 0 }, {}],
    ['waits are short', { wait: timesAround(2, 1_000) }, {}],
    ['the driver does not state its size', { size: undefined }, {}],
    ['there were few checkouts', { wait: timesAround(400, 50), hold: timesAround(100, 50) }, {}],
    ['requests come on new connections', {}, { clients: undefined }],
    ['only some of the processes have the pool', {}, { processes: 2 }],
    [
      'a client has several checkouts at the same time',
      { wait: timesAround(400, 5_000), hold: timesAround(100, 5_000) },
      {},
    ],
    [
      'few requests came on a connection that had one',
      {},
      { clients: { between: timesAround(1_000, 500) } },
    ],
  ] as const) {
    it(`is not estimated where ${why}`, () => {
      const { size, ...rest } = { ...pool, ...changed };
      const changedPool = { ...rest, ...(size !== undefined && { size }) };
      const { clients, ...others } = { ...recording(), ...other };
      const changedRecording = { ...others, ...(clients && { clients }) };
      strictEqual(poolAdviceOf(changedPool, changedRecording), undefined);
    });
  }
});
