import { match, ok, strictEqual } from 'node:assert/strict';
import { builtCli } from '../fakes/built-cli.ts';
import { folderWith } from '../fakes/folder.ts';
import { runIn } from './measured-program.ts';
import { pgDriver } from './pg-driver.ts';

/** With each of the patterns that the rules are about, in requests and in a worker. */
const server = `
import { createServer, get } from 'node:http';
import { pbkdf2, pbkdf2Sync } from 'node:crypto';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

const pool = new pg.Pool({ max: 4, connectionTimeoutMillis: 5_000 });
const derive = promisify(pbkdf2);

async function reads() {
  const orders = await pool.query('SELECT count(*) FROM orders');
  const users = await pool.query('SELECT count(*) FROM users');
  const items = await pool.query('SELECT count(*) FROM items');
  return [orders, users, items];
}

async function keys() {
  const a = await derive('a', 'salt', 20_000, 32, 'sha256');
  const b = await derive('b', 'salt', 20_000, 32, 'sha256');
  const c = await derive('c', 'salt', 20_000, 32, 'sha256');
  const d = await derive('d', 'salt', 20_000, 32, 'sha256');
  const e = await derive('e', 'salt', 20_000, 32, 'sha256');
  const f = await derive('f', 'salt', 20_000, 32, 'sha256');
  return [a, b, c, d, e, f];
}

async function sums(rows) {
  let sum = 0;
  for (const row of rows) {
    sum += row;
    await turn();
  }
  return sum;
}

async function stores(rows) {
  for (const row of rows) await pool.query('INSERT INTO readings (value) VALUES ($1)', [row]);
}

async function names(ids) {
  return Promise.all(
    ids.map(async (id) => {
      const { rows } = await pool.query('SELECT name FROM users WHERE id = $1', [id]);
      return rows[0];
    }),
  );
}

function hashOf(password) {
  return pbkdf2Sync(password, 'salt', 10_000, 32, 'sha256').toString('hex');
}

let polls = 0;
async function mails() {
  for (;;) {
    const { rows } = await pool.query('SELECT id FROM mails LIMIT 1');
    if (polls++ % 5 === 0) await sleep(100);
    else await pool.query('DELETE FROM mails WHERE id = $1', [rows[0]?.id]);
  }
}

const rows = Array.from({ length: 20 }, (_, i) => i);
const app = createServer(async (request, response) => {
  if (request.url === '/reads') await reads();
  if (request.url === '/keys') await keys();
  if (request.url === '/sums') await sums(rows);
  if (request.url === '/stores') await stores(rows);
  if (request.url === '/names') await names(rows);
  if (request.url === '/hash') response.write(hashOf('a'));
  response.end();
});
app.listen(0, '127.0.0.1', async () => {
  void mails();
  const { port } = app.address();
  for (let i = 0; i < 30; i++) {
    for (const path of ['/reads', '/keys', '/sums', '/stores', '/names', '/hash']) {
      await new Promise((done) => get({ port, path, agent: false }, (it) => it.resume().on('end', done)));
    }
  }
  process.exit(0);
});
`;

describe('the patterns of the rules, in a running program', function () {
  this.timeout(120_000);
  let lines: readonly string[];
  before(async () => {
    const cli = await builtCli();
    const project = folderWith({
      'package.json': '{ "name": "app", "type": "module", "dependencies": { "pg": "8.23.1" } }',
      'server.js': server,
      'node_modules/pg/package.json': '{ "name": "pg", "version": "8.23.1", "main": "lib" }',
      'node_modules/pg/lib/index.js': pgDriver,
    });
    const { status, stderr } = runIn(project.path, [
      cli,
      'run',
      '--',
      process.execPath,
      'server.js',
    ]);
    strictEqual(status, 0, stderr);
    lines = stderr.split('\n');
  });

  /** What the table has of the line with this code. */
  const rowOf = (code: string): string => {
    const line = server.split('\n').findIndex((it) => it.includes(code)) + 1;
    const row = lines.find((it) => it.startsWith(`  server.js:${line}`));
    ok(row, `no row of line ${line} in\n${lines.join('\n')}`);
    return row;
  };

  it('name a pause in one of five iterations, and what the loop can do at most', () => {
    match(rowOf('await sleep(100)'), /slept [\d.]+ m?s in \d+ of \d+ iterations: /);
    const ceiling = lines.find((it) => it.includes('iterations a second with as many pauses'));
    const [, most, without] =
      /at most ([\d.]+) .+ pauses, ([\d,]+) without/.exec(ceiling ?? '') ?? [];
    ok(Number(most) < 60 && Number(without) > 2 * Number(most), ceiling);
  });

  it('name three reads in sequence', () => {
    match(
      rowOf("pool.query('SELECT count(*) FROM orders')"),
      /3 independent reads in sequence: [\d.]+ ms, together at best [\d.]+ ms/,
    );
  });

  it('name each of six tasks of the thread pool', () => {
    for (const it of ['a', 'b', 'c', 'd', 'e', 'f'])
      match(rowOf(`derive('${it}'`), /awaited derive: [\d.]+ ms per request/);
  });

  it('name the statement that each element of a list sends', () => {
    const row = rowOf("await pool.query('SELECT name");
    match(row, /no-query-per-item$/);
    match(row, /20 times per request, at most 20 in one/);
    match(row, /the same statement up to 20 times: SELECT name FROM users WHERE id = \$1/);
  });

  it('name the synchronous work of a request', () => {
    match(
      rowOf('pbkdf2Sync(password'),
      /blocked in pbkdf2Sync: [\d.]+ ms per request .+ no-blocking-call$/,
    );
  });

  it('name the yields of each row', () => {
    match(
      rowOf('await turn()'),
      /yielded with turn: [\d.]+ ms per request .+ 20 times per request/,
    );
  });

  it('name the commits of each row', () => {
    match(
      rowOf('INSERT INTO readings'),
      /awaited pool\.query 20 times in a loop: [\d.]+ ms, .+, each with a commit of its own; the same statement up to 20 times: INSERT/,
    );
    ok(
      lines.some((it) => /^pg {3}[\d,]+ statements .+ [\d,]+ commits \([\d,]+ a second\)/.test(it)),
    );
  });
});
