import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn, setTimeout as nap } from 'node:timers/promises';
import type { MachineProfile } from './results.ts';
import { timed } from './times.ts';

const CLIENTS = 4;
const ANSWER = JSON.stringify({ status: 'ok', checks: Array.from({ length: 20 }, (_, i) => i) });

/** What giving up the event loop costs in this process: with setImmediate, under other work, and with a timer. */
export async function measureLoopTurns(signal?: AbortSignal): Promise<MachineProfile['loopTurn']> {
  const many = { most: 100_000, ms: 250, warmUp: 1_000, signal };
  const idle = await timed(() => turn(), many);
  const timer = await timed(() => nap(0), { ...many, warmUp: 10 });
  const traffic = await startTraffic();
  try {
    const busy = await timed(() => turn(), { ...many, ms: 500 });
    return { idle, busy, timer };
  } finally {
    await traffic.stop();
  }
}

/** An HTTP server of this process and its clients, each of which asks again as soon as it has its answer. */
async function startTraffic(): Promise<{ stop(): Promise<void> }> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(ANSWER);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const over = new AbortController();
  const client = async () => {
    while (!over.signal.aborted) await answered({ port, agent });
  };
  const clients = Array.from({ length: CLIENTS }, client);
  return {
    async stop() {
      over.abort();
      await Promise.allSettled(clients);
      agent.destroy();
      server.close();
    },
  };
}

function answered({ port, agent }: { port: number; agent: Agent }): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent }, (response) => {
      response.resume();
      response.once('end', resolve);
    }).once('error', reject);
  });
}
