import { startOwnProcess } from './own-process.ts';
import type { ProxyOrder, ProxyReport, Traffic } from './proxy-messages.ts';
import { defaultPort } from './url.ts';

/** A server behind a proxy of ours. */
export interface Proxied {
  readonly url: string;
  /** Exact. */
  traffic(): Promise<Traffic>;
  close(): Promise<void>;
}

/**
 * Puts a proxy before the server at `url`: every message is held back, half of `roundTripMs` in each direction, in order, and
 * counted; 0 only counts. The TCP handshake is not delayed, because the proxy itself accepts: a new connection costs one
 * round trip more on a real network. It ends with this process.
 */
export async function openProxy(url: string, roundTripMs: number): Promise<Proxied> {
  const target = new URL(url);
  const proxy = startOwnProcess<ProxyOrder | 'traffic', ProxyReport>('delay-proxy');
  const report = await proxy.ask({
    host: target.hostname.replace(/^\[|\]$/g, ''),
    port: Number(target.port) || defaultPort(target),
    roundTripMs,
  });
  if (report?.state !== 'ready') {
    await proxy.end();
    const why = report?.state === 'failed' ? report.message : 'its process has ended';
    throw new Error(`The proxy did not start: ${why}`);
  }
  proxy.release();
  target.hostname = '127.0.0.1';
  target.port = String(report.port);
  return {
    url: target.href,
    async traffic() {
      const answer = await proxy.ask('traffic');
      proxy.release();
      if (answer?.state !== 'counted') throw new Error('The proxy has ended.');
      return answer.traffic;
    },
    close: () => proxy.end(),
  };
}
