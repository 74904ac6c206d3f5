import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import type { Recording } from '../../src/runtime/recording.ts';
import { builtCli } from '../fakes/built-cli.ts';
import { type Folder, folderWith } from '../fakes/folder.ts';
import { recordingOf, runIn } from './measured-program.ts';
import { pgDriver } from './pg-driver.ts';

/** Runs a processor two at a time, for each of six jobs. */
const bullmq = `
exports.Worker = class {
  constructor(queue, process) {
    const jobs = [1, 2, 3, 4, 5, 6].map((id) => ({ id }));
    const lane = async () => { for (let it = jobs.shift(); it; it = jobs.shift()) await process(it); };
    setTimeout(() => Promise.all([lane(), lane()]), 1);
  }
};
`;

const nats = `
exports.connect = async () => ({
  async *subscribe() {
    for (const subject of ['a', 'b', 'c']) {
      await new Promise((done) => setTimeout(done, 30));
      yield { subject };
    }
  },
});
`;

const jobs = `import { Worker } from 'bullmq';
import { connect } from 'nats';
import pg from 'pg';
const pool = new pg.Pool();
const load = async (id) => await pool.query('SELECT * FROM orders WHERE id = ' + id);

new Worker('orders', async (job) => {
  const started = load(job.id);
  await pool.query('SELECT 1');
  await started;
});

async function refresh() {
  await pool.query('SELECT 2');
}

let runs = 0;
const timer = setInterval(() => {
  if (++runs > 3) clearInterval(timer);
}, 10);
const tick = async () => {
  await refresh();
  if (++ticks < 4) setTimeout(tick, 5);
};
let ticks = 0;
setTimeout(tick, 5);

async function listen() {
  const connection = await connect();
  for await (const { subject } of connection.subscribe('orders')) {
    if (subject === 'b') continue;
    await pool.query('SELECT 3');
  }
}
await listen();
`;

const orders = `const { createServer } = require('node:http');
const { Pool } = require('pg');

const pool = new Pool();

exports.withItems = async (ids) => {
  const found = [];
  for (const id of ids) found.push(await pool.query('SELECT * FROM items WHERE id = ' + id));
  return found;
};

exports.counts = async () => {
  const users = await pool.query('SELECT count(*) FROM users');
  const items = await pool.query('SELECT count(*) FROM items');
  return [users, items];
};

exports.app = createServer(async (request, response) => {
  await pool.query('SELECT 4');
  response.end();
});
`;

const testFile = (imports: string) => `${imports}

describe('orders', () => {
  it('lists items', async () => {
    await withItems([1, 2, 3, 4, 5, 6]);
  });

  it('counts', async () => counts());

  it('answers', async () => {
    await new Promise((done) => app.listen(0, '127.0.0.1', done));
    const response = await fetch('http://127.0.0.1:' + app.address().port + '/orders');
    await response.text();
    app.closeAllConnections();
    app.close();
  });

  it('is quick', () => {});
});
`;

