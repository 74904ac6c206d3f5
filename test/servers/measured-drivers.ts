// Against servers that npm does not bring: `npm run test:servers`, with POSTGRES_URL, MYSQL_URL and REDIS_URL.
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Recording } from '../../src/runtime/recording.ts';
import { builtCli } from '../fakes/built-cli.ts';
import { folderWith } from '../fakes/folder.ts';
import { recordingOf, runIn } from '../runtime/measured-program.ts';

/** Its pools have one connection, so that of three queries two wait. */
const program = `import Redis from 'ioredis';
import mysql from 'mysql2/promise';
import pg from 'pg';
import postgres from 'postgres';

const { MYSQL_URL, POSTGRES_URL, REDIS_URL } = process.env;
const pool = new pg.Pool({ connectionString: POSTGRES_URL, max: 1 });
const other = mysql.createPool({ uri: MYSQL_URL, connectionLimit: 1 });
const redis = new Redis(REDIS_URL, { lazyConnect: true });
const sql = postgres(POSTGRES_URL, { fetch_types: false });

await Promise.all([1, 2, 3].map((it) => pool.query('SELECT $1::int AS id', [it])));
await pool.query('SELECT 1 FROM deadtime_nowhere').catch(() => undefined);
await Promise.all([1, 2, 3].map((it) => other.query('SELECT ? AS id', [it])));
const connection = await other.getConnection();
await connection.execute('SELECT ? AS note', ['secret']);
connection.release();
await redis.connect();
await redis.get('deadtime:secret');
await redis.pipeline().get('deadtime:secret').exists('deadtime:secret').exec();
await sql\`SELECT \${'secret'} AS note\`;
await Promise.all([pool.end(), other.end(), redis.quit(), sql.end()]);
`;

describe('a program with drivers of real servers', function () {
  this.timeout(300_000);
  let recording: Recording;
  before(async () => {
    const cli = await builtCli();
    const { path } = folderWith({
      'main.js': program,
      'package.json':
        '{ "name": "shop", "type": "module", "dependencies": { "ioredis": "6", "mysql2": "3", "pg": "8", "postgres": "3" } }',
    });
    symlinkSync(resolve('node_modules'), join(path, 'node_modules'));
    for (const variable of ['POSTGRES_URL', 'MYSQL_URL', 'REDIS_URL']) {
      ok(process.env[variable], `${variable} is not set`);
    }
    const { status, stderr } = runIn(path, [cli, 'run', '--', process.execPath, 'main.js']);
    strictEqual(status, 0, stderr);
    recording = recordingOf(path);
  });

  it('has each statement counted at its line', () => {
    const sent = recording.sites
      .flatMap(({ at, driver }) =>
        (driver?.statements ?? []).map((it) => [at.line, it.statement, it.count] as const),
      )
      // The set-up of a connection to Redis depends on its version.
      .filter(([, statement]) => /^(?:SELECT|GET|EXISTS)\b/.test(statement))
      .toSorted(([a], [b]) => a - b);
    deepStrictEqual(sent, [
      [12, 'SELECT $1::int AS id', 3],
      [13, 'SELECT ? FROM deadtime_nowhere', 1],
      [14, 'SELECT ? AS id', 3],
      [16, 'SELECT ? AS note', 1],
      [19, 'GET', 1],
      [20, 'GET', 1],
      [20, 'EXISTS', 1],
      [21, 'SELECT ? AS note', 1],
    ]);
  });

  it('has the waits for its pools counted', () => {
    const pools = recording.pools.map(({ driver, size, wait, hold, mostHeld, mostWaiting }) => [
      ...[driver, size, wait.count, hold.count],
      ...[mostHeld, mostWaiting],
    ]);
    deepStrictEqual(pools.toSorted(), [
      ['mysql2', 1, 4, 4, 1, 2],
      ['pg', 1, 4, 4, 1, 2],
    ]);
    const waits = recording.sites.flatMap(({ at, driver }) =>
      driver?.pool ? [[at.line, driver.pool.count] as const] : [],
    );
    deepStrictEqual(
      waits.toSorted(([one], [other]) => one - other),
      [
        [12, 3],
        [13, 1],
        [14, 3],
        [15, 1],
      ],
    );
  });

  it('has no rejection but its own, and no value stored', () => {
    const rejected = recording.databases
      .filter((it) => it.driver !== 'ioredis')
      .map(({ driver, statements, rejected: count }) => [driver, statements, count]);
    deepStrictEqual(rejected.toSorted(), [
      ['mysql2', 4, 0],
      ['pg', 4, 1],
      ['postgres', 1, 0],
    ]);
    strictEqual(JSON.stringify(recording).includes('secret'), false);
  });
});
