import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Trace } from './case.ts';
import { lanes } from './drivers/index.ts';

/** Another service, on loopback: it answers each request after `ms`. */
export interface Origin {
  /** One request over a connection that is kept, and its whole answer. */
  request(): Promise<string>;
  /** How many connections were opened to it. */
  connections(): number;
  close(): Promise<void>;
}

export async function startOrigin(ms: number, trace: Trace): Promise<Origin> {
  const server = createServer((_, response) => {
    setTimeout(() => response.end('{"ok":true}'), ms);
  });
  let connections = 0;
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const request = lanes(trace, 'request');
  return {
    request: () => request(() => textOf(`http://127.0.0.1:${port}/`, agent)),
    connections: () => connections,
    async close() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function textOf(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve(text));
      response.on('error', reject);
    }).on('error', reject);
  });
}
