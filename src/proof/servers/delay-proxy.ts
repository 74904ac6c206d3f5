// A process of its own: what it spends on waiting exactly is not taken from the benchmark's event loop.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { ProxyOrder, ProxyReport, Traffic } from './proxy-messages.ts';

/** A timer fires up to this much late, so the last part is waited for by turns of the event loop. */
const POLLED_MS = 1.5;

/** What waits for one socket: in order, each piece until its time. */
interface Held {
  readonly due: number;
  deliver(): void;
}

const queue: Held[] = [];
const traffic: { -readonly [K in keyof Traffic]: number } = { connections: 0, roundTrips: 0 };

process.once('message', ({ host, port, roundTripMs }: ProxyOrder) => {
  const server = createServer({ noDelay: true }, (client) => {
    traffic.connections++;
    const upstream = connect({ host, port, noDelay: true });
    join(client, upstream, roundTripMs / 2);
  });
  server.once('error', ({ message }) => tell({ state: 'failed', message }));
  server.listen(0, '127.0.0.1', () => {
    tell({ state: 'ready', port: (server.address() as AddressInfo).port });
  });
  process.on('message', () => tell({ state: 'counted', traffic }));
});
process.once('disconnect', () => process.exit());

function tell(report: ProxyReport): void {
  if (process.connected) process.send?.(report);
}

function join(client: Socket, upstream: Socket, delayMs: number): void {
  // A round trip is the server's first word after the client's: an answer in pieces is one, and so is a request in pieces.
  let hasAsked = false;
  pass(client, upstream, delayMs, () => {
    hasAsked = true;
  });
  pass(upstream, client, delayMs, () => {
    if (hasAsked) traffic.roundTrips++;
    hasAsked = false;
  });
}

function pass(from: Socket, to: Socket, delayMs: number, onData: () => void): void {
  from.on('data', (data) => {
    onData();
    hold(delayMs, () => {
      if (!to.destroyed && !to.write(data)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
  });
  // 'close' follows, and is what is passed on.
  from.on('error', () => {});
  from.on('close', () => hold(delayMs, () => to.destroySoon()));
}

let isWaiting = false;

/** Every piece waits equally long, so the oldest is due first. */
function hold(delayMs: number, deliver: () => void): void {
  queue.push({ due: performance.now() + delayMs, deliver });
  if (!isWaiting) wait();
}

function wait(): void {
  const now = performance.now();
  while (queue[0] && queue[0].due <= now) queue.shift()!.deliver();
  isWaiting = queue.length > 0;
  if (!queue[0]) return;
  const leftMs = queue[0].due - now;
  if (leftMs > POLLED_MS) setTimeout(wait, leftMs - POLLED_MS);
  else setImmediate(wait);
}
