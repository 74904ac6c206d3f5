import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection, type Connection } from 'mysql2/promise';
import pg from 'pg';

/** A process that has started a database and waits; it is killed with SIGKILL. */
export async function killedParent(kind: 'postgres' | 'mysql') {
  const parent = spawn(
    process.execPath,
    [...process.execArgv, 'test/fakes/database-parent.ts', kind],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = (await once(parent.stdout.setEncoding('utf8'), 'data')) as [string];
  const { url, proxyUrl, dataFolder } = JSON.parse(line) as Record<string, string>;
  const ports = [url!, proxyUrl!].map((it) => Number(new URL(it).port));
  const wereListening = await Promise.all(ports.map(isListening));
  parent.kill('SIGKILL');
  // Mocha's time limit is what fails when one of them stays.
  while ((await Promise.all(ports.map(isListening))).some(Boolean) || existsSync(dataFolder!)) {
    await delay(20);
  }
  return { wereListening };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
  });
}

export async function onClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function onMysqlConnection<T>(
  url: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await createConnection(url);
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}
