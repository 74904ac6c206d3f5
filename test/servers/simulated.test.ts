import { deepStrictEqual, match, ok, rejects, strictEqual } from 'node:assert/strict';
import { connect } from 'node:net';
import { once } from 'node:events';
import pg from 'pg';
import { keep, type KeptServer } from '../../src/proof/servers/keep.ts';
import { onClient } from './loopback.ts';

describe('the simulated server', () => {
  let server: KeptServer;

  before(async () => {
    const started = await keep({ server: 'simulated' });
    ok(started.state === 'ready', JSON.stringify(started));
    server = started;
  });
  after(() => server.stop());

  it('says that it is simulated', () => {
    strictEqual(server.label, 'simulated server');
  });

  it('answers what waits and what is constant, in both protocols', async () => {
    await onClient(server.url, async (client) => {
      const rows = async (text: string, values?: unknown[]) =>
        (await client.query<Record<string, unknown>>(text, values)).rows;
      deepStrictEqual(await rows('SELECT 1'), [{ '?column?': 1 }]);
      deepStrictEqual(await rows(`SELECT 'taken' AS element, 3 AS count;`), [
        { element: 'taken', count: 3 },
      ]);
      deepStrictEqual(await rows('SELECT $1::int AS id, $2 AS note', [7, 'a']), [
        { id: 7, note: 'a' },
      ]);
      deepStrictEqual(await rows('SELECT pg_sleep($1)', [0.001]), [{ pg_sleep: '' }]);
      deepStrictEqual(await rows('BEGIN'), []);
      deepStrictEqual(await rows('COMMIT'), []);
    });
  });

  it('answers a prepared statement again', async () => {
    await onClient(server.url, async (client) => {
      for (const id of [1, 2]) {
        const query = { name: 'job', text: 'SELECT $1::int AS id', values: [id] };
        deepStrictEqual((await client.query(query)).rows, [{ id }]);
      }
    });
  });

  it('makes nothing up', async () => {
    await onClient(server.url, async (client) => {
      const unknown = /does not support "SELECT note FROM jobs/;
      await rejects(client.query('SELECT note FROM jobs'), unknown);
      await rejects(client.query('SELECT note FROM jobs WHERE id = $1', [1]), unknown);
      await rejects(client.query('INSERT INTO jobs VALUES (1)'), /that needs PostgreSQL/);
      deepStrictEqual((await client.query('SELECT 2 AS id')).rows, [{ id: 2 }]);
    });
  });

  it('lets connections wait side by side, and turns away too many', async () => {
    const pool = new pg.Pool({ connectionString: server.url, max: 225 });
    const all = await Promise.allSettled(
      Array.from({ length: 225 }, () => pool.query('SELECT pg_sleep(0.2)')),
    );
    await pool.end();
    const failures = all.flatMap((it) => (it.status === 'rejected' ? [it.reason as Error] : []));
    strictEqual(failures.length, 5);
    match(failures[0]!.message, /too many clients/);
  });

  it('closes a connection that does not speak its protocol', async () => {
    for (const said of [
      'GET / HTTP/1.1\r\n\r\n',
      Buffer.alloc(64),
      Buffer.from([0, 0, 0, 8, 9, 9, 9, 9]),
    ]) {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.write(said);
      await once(socket, 'close');
    }
    await onClient(server.url, (client) => client.query('SELECT 1'));
  });
});
