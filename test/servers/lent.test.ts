import { deepStrictEqual, doesNotMatch, match, ok, strictEqual, throws } from 'node:assert/strict';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { type Database, startDatabase } from '../../src/proof/servers/database.ts';
import { loanAt } from '../../src/proof/servers/lent/loan.ts';
import { isOurs, markOf, newName } from '../../src/proof/servers/lent/names.ts';
import { fakeCli, type FakeCli } from '../fakes/cli.ts';
import {
  borrowing,
  killAll,
  madeAt,
  untilTheirEndIsSeenAt,
  untilNothingIsMadeAt,
} from './lent-runs.ts';
import { onClient } from './loopback.ts';

// A server that was started here stands for the user's.
describe('a database of the user', function () {
  this.timeout(300_000);
  let cli: FakeCli;
  let own: Database;
  before(async () => {
    cli = await fakeCli();
    const started = await startDatabase({ kinds: ['postgres'] });
    ok(started.state === 'ready', JSON.stringify(started));
    own = started;
  });
  after(async () => {
    await own.close();
    cli.remove();
  });

  const prove = (variant: string, ...args: readonly string[]) =>
    cli.run(['prove', `no-wait/${variant}`, '--max-seconds', '20', ...args], { cwd: tmpdir() });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const) {
    it(`has nothing of a proof left after ${signal}`, async function () {
      if (process.platform === 'win32') this.skip();
      const proof = await borrowing(cli.entry, own.url);
      const ended = once(proof, 'exit');
      proof.kill(signal);
      await ended;
      // Ctrl-C is answered when all is put away; a keeper outlives what else ends the proof.
      if (signal === 'SIGINT') deepStrictEqual(await madeAt(own.url), []);
      await untilNothingIsMadeAt(own.url);
    });
  }

  it('has nothing left of a proof whose processes were all killed, once the next one starts', async function () {
    if (process.platform !== 'linux') this.skip();
    await killAll(await borrowing(cli.entry, own.url));
    await untilTheirEndIsSeenAt(own.url);
    strictEqual((await madeAt(own.url)).length, 2);
    const next = await startDatabase({ url: own.url, lending: { name: newName(), makes: [] } });
    ok(next.state === 'ready', JSON.stringify(next));
    deepStrictEqual([await madeAt(own.url), next.left], [[], []]);
    await next.close();
  });

  it('keeps what is not provably left by a proof', async () => {
    const live = await startDatabase({
      ...{ url: own.url, lending: { name: newName(), makes: ['tables'] as const } },
    });
    ok(live.state === 'ready', JSON.stringify(live));
    const foreign = newName(new Date(0));
    await onClient(own.url, async (client) => {
      await client.query(`CREATE SCHEMA ${foreign}`);
      await client.query(`CREATE ROLE ${foreign}`);
      await client.query(`COMMENT ON ROLE ${foreign} IS 'ours'`);
      await client.query('CREATE TABLE public.deadtime_proof_rows (id int)');
      const before = await madeAt(own.url);
      const other = await startDatabase({ url: own.url, lending: { name: newName(), makes: [] } });
      ok(other.state === 'ready', JSON.stringify(other));
      await other.close();
      deepStrictEqual(await madeAt(own.url), before);
      strictEqual(before.length, 4);
      await client.query('DROP TABLE public.deadtime_proof_rows');
      await client.query(`DROP SCHEMA ${foreign}`);
      await client.query(`DROP ROLE ${foreign}`);
    });
    await live.close();
    deepStrictEqual(await madeAt(own.url), []);
  });

  it('runs no function that another user of it has made', async () => {
    // Each fits a call of ours better than PostgreSQL's own.
    const signatures = ['obj_description(oid, text)', 'version()', 'pg_sleep(numeric)'];
    await onClient(own.url, async (client) => {
      await client.query('CREATE TABLE public.calls (name text)');
      for (const it of signatures) {
        await client.query(
          `CREATE FUNCTION public.${it} RETURNS text LANGUAGE plpgsql AS
            $$ BEGIN INSERT INTO public.calls VALUES ('${it}'); RETURN ''; END $$`,
        );
      }
      const admin = new URL(own.url);
      admin.searchParams.set('options', '-c search_path=public,pg_catalog');
      const lent = await startDatabase({
        ...{ url: admin.href, lending: { name: newName(), makes: ['tables'] as const } },
      });
      ok(lent.state === 'ready', JSON.stringify(lent));
      await onClient(lent.url, (it) => it.query('SELECT pg_sleep(0.001)'));
      await lent.close();
      const { rows } = await client.query('SELECT name FROM public.calls');
      for (const it of signatures) await client.query(`DROP FUNCTION public.${it}`);
      await client.query('DROP TABLE public.calls');
      deepStrictEqual(rows, []);
    });
  });

  it('names objects that a later version recognizes as its own', () => {
    const name = newName(new Date('2026-11-21T12:00:00.000Z'));
    match(name, /^deadtime_proof_20261121t120000_[0-9a-f]{12}$/);
    ok(isOurs(name, markOf(name)));
    ok(!isOurs(name, markOf(newName())));
    ok(!isOurs('deadtime_proof_rows', markOf('deadtime_proof_rows')));
  });

  it('gets a role with a secret password, for some minutes, without further rights', async () => {
    const proof = await borrowing(cli.entry, own.url);
    await onClient(own.url, async (client) => {
      const { rows } = await client.query(
        `SELECT rolpassword LIKE 'SCRAM-SHA-256$4096:%' AS "isHashed", rolconnlimit AS "limit",
          rolvaliduntil BETWEEN now() AND now() + interval '5 minutes' AS "isShort",
          rolsuper OR rolcreatedb OR rolcreaterole OR rolinherit AS "mayMore"
        FROM pg_authid WHERE rolname LIKE 'deadtime%'`,
      );
      deepStrictEqual(rows, [{ isHashed: true, limit: 1, isShort: true, mayMore: false }]);
    });
    proof.kill('SIGINT');
    await once(proof, 'exit');
  });

  it('is not touched before its user has agreed', async () => {
    const { code, stdout, stderr } = await prove('borrows', '--database-url', own.url);
    deepStrictEqual([code, stdout], [2, '']);
    match(
      stderr,
      /^deadtime: postgres:\/\/postgres:\*\*\*@127\.0\.0\.1:\d+\/postgres\n {2}is PostgreSQL [\d.]+ on 127\.0\.0\.1:\d+, database postgres, with \d other sessions?\.\n {2}Deadtime measures there, with at most \d+ of \d+ free connections\.\n {2}Deadtime creates a schema deadtime_proof_\w+ with its own tables\.\n/,
    );
    match(
      stderr,
      /\ndeadtime: Nothing was measured, because there is no terminal for the question\. --yes skips the question\.\n$/,
    );
    doesNotMatch(stderr, new RegExp(new URL(own.url).password));
    deepStrictEqual(await madeAt(own.url), []);
  });

  it('is not asked about where nothing asks a database', async () => {
    const { code, stderr } = await prove('counts', '--database-url', own.url);
    deepStrictEqual([code, stderr], [0, '']);
  });

  it('gives no verdict where a proof wants more connections than it may take', async () => {
    const url = new URL(own.url);
    [url.username, url.password] = ['app', 'secret'];
    await onClient(own.url, (client) =>
      client.query(`CREATE ROLE app LOGIN PASSWORD 'secret' CONNECTION LIMIT 12`),
    );
    try {
      const { code, stdout } = await prove('hoards', '--yes', '--database-url', url.href);
      strictEqual(code, 1);
      // One is the keeper's, one looks: five of the ten are half, and two of those are such again.
      match(stdout, /more than 3 connections, the limit: half of the free ones/);
      doesNotMatch(stdout, /No difference seen/);
    } finally {
      await onClient(own.url, (client) => client.query('DROP ROLE app'));
    }
  });

  it('gives no verdict where the server refuses a connection after all', () => {
    const loan = loanAt({ kind: 'postgres', url: own.url }, { name: newName() });
    loan.note(Object.assign(new Error('syntax error'), { code: '42601' }));
    loan.assertKept();
    loan.note(Object.assign(new Error('sorry, too many clients already'), { code: '53300' }));
    throws(() => loan.assertKept(), /it refused one \("sorry, too many clients already"\)/);
  });

  it('gives no verdict where others are at work', async () => {
    await onClient(own.url, async (client) => {
      const work = client.query('SELECT pg_sleep(60)').catch(() => {});
      const { code, stdout } = await prove('hoards', '--yes', '--database-url', own.url);
      strictEqual(code, 1);
      match(
        stdout,
        /a quiet server: 1 session of other users is active, so its times are not valid/,
      );
      await onClient(own.url, (other) =>
        other.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%sleep(60)' AND pid <> pg_backend_pid()`,
        ),
      );
      await work;
    });
  });

  it('names the missing right for tables', async () => {
    const url = new URL(own.url);
    [url.username, url.password] = ['reader', 'secret'];
    await onClient(own.url, (client) => client.query(`CREATE ROLE reader LOGIN PASSWORD 'secret'`));
    try {
      const { code, stdout } = await prove('borrows', '--yes', '--database-url', url.href);
      strictEqual(code, 1);
      match(
        stdout,
        /the right to create a schema there: GRANT CREATE ON DATABASE postgres TO reader/,
      );
    } finally {
      await onClient(own.url, (client) => client.query('DROP ROLE reader'));
    }
  });
});
