import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as nap } from 'node:timers/promises';
import { driverOf, queryOf } from '../drivers/index.ts';
import { createSampler } from '../harness/statistics.ts';
import { createTrace } from '../harness/trace.ts';
import type { Database } from '../servers/database.ts';

/** The published test took its time; here every time is a tenth, so that the number of requests is the same. */
const TIME_SCALE = 10;

/** How many users there are at the end of each stage; in between they come one by one. */
const STAGES = [10, 30, 60, 100, 150] as const;
/** The publication does not state how long a stage is: this fits its counts. */
const STAGE_MS = 20_000 / TIME_SCALE;
const THINK_MS = 100 / TIME_SCALE;
/** The time of a query, from 4,040 requests over 10 connections. */
const QUERY_MS = 200 / TIME_SCALE;

const SAMPLED_EVERY_MS = 10;

/** Durations are in the published test's time. */
export interface RampResult {
  readonly requests: number;
  readonly averageMs: number;
  readonly p95Ms: number;
  readonly peakQueue: number;
  readonly stages: readonly {
    readonly users: number;
    readonly meanQueue: number;
    readonly p95Ms: number;
  }[];
}

/** An HTTP server over a pool of `size`, and users who come in stages: each asks, waits for the answer, and thinks. */
export async function ramp(
  database: Database,
  size: number,
  signal: AbortSignal,
): Promise<RampResult> {
  const sql = await driverOf(database, database.url, createTrace());
  const pool = sql.pool({ max: size });
  const text = queryOf(database.kind, QUERY_MS);
  const server = createServer((_, response) => {
    pool.query(text).then(
      () => response.end('ok'),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  try {
    return await crowdIn(
      () => ask(port, agent),
      () => pool.waitingCount,
      signal,
    );
  } finally {
    agent.destroy();
    server.closeAllConnections();
    server.close();
    await sql.close();
  }
}

async function crowdIn(
  request: () => Promise<void>,
  queue: () => number,
  signal: AbortSignal,
): Promise<RampResult> {
  const all = createSampler();
  let inStage = createSampler();
  let totalMs = 0;
  const crowd = enter(request, signal, (ms) => {
    all.add(ms);
    inStage.add(ms);
    totalMs += ms;
  });
  const start = performance.now();
  const stages: RampResult['stages'][number][] = [];
  let peakQueue = 0;
  for (const [i, users] of STAGES.entries()) {
    inStage = createSampler();
    const queues = await sampledUntil(start + (i + 1) * STAGE_MS, queue, signal);
    peakQueue = Math.max(peakQueue, ...queues);
    const meanQueue = queues.reduce((sum, it) => sum + it, 0) / queues.length;
    stages.push({ users, meanQueue, p95Ms: inStage.distribution().p95Ms * TIME_SCALE });
  }
  const { count } = all;
  const { p95Ms } = all.distribution();
  await crowd.leave();
  return {
    requests: count,
    averageMs: (totalMs / count) * TIME_SCALE,
    p95Ms: p95Ms * TIME_SCALE,
    ...{ peakQueue, stages },
  };
}

/** Users who start one at a time and stay until they are stopped; requests sent before that are answered. */
function enter(request: () => Promise<void>, signal: AbortSignal, onDone: (ms: number) => void) {
  const over = new AbortController();
  const stays = () => !over.signal.aborted && !signal.aborted;
  const user = async (delayMs: number) => {
    await nap(delayMs);
    while (stays()) {
      const asked = performance.now();
      await request();
      if (stays()) onDone(performance.now() - asked);
      await nap(THINK_MS);
    }
  };
  const users = Promise.allSettled(arrivalsMs().map(user));
  return {
    async leave() {
      over.abort();
      const failed = (await users).find((it) => it.status === 'rejected');
      if (failed) throw failed.reason;
    },
  };
}

async function sampledUntil(end: number, queue: () => number, signal: AbortSignal) {
  const lengths: number[] = [];
  while (performance.now() < end && !signal.aborted) {
    await nap(SAMPLED_EVERY_MS);
    lengths.push(queue());
  }
  return lengths;
}

/** When each user comes. */
function arrivalsMs(): readonly number[] {
  return STAGES.flatMap((many, i) => {
    const before = STAGES[i - 1] ?? 0;
    const missing = many - before;
    return Array.from({ length: missing }, (_, k) => STAGE_MS * (i + k / missing));
  });
}

function ask(port: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error('a query of the server failed'));
      });
    }).on('error', reject);
  });
}
