import { deepStrictEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { startDatabase } from '../../src/proof/servers/database.ts';

describe('servers of proofs', () => {
  it('listen on the given address', () => {
    const strays = globSync('src/proof/**/*.ts').flatMap((path) => {
      const calls = readFileSync(path, 'utf8').match(/^.*\bserver\.listen\(.*$/gm) ?? [];
      return calls.filter((it) => !it.includes("'127.0.0.1'")).map((it) => `${path}: ${it}`);
    });
    deepStrictEqual(strays, []);
  });

  it('listen on this machine only', async function () {
    // The kernel says so elsewhere, too, but not in a file.
    if (process.platform !== 'linux') this.skip();
    this.timeout(60_000);
    const before = listening();
    const started = await startDatabase({});
    ok(started.state === 'ready', JSON.stringify(started));
    const proxy = await started.delayed(1);
    try {
      const ports = [started.url, proxy.url].map((it) => Number(new URL(it).port));
      const opened = listening().filter(({ address, port }) =>
        before.every((it) => it.address !== address || it.port !== port),
      );
      deepStrictEqual(
        ports.map((port) => opened.filter((it) => it.port === port).map((it) => it.address)),
        [['0100007F'], ['0100007F']],
      );
    } finally {
      await started.close();
    }
  });
});

/** Addresses are in hexadecimal, the last byte first. */
function listening(): readonly { readonly address: string; readonly port: number }[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((path) =>
    Array.from(
      readFileSync(path, 'utf8').matchAll(/^ *\d+: (\w+):(\w{4}) \w+:\w+ 0A /gm),
      ([, address = '', port = '']) => ({ address, port: Number.parseInt(port, 16) }),
    ),
  );
}
