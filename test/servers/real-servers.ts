// Against servers that npm does not bring: `npm run test:servers`, with POSTGRES_URL and MYSQL_URL.
import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import type { DatabaseKind } from '../../src/proof/case.ts';
import { startDatabase, type Database } from '../../src/proof/servers/database.ts';
import { keep } from '../../src/proof/servers/keep.ts';
import { newName } from '../../src/proof/servers/lent/names.ts';
import { findInstalledPostgres } from '../../src/proof/servers/postgres-binaries.ts';
import { fakeCli, type FakeCli } from '../fakes/cli.ts';
import {
  borrowing,
  killAll,
  madeAt,
  untilNothingIsMadeAt,
  untilTheirEndIsSeenAt,
} from './lent-runs.ts';
import { killedParent, onClient, onMysqlConnection } from './loopback.ts';

const ROWS = 20;

describe('a PostgreSQL of the user', () => {
  let database: Database;
  before(async () => {
    database = await atUrl('POSTGRES_URL', 'postgres');
  });

  it('describes itself', () => {
    match(database.label, /^PostgreSQL \d+\.\d+$/);
    strictEqual(database.origin, 'url');
  });

  it('counts flushes, connections and round trips', async () => {
    const proxy = await database.delayed(0);
    await onClient(proxy.url, async (client) => {
      // Others may use the server, and run this test at the same time.
      const table = `public.deadtime_counted_${process.pid}`;
      await client.query(`CREATE TABLE ${table} (id int)`);
      const before = [await database.counters([client]), await proxy.traffic()] as const;
      for (let i = 0; i < ROWS; i++) {
        await client.query(`INSERT INTO ${table} VALUES ($1)`, [i]);
      }
      const traffic = await proxy.traffic();
      const after = await database.counters([client]);
      await client.query(`DROP TABLE ${table}`);
      strictEqual(traffic.roundTrips - before[1].roundTrips, ROWS);
      strictEqual(traffic.connections, 1);
      ok(after['fsyncs']! - before[0]['fsyncs']! >= ROWS);
    });
    await proxy.close();
  });

  it('holds messages back, each way', async () => {
    const proxy = await database.delayed(30);
    await onClient(proxy.url, async (client) => {
      const start = performance.now();
      await client.query('SELECT 1');
      ok(performance.now() - start >= 30);
    });
    await proxy.close();
  });
});

for (const variable of ['POSTGRES_URL', 'MYSQL_URL']) {
  describe(`what a proof makes at ${variable}`, function () {
    this.timeout(60_000);
    let cli: FakeCli;
    before(async () => (cli = await fakeCli()));
    after(() => cli.remove());

    it('is gone after a proof that was killed', async () => {
      const url = process.env[variable]!;
      const proof = await borrowing(cli.entry, url);
      proof.kill('SIGKILL');
      await untilNothingIsMadeAt(url);
    });

    it('is gone when the next proof has started, where every process was killed', async () => {
      const url = process.env[variable]!;
      await killAll(await borrowing(cli.entry, url));
      await untilTheirEndIsSeenAt(url);
      ok((await madeAt(url)).length > 0);
      const next = await startDatabase({ url, lending: { name: newName(), makes: ['tables'] } });
      ok(next.state === 'ready', JSON.stringify(next));
      deepStrictEqual(next.left, []);
      await next.close();
      deepStrictEqual(await madeAt(url), []);
    });
  });
}

describe('an installed PostgreSQL', () => {
  it('is started where npm has brought none', async () => {
    const binaries = findInstalledPostgres();
    ok(binaries, 'no PostgreSQL in the PATH or in /usr/lib/postgresql');
    const server = await keep({ server: 'postgres', binaries });
    ok(server.state === 'ready', JSON.stringify(server));
    await onClient(server.url, (client) => client.query('SELECT 1'));
    await server.stop();
    strictEqual(server.label, `PostgreSQL ${binaries.version}`);
  });
});

describe('a MariaDB or MySQL of the user', () => {
  it('describes itself, and counts round trips', async () => {
    const database = await atUrl('MYSQL_URL', 'mysql');
    match(database.label, /^(?:MariaDB|MySQL) \d+\.\d+\.\d+$/);
    const proxy = await database.delayed(0);
    await onMysqlConnection(proxy.url, async (connection) => {
      const before = await proxy.traffic();
      for (let i = 0; i < 7; i++) await connection.query('SELECT ?', [i]);
      const after = await proxy.traffic();
      deepStrictEqual([after.connections, after.roundTrips - before.roundTrips], [1, 7]);
    });
    await proxy.close();
  });
});

describe('an installed MariaDB or MySQL', function () {
  this.timeout(60_000);

  it('is started, and rejects clients without the password', async () => {
    const database = await startDatabase({ kinds: ['mysql'] });
    ok(database.state === 'ready', JSON.stringify(database));
    strictEqual(database.origin, 'path');
    await onMysqlConnection(database.url, async (connection) => {
      await connection.query('CREATE TABLE jobs (id int)');
      await connection.query('INSERT INTO jobs VALUES (1)');
      await connection.query('DROP TABLE jobs');
      deepStrictEqual(await database.counters([connection]), {});
    });
    for (const user of ['deadtime', 'root', 'nobody']) {
      const url = new URL(database.url);
      url.username = user;
      url.password = '';
      const refused = await startDatabase({ url: url.href });
      ok(refused.state === 'failed');
      match(refused.message, /Access denied/);
    }
    await database.close();
  });

  it('ends with a parent that is killed', async () => {
    deepStrictEqual(await killedParent('mysql'), { wereListening: [true, true] });
  });
});

async function atUrl(variable: string, kind: DatabaseKind): Promise<Database> {
  const url = process.env[variable];
  ok(url, `${variable} is not set`);
  const database = await startDatabase({ url, kinds: [kind] });
  ok(database.state === 'ready', JSON.stringify(database));
  return database;
}
