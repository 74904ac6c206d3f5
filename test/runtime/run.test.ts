import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import type { EntryKind, Recording } from '../../src/runtime/recording.ts';
import { builtCli } from '../fakes/built-cli.ts';
import { type Folder, folderWith } from '../fakes/folder.ts';
import { recordingOf, runIn } from './measured-program.ts';
import { pgDriver } from './pg-driver.ts';

/** A promise that sends when it is awaited; nothing else is exported. */
const lazyQuery = `export class Query extends Promise {
  static get [Symbol.species]() { return Promise; }
  constructor(strings, args) {
    let resolve, reject;
    super((a, b) => { resolve = a; reject = b; });
    Object.assign(this, { strings, args, resolve, reject, executed: false });
  }
  async handle() {
    if (this.executed) return;
    this.executed = true;
    setTimeout(() => this.resolve([]), 2);
  }
  then() { this.handle(); return super.then.apply(this, arguments); }
}
// The last line may be a comment, without an end.`;

const server = `import { createServer, get } from 'node:http';
import pg from 'pg';
import { sleep } from './sleep.js';

const pool = new pg.Pool({ max: 4 });

async function reads() {
  const orders = await pool.query("SELECT count(*) FROM orders WHERE note = 'secret'");
  const users = await pool.query('SELECT count(*) FROM users');
  const items = await pool.query('SELECT count(*) FROM items');
  return [orders, users, items];
}

async function fails() {
  try {
    await pool.query('SELECT 1 FROM nowhere');
  } catch {
    return 'failed';
  }
}

export async function worker() {
  for (;;) {
    await pool.query('SELECT id FROM jobs LIMIT 1');
    await sleep(10);
  }
}

const app = createServer(async (request, response) => {
  if (request.url === '/reads') await reads();
  else if (request.url === '/fails') await fails();
  else await sleep(20);
  response.end();
});
app.listen(0, '127.0.0.1', async () => {
  void worker();
  const { port } = app.address();
  for (let i = 0; i < 10; i++) {
    for (const path of ['/reads', '/fails', '/naps/' + i]) {
      await new Promise((done) => get({ port, path, agent: false }, (it) => it.resume().on('end', done)));
    }
  }
  process.exit(7);
});
`;

const sleep = `export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
`;

interface Found {
  readonly file: string;
  readonly line: number;
  readonly ruleId: string;
  readonly measuredInProgram?: { readonly text: string };
}