describe('the entries of deadtime run', () => {
  let cli: string;
  let project: Folder;

  before(async function () {
    this.timeout(120_000);
    cli = await builtCli();
    project = folderWith({
      'jobs.js': jobs,
      'orders.cjs': orders,
      'test/orders.test.cjs': testFile(
        "const { app, counts, withItems } = require('../orders.cjs');",
      ),
      'checks/orders.test.js': testFile(
        "import { describe, it } from 'node:test'; import { app, counts, withItems } from '../orders.cjs';",
      ),
      'package.json':
        '{ "name": "shop", "type": "module", "dependencies": { "pg": "8", "bullmq": "5", "nats": "2" } }',
      ...packageOf('pg', pgDriver),
      ...packageOf('bullmq', bullmq),
      ...packageOf('nats', nats),
    });
  });

  const measuredRun = (...command: readonly string[]) => {
    const { status, stderr } = runIn(project.path, [cli, 'run', '--', ...command]);
    strictEqual(status, 0, stderr);
    return { recording: recordingOf(project.path), stderr };
  };

  it('are jobs, the runs of a timer and the messages of a loop', function () {
    this.timeout(120_000);
    const { recording, stderr } = measuredRun(process.execPath, 'jobs.js');
    deepStrictEqual(shownIn(recording), [
      'job listen jobs.js:30: 3',
      'job orders jobs.js:7: 6',
      'schedule tick jobs.js:21: 4',
    ]);
    deepStrictEqual(linesOf(recording, 'orders'), [
      [5, 6],
      [9, 6],
      [10, 6],
    ]);
    deepStrictEqual(linesOf(recording, 'tick'), [
      [14, 4],
      [22, 4],
    ]);
    // The wait for a message is no part of its entry.
    deepStrictEqual(linesOf(recording, 'listen'), [[32, 2]]);
    for (const { parts, time } of recording.entries) {
      const sum = Object.values(parts).reduce((all: number, it: number) => all + it, 0);
      ok(Math.abs(sum - time.totalMs) < 0.1, `${sum} of ${time.totalMs}`);
    }
    match(stderr, /job orders \(jobs\.js:7\) {3}6 jobs {3}.* a second {3}.* per job /);
    match(stderr, /schedule tick \(jobs\.js:21\) {3}4 runs {3}.* per run /);
  });

  for (const [runner, file, command] of [
    ['mocha', 'test/orders.test.cjs', [mochaProgram(), 'test/orders.test.cjs']],
    ['node:test', 'checks/orders.test.js', ['--test', 'checks/orders.test.js']],
  ] as const) {
    it(`are the tests of ${runner}, and the requests that they send`, function () {
      this.timeout(120_000);
      const { recording, stderr } = measuredRun(process.execPath, ...command);
      const base = basename(file);
      deepStrictEqual(shownIn(recording), [
        'http GET /orders : 1',
        `test ${base} › answers ${file}:10: 1`,
        `test ${base} › counts ${file}:8: 1`,
        `test ${base} › lists items ${file}:4: 1`,
      ]);
      deepStrictEqual(linesOf(recording, `${base} › lists items`), [
        [5, 1],
        [8, 6],
      ]);
      // What the test returns is awaited for it.
      deepStrictEqual(linesOf(recording, `${base} › counts`), [
        [8, 1],
        [13, 1],
        [14, 1],
      ]);
      // The statement of the request is counted for the request alone.
      const answers = linesOf(recording, `${base} › answers`);
      deepStrictEqual(
        answers.map(([line]) => line),
        [11, 12, 13],
      );
      deepStrictEqual(linesOf(recording, 'GET /orders'), [[19, 1]]);
      strictEqual(recording.databases[0]?.statements, 9);
      match(
        stderr,
        /test orders\.test\.c?js › lists items \(\w+\/orders\.test\.c?js:4\) {3}1 test {3}.* per test /,
      );
      match(stderr, /the same statement up to 6 times: SELECT \* FROM items WHERE id = \?/);
      match(stderr, /orders\.cjs:13-14 +2 independent reads in sequence/);
    });
  }
});

function shownIn({ entries }: Recording): readonly string[] {
  return entries
    .map(
      ({ kind, name, at, count }) =>
        `${kind} ${name} ${at ? `${at.file}:${at.line}` : ''}: ${count}`,
    )
    .sort();
}

/** How often each line ran in the entries of this name. */
function linesOf(
  { entries, sites }: Recording,
  name: string,
): readonly (readonly [line: number, count: number])[] {
  const [entry, ...others] = entries.filter((it) => it.name === name);
  ok(entry && others.length === 0, `${name} of ${entries.map((it) => it.name).join()}`);
  return entry.sites
    .map(({ site, count }) => [sites[site]!.at.line, count] as const)
    .toSorted(([a], [b]) => a - b);
}

function packageOf(name: string, text: string): Readonly<Record<string, string>> {
  const folder = `node_modules/${name}`;
  return {
    [`${folder}/package.json`]: `{ "name": "${name}", "version": "8.23.1", "main": "lib" }`,
    [`${folder}/lib/index.js`]: text,
  };
}

function mochaProgram(): string {
  return createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
}
