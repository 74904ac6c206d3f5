import { deepStrictEqual, match, ok, rejects, strictEqual } from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { runLoad } from '../../src/proof/measure/pool-load.ts';
import {
  assumedThinkMs,
  poolSize,
  predictionFor,
  testedSizes,
} from '../../src/proof/measure/pool-size.ts';
import { planOf } from '../../src/proof/measure/pool-test.ts';
import type { PoolDemand } from '../../src/proof/measure/results.ts';

const demand: PoolDemand = {
  users: 150,
  queryMs: 150,
  thinkMs: 100,
  isThinkAssumed: false,
  workers: 1,
  serverMax: 100,
  isServerMaxAssumed: true,
};

describe('the size of a pool', () => {
  it('is Little’s law, next to the published formula', () => {
    const { wanted, published, allowed, size, requestsPerSecond, connections, others } =
      poolSize(demand);
    deepStrictEqual(
      { wanted, published, allowed, size, requestsPerSecond, connections },
      { wanted: 90, published: 27, allowed: 97, size: 90, requestsPerSecond: 600, connections: 90 },
    );
    deepStrictEqual(
      others.map((it) => it.wanted),
      [150, 90, 20, 3],
    );
  });

  it('agrees with the published formula, but for its factor, when each user asks once a second', () => {
    const { wanted, published } = poolSize({ ...demand, thinkMs: assumedThinkMs(150) });
    deepStrictEqual([wanted, published], [23, 27]);
    strictEqual(assumedThinkMs(2_000), 0);
  });

  it('is divided among workers, and stays within what the server allows', () => {
    const sizes = (more: Partial<PoolDemand>) => {
      const { wanted, allowed, size } = poolSize({ ...demand, ...more });
      return [wanted, allowed, size];
    };
    deepStrictEqual(sizes({ workers: 4 }), [23, 24, 23]);
    deepStrictEqual(sizes({ workers: 4, serverMax: 50 }), [23, 11, 11]);
    deepStrictEqual(sizes({ workers: 100 }), [1, 0, 0]);
    deepStrictEqual(sizes({ users: 1, queryMs: 0.1, thinkMs: 60_000 }), [1, 97, 1]);
  });

  it('predicts a closed loop: throughput, response, queue', () => {
    const load = { users: 150, queryMs: 200, thinkMs: 100 };
    deepStrictEqual(predictionFor(10, load), {
      requestsPerSecond: 50,
      averageMs: 2_900,
      queue: 135,
    });
    deepStrictEqual(predictionFor(100, load), { requestsPerSecond: 500, averageMs: 200, queue: 0 });
  });

  it('is tested at four sizes, with the answer and the published one among them', () => {
    deepStrictEqual(testedSizes(poolSize(demand), 200), [27, 45, 68, 90]);
    deepStrictEqual(testedSizes({ size: 1, published: 1, allowed: 97 }, 200), [1, 2, 3, 4]);
    deepStrictEqual(testedSizes({ size: 24, published: 90, allowed: 24 }, 200), [6, 12, 18, 24]);
    deepStrictEqual(testedSizes({ size: 1, published: 9, allowed: 1 }, 200), [1]);
  });
});

describe('the test of a pool', () => {
  const planFor = (more: Partial<PoolDemand>) => planOf(poolSize({ ...demand, ...more }));

  it('takes the share of one worker, in less time', () => {
    const plan = planFor({ users: 600, workers: 4, queryMs: 200, thinkMs: 1_800, serverMax: 400 });
    ok('users' in plan);
    const { sizes, ...load } = plan;
    deepStrictEqual(load, { users: 150, queryMs: 50, thinkMs: 450, timeScale: 4 });
  });

  it('is not run where it would show nothing, or take too long', () => {
    const reason = (more: Partial<PoolDemand>) => {
      const plan = planFor(more);
      return 'reason' in plan ? plan.reason : 'it runs';
    };
    match(reason({ serverMax: 3 }), /no connection for each worker/);
    match(reason({ users: 5_000, serverMax: 10_000 }), /200 connections and 2000 users/);
    match(reason({ users: 100, queryMs: 1, thinkMs: 0 }), /test this process/);
    match(reason({ queryMs: 20, thinkMs: 60_000 }), /60000 ms take longer than a minute/);
    strictEqual(reason({}), 'it runs');
  });

  it('counts what ends within the window, and sees the queue', async () => {
    const pool = fakePool(2);
    const load = { users: 6, thinkMs: 1, spacingMs: 2, warmUpMs: 30, windowMs: 200 };
    const { requests, peakQueue, meanQueue, averageMs, requestsPerSecond } = await runLoad({
      ...load,
      request: () => pool.query(10),
      queue: () => pool.waiting(),
    });
    ok(requests > 0 && requestsPerSecond > 0 && averageMs >= 10);
    ok(peakQueue >= 1 && peakQueue <= 4 && meanQueue <= peakQueue);
  });

  it('ends with the request that fails', async () => {
    let asked = 0;
    const failing = runLoad({
      ...{ users: 3, thinkMs: 0, spacingMs: 1, warmUpMs: 60_000, windowMs: 60_000 },
      request: async () => {
        await delay(1);
        if (++asked > 5) throw new Error('the server has ended');
      },
      queue: () => 0,
    });
    await rejects(failing, /the server has ended/);
  });

  it('ends when it is cancelled, after the requests that are under way', async () => {
    const controller = new AbortController();
    let underWay = 0;
    const cancelled = runLoad({
      ...{ users: 3, thinkMs: 0, spacingMs: 0, warmUpMs: 60_000, windowMs: 60_000 },
      request: async () => {
        underWay++;
        await delay(5);
        underWay--;
        controller.abort();
      },
      queue: () => 0,
      signal: controller.signal,
    });
    await rejects(cancelled, { name: 'AbortError' });
    strictEqual(underWay, 0);
  });
});

function fakePool(size: number) {
  const waiting: (() => void)[] = [];
  let free = size;
  return {
    waiting: () => waiting.length,
    async query(ms: number) {
      if (free > 0) free--;
      else await new Promise<void>((taken) => waiting.push(taken));
      await delay(ms);
      const next = waiting.shift();
      if (next) next();
      else free++;
    },
  };
}