describe('deadtime run', () => {
  let cli: string;
  let project: Folder;
  before(async function () {
    this.timeout(120_000);
    cli = await builtCli();
    project = folderWith({
      ...{ 'server.js': server, 'sleep.js': sleep },
      'package.json': '{ "name": "shop", "type": "module", "dependencies": { "pg": "8" } }',
      'node_modules/pg/package.json': '{ "name": "pg", "version": "8.23.1", "main": "lib" }',
      'node_modules/pg/lib/index.js': pgDriver,
    });
  });

  const run = (program: readonly string[], environment?: Readonly<Record<string, string>>) =>
    runIn(project.path, program, environment);
  const text = () => readFileSync(join(project.path, '.deadtime', 'run.json'), 'utf8');
  const recorded = () => recordingOf(project.path);
  const entryOf = ({ entries }: Recording, name: string): EntryKind => {
    const found = entries.find((it) => it.name === name);
    ok(found, `no entry ${name} of ${entries.map((it) => it.name).join()}`);
    return found;
  };

  describe('of a server and a worker', () => {
    let recording: Recording;
    let stderr: string;
    before(function () {
      this.timeout(120_000);
      const result = run([cli, 'run', '--', process.execPath, 'server.js', '--token=secret']);
      stderr = result.stderr;
      strictEqual(result.status, 7, stderr);
      recording = recorded();
    });

    const linesOf = ({ sites }: EntryKind) =>
      sites
        .map(({ site, count }) => ({ ...recording.sites[site]!, times: count }))
        .map(({ at, kind, times }) => [at.file, at.line, kind, times])
        .sort(([, a], [, b]) => Number(a) - Number(b));

    it('counts each request and each line', () => {
      const reads = entryOf(recording, 'GET /reads');
      deepStrictEqual([reads.kind, reads.count, reads.aborted, reads.open], ['http', 10, 0, 0]);
      deepStrictEqual(linesOf(reads), [
        ['server.js', 8, 'db', 10],
        ['server.js', 9, 'db', 10],
        ['server.js', 10, 'db', 10],
        ['server.js', 30, 'calls', 10],
      ]);
    });

    it('has no times of clients that open a connection for each request', () => {
      strictEqual(recording.clients, undefined);
    });

    it('asks the thread pool meanwhile', () => {
      ok(recording.threadPool.count > 0);
      match(stderr, /^thread pool {3}queue p50 [\d.]+ ms/m);
    });

    it('has the time that a request sleeps, at the line that awaits the sleep', () => {
      const naps = entryOf(recording, 'GET /naps/:id');
      deepStrictEqual(linesOf(naps), [['server.js', 32, 'sleep', 10]]);
      const { asleepMs, lagMs } = naps.parts;
      // Timers count in whole milliseconds.
      ok(asleepMs + lagMs >= 19 * 10, JSON.stringify(naps.parts));
    });

    it('splits the whole time of an entry', () => {
      for (const { parts, time } of recording.entries) {
        const sum = Object.values(parts).reduce((all: number, it: number) => all + it, 0);
        ok(Math.abs(sum - time.totalMs) < 0.1, `${sum} of ${time.totalMs}`);
      }
    });

    it('estimates what independent reads would take together', () => {
      const sequences = entryOf(recording, 'GET /reads').sites.flatMap((it) => it.sequence ?? []);
      const [sequence] = sequences;
      strictEqual(sequences.length, 1);
      deepStrictEqual([sequence?.count, sequence?.sites.length], [10, 3]);
      ok(sequence!.togetherMs < sequence!.totalMs);
      const rules = recording.sites.filter((it) => it.rules.length > 0).flatMap((it) => it.rules);
      ok(rules.includes('no-sequential-independent-awaits'));
    });

    it('counts what is rejected', () => {
      const failing = recording.sites.find((it) => it.at.line === 16);
      deepStrictEqual([failing?.count, failing?.rejected], [10, 10]);
      strictEqual(recording.databases[0]?.rejected, 10);
    });

    it('makes an entry of each iteration of a worker', () => {
      const worker = entryOf(recording, 'worker');
      deepStrictEqual([worker.kind, worker.at], ['worker', { file: 'server.js', line: 23 }]);
      ok(worker.count >= 2);
      deepStrictEqual(
        linesOf(worker).map(([, line, kind]) => [line, kind]),
        [
          [24, 'db'],
          [25, 'sleep'],
        ],
      );
    });

    it('measures the pool and the database', () => {
      const [pool, ...others] = recording.pools;
      deepStrictEqual(others, []);
      deepStrictEqual(
        [pool?.driver, pool?.size, pool?.at, pool?.mostWaiting],
        ['pg', 4, { file: 'server.js', line: 5 }, 0],
      );
      const [database] = recording.databases;
      strictEqual(database?.driver, 'pg');
      ok(database.statements >= 42 && pool!.wait.count >= database.statements);
      ok(database.time.totalMs >= 1 * database.statements);
    });

    it('stores no value', () => {
      strictEqual(text().includes('secret'), false);
      match(text(), /SELECT count\(\*\) FROM orders WHERE note = \?/);
    });

    it('prints a table', () => {
      match(stderr, /GET \/naps\/:id {3}10 requests/);
      match(stderr, /server\.js:32 {3}slept (?:19|2\d) ms in 10 of 10 requests/);
      match(stderr, /server\.js:8-10 {3}3 independent reads in sequence/);
      match(stderr, /worker worker \(server\.js:23\)/);
      match(stderr, /unexplained \d+ %/);
    });
  });

  it('is joined with the findings of check, also after an edit', function () {
    this.timeout(240_000);
    const check = (...more: readonly string[]) => {
      const { stdout, stderr } = run([cli, 'check', '-f', 'json', ...more]);
      const { findings } = JSON.parse(stdout) as { readonly findings: readonly Found[] };
      const costs = findings.map((it): readonly [string, string | undefined] => [
        `${it.file}:${it.line} ${it.ruleId}`,
        it.measuredInProgram?.text,
      ]);
      return { stderr, costs: new Map(costs) };
    };
    const reads = 'no-sequential-independent-awaits';
    strictEqual(run([cli, 'run', '--', process.execPath, 'server.js']).status, 7);
    const cost =
      /^measured in your program: [\d.]+ ms per request in GET \/reads \(10 requests\), together at best [\d.]+ ms \(estimated\)$/;
    match(check().costs.get(`server.js:9 ${reads}`)!, cost);
    // From the cache of findings, too.
    match(check().costs.get(`server.js:9 ${reads}`)!, cost);
    project.write({ 'server.js': `// new\n${server}` });
    match(check().costs.get(`server.js:10 ${reads}`)!, cost);
    project.write({ 'server.js': server.replace('count(*) FROM users', 'count(id) FROM users') });
    match(check().costs.get(`server.js:9 ${reads}`)!, /^measured cost is stale/);
    project.write({ 'server.js': server });
    const recording = text();
    project.write({ '.deadtime/run.json': recording.slice(0, -9) });
    const broken = check();
    match(broken.stderr, /^deadtime: \.deadtime\/run\.json is no recording of deadtime run/);
    strictEqual(broken.costs.get(`server.js:9 ${reads}`), undefined);
    deepStrictEqual([...broken.costs.keys()].sort(), [...check('--quiet').costs.keys()].sort());
    rmSync(join(project.path, '.deadtime'), { recursive: true });
    deepStrictEqual(check(), { ...broken, stderr: '' });
  });

  it('measures a program that loads it', function () {
    this.timeout(120_000);
    const register = join(cli, '..', 'register.js');
    const { status, stderr } = run(['--import', register, 'server.js']);
    strictEqual(status, 7, stderr);
    match(stderr, /GET \/reads {3}10 requests/);
  });

  it('measures a driver that is an ES module', function () {
    this.timeout(120_000);
    project.write({
      'lazy.js': `import postgres from 'postgres';
const sql = postgres();
for (let i = 0; i < 3; i++) await sql\`SELECT * FROM orders WHERE id = \${i} AND note = \${'secret'}\`;
`,
      'node_modules/postgres/package.json':
        '{ "name": "postgres", "version": "3.4.9", "type": "module", "exports": "./src/index.js" }',
      'node_modules/postgres/src/index.js': `import { Query } from './query.js';
export default () => (strings, ...args) => new Query(strings, args);
`,
      'node_modules/postgres/src/query.js': lazyQuery,
    });
    const { status, stderr } = run([cli, 'run', '--', process.execPath, 'lazy.js']);
    strictEqual(status, 0, stderr);
    deepStrictEqual(
      recorded().sites.map((it) => it.driver?.statements),
      [[{ statement: 'SELECT * FROM orders WHERE id = ? AND note = ?', count: 3, most: 1 }]],
    );
    deepStrictEqual(
      recorded().databases.map((it) => [it.driver, it.statements]),
      [['postgres', 3]],
    );
  });

  it('ends a program after the time that is asked for', function () {
    this.timeout(120_000);
    project.write({
      'idle.js': "import { createServer } from 'node:http';\ncreateServer().listen(0);\n",
    });
    const { status, stderr } = run([cli, 'run', '--for', '1s', '--', process.execPath, 'idle.js']);
    strictEqual(status, 0, stderr);
  });

  it('names a file that has changed since it was scanned', function () {
    this.timeout(120_000);
    project.write({
      'changing.js': `import { writeFileSync } from 'node:fs';
writeFileSync('changed.js', '// a new line\\nexport const f = async (a) => await a();\\n');
const { f } = await import('./changed.js');
await f(() => Promise.resolve(3));
`,
      'changed.js': 'export const f = async (a) => await fetch(a);\n',
    });
    const { status, stderr } = run([cli, 'run', '--', process.execPath, 'changing.js']);
    strictEqual(status, 0, stderr);
    deepStrictEqual(recorded().leftAlone, [{ file: 'changed.js', reason: 'changed' }]);
    match(stderr, /1 file ran without probes: changed\.js/);
  });

  it('names what an ES module imports that was required, where Node.js has no hook for it', function () {
    this.timeout(120_000);
    // Node.js before 20.19 cannot load it.
    if (!('require_module' in process.features)) return this.skip();
    project.write({
      'requiring.cjs': "require('./required.mjs').f();\n",
      'required.mjs': "export { f } from './further.mjs';\n",
      'further.mjs':
        'export const f = async () => { await new Promise((done) => setTimeout(done, 5)); };\n',
    });
    const { status, stderr } = run([cli, 'run', '--', process.execPath, 'requiring.cjs']);
    strictEqual(status, 0, stderr);
    const { leftAlone, sites } = recorded();
    const isHooked = 'registerHooks' in nodeModule;
    deepStrictEqual(leftAlone, isHooked ? [] : [{ file: 'further.mjs', reason: 'required' }]);
    strictEqual(sites.length, isHooked ? 1 : 0);
  });

  it('measures TypeScript that a loader reads and generates for require()', function () {
    this.timeout(120_000);
    project.write({
      'loader.cjs': `const fs = require('node:fs');
require('node:module')._extensions['.ts'] = (it, path) => {
  const text = fs.readFileSync(path, 'utf8').replaceAll(': number', '');
  it._compile(text + '\\n//# sourceMappingURL=data:application/json,{}', path);
};
`,
      'typed.ts': `exports.own = require('node:fs').readFileSync(__filename, 'utf8');
exports.pause = async (ms: number) => {
  const { own } = require('./inner.ts');
  await new Promise((done) => setTimeout(done, own(ms)));
};
`,
      'inner.ts': 'exports.own = (ms: number) => ms;\n',
      'typing.cjs':
        "require('./loader.cjs');\nconst typed = require('./typed.ts');\ntyped.pause(5);\nif (typed.own.includes('__deadtime')) process.exitCode = 3;\n",
    });
    const { status, stderr } = run([cli, 'run', '--', process.execPath, 'typing.cjs']);
    strictEqual(status, 0, stderr);
    const { leftAlone, sites } = recorded();
    deepStrictEqual(
      [leftAlone, sites.map(({ at, count }) => [at.file, at.line, count])],
      [[], [['typed.ts', 4, 1]]],
    );
  });

  it('states whether a program without a measurement has run', () => {
    for (const [file, text, why] of [
      ['idle.js', "import { sleep } from './sleep.js';\nif (!sleep) await sleep(1);\n", 'awaits'],
      ['empty.js', 'process.exitCode = 0;\n', 'no process'],
    ] as const) {
      project.write({ [file]: text });
      const { status, stderr } = run([cli, 'run', '--', process.execPath, file]);
      const isStated = stderr.includes('nothing was measured') && stderr.includes(why);
      deepStrictEqual([status, isStated], [0, true], stderr);
    }
  });

  it('needs a word before it measures a program in production', () => {
    const { status, stderr } = run([cli, 'run', '--', process.execPath, 'server.js'], {
      NODE_ENV: 'production',
    });
    deepStrictEqual([status, stderr.includes('--production')], [2, true]);
  });

  it('asks for a command', () => {
    const { status, stderr } = run([cli, 'run']);
    deepStrictEqual([status, stderr.includes('deadtime run -- node server.js')], [2, true]);
    ok(existsSync(join(project.path, 'server.js')));
  });
});
