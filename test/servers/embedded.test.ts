import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startDatabase, type Database } from '../../src/proof/servers/database.ts';
import { withCacheIn } from '../fakes/cache.ts';
import { temporaryProject } from '../projects.ts';
import { killedParent, onClient } from './loopback.ts';

describe('the embedded PostgreSQL', function () {
  this.timeout(60_000);
  let database: Database;

  before(async () => {
    const started = await startDatabase({ kinds: ['postgres'] });
    ok(started.state === 'ready', JSON.stringify(started));
    database = started;
  });
  after(() => database.close());

  it('describes itself', () => {
    const { kind, label, origin } = database;
    deepStrictEqual(
      { kind, label, origin },
      { kind: 'postgres', label: 'PostgreSQL 18.4 (embedded)', origin: 'embedded' },
    );
  });

  it('flushes once for each commit, and counts it exactly', async () => {
    await onClient(database.url, async (client) => {
      await client.query('CREATE TABLE counted (id int)');
      const before = await database.counters([client]);
      for (let i = 0; i < 20; i++) await client.query('INSERT INTO counted VALUES (1)');
      const after = await database.counters([client]);
      await client.query('DROP TABLE counted');
      strictEqual(after['fsyncs']! - before['fsyncs']!, 20);
    });
  });

  it('counts connections and round trips through the proxy', async () => {
    const proxy = await database.delayed(0);
    const before = await proxy.traffic();
    await onClient(proxy.url, async (client) => {
      await client.query('SELECT 1');
      const first = await proxy.traffic();
      for (let i = 0; i < 7; i++) await client.query(`SELECT repeat('x', 1000000), $1::int`, [i]);
      const { connections, roundTrips } = await proxy.traffic();
      deepStrictEqual([before.roundTrips, connections, roundTrips - first.roundTrips], [0, 1, 7]);
    });
    await proxy.close();
  });

  it('gives two concurrent servers a folder each', async () => {
    const other = await startDatabase({ kinds: ['postgres'] });
    ok(other.state === 'ready');
    const folders = await Promise.all([database.url, other.url].map(dataFolderAt));
    await other.close();
    strictEqual(new Set(folders).size, 2);
    strictEqual(existsSync(folders[1]!), false);
    await onClient(database.url, (client) => client.query('SELECT 1'));
  });

  it('ends with a parent that is killed, and so does the proxy', async () => {
    deepStrictEqual(await killedParent('postgres'), { wereListening: [true, true] });
  });

  it('ends when it is cancelled in the middle of the start', async () => {
    const controller = new AbortController();
    const pending = startDatabase({ kinds: ['postgres'], signal: controller.signal });
    controller.abort();
    deepStrictEqual(await pending, {
      state: 'failed',
      message: 'PostgreSQL 18.4 did not start: it was stopped',
    });
  });

  it('closes after the server has ended by itself', async () => {
    const other = await startDatabase({ kinds: ['postgres'] });
    ok(other.state === 'ready');
    await onClient(other.url, async (client) => {
      const { rows } = await client.query<{ pid: string }>(
        `SELECT split_part(pg_read_file('postmaster.pid'), E'\n', 1) AS pid`,
      );
      process.kill(Number(rows[0]!.pid), 'SIGKILL');
    });
    await other.close();
    const next = await startDatabase({ url: other.url });
    ok(next.state === 'failed');
    match(next.message, /does not answer: connect ECONNREFUSED/);
  });

  it('neither reads nor writes what a project brings for a cache', async () => {
    const { platform, arch } = process;
    const kinds = ['self', 'namespace', 'nobody'].map(
      (it) => `postgres-18.4-embedded-${platform}-${arch}-${it}.ready-1`,
    );
    const brought = kinds.flatMap((it) => [
      [`node_modules/.cache/deadtime/${it}/data/postgresql.conf`, 'not = a setting'] as const,
      [`node_modules/.cache/deadtime/${it}/password`, 'known'] as const,
    ]);
    const project = temporaryProject(new Map([...brought, ['precious', 'precious']]));
    for (const it of kinds) {
      const log = project.pathOf(`node_modules/.cache/deadtime/${it}/log`);
      symlinkSync(project.pathOf('precious'), log);
    }
    const putBack = withCacheIn(project.pathOf('home'));
    const [cwd, execArgv] = [process.cwd(), process.execArgv];
    // What tests are run with is found from their folder alone.
    process.execArgv = ['--import', pathToFileURL('node_modules/tsx/dist/loader.mjs').href];
    process.chdir(project.root);
    try {
      const own = await startDatabase({ kinds: ['postgres'] });
      ok(own.state === 'ready', JSON.stringify(own));
      await own.close();
      strictEqual(readFileSync(project.pathOf('precious'), 'utf8'), 'precious');
      ok(!own.dataFolder!.includes('node_modules'), own.dataFolder);
    } finally {
      process.chdir(cwd);
      process.execArgv = execArgv;
      putBack();
      project.remove();
    }
  });

  it('makes a new directory where the kept one is broken', async () => {
    const scratch = temporaryProject(new Map());
    const putBack = withCacheIn(scratch.root);
    const started = async () => {
      const own = await startDatabase({ kinds: ['postgres'] });
      ok(own.state === 'ready', JSON.stringify(own));
      return own;
    };
    const { dataFolder, close } = await started();
    await close();
    const cache = dirname(dataFolder!);
    for (const it of readdirSync(cache).filter((name) => name.includes('.ready-'))) {
      writeFileSync(join(cache, it, 'data', 'PG_VERSION'), '7\n');
    }
    const again = await started();
    await onClient(again.url, (client) => client.query('SELECT 1'));
    await again.close();
    putBack();
    scratch.remove();
  });

  it('rejects clients without the password', async () => {
    const url = new URL(database.url);
    url.password = 'wrong';
    const refused = await startDatabase({ url: url.href });
    ok(refused.state === 'failed');
    match(
      refused.message,
      /^postgres:\/\/postgres:\*\*\*@127\.0\.0\.1.* password authentication failed/,
    );
  });
});

async function dataFolderAt(url: string): Promise<string> {
  return onClient(url, async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]!.data_directory;
  });
}
