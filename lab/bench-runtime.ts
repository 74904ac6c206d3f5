/**
 * What `deadtime run` costs: a probe, a call of a driver, and a service with three queries a request, each with and without, in
 * interleaved pairs. It needs `npm run build`, and for the service a PostgreSQL (`POSTGRES_URL`):
 * `node --import tsx lab/bench-runtime.ts [--pairs 6] [--requests 8000] [--clients 8] [--node PATH]`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '6' },
    requests: { type: 'string', default: '8000' },
    clients: { type: 'string', default: '8' },
    node: { type: 'string', default: process.execPath },
  },
});

const PORT = 3977;
const cli = resolve('dist/cli.js');
const url = process.env['POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';

/** Within a request: an await of a call that the analysis does not resolve, and one of a statement that is answered immediately. */
const micro = `import { createServer, get } from 'node:http';
import pg from 'pg';

async function awaits(step, count) {
  for (let i = 0; i < count; i++) await step(i);
}
async function statements(client, count) {
  for (let i = 0; i < count; i++) await client.query('SELECT 1');
}
const steps = { step: async (it) => it };
const client = new pg.Client();
const server = createServer(async (_, response) => {
  const results = [];
  for (const [run, given, count] of [[awaits, steps[process.env.STEP ?? 'step'], 100_000], [statements, client, 20_000]]) {
    const times = [];
    for (let i = 0; i < 12; i++) {
      const start = process.cpuUsage();
      await run(given, count);
      const { user, system } = process.cpuUsage(start);
      times.push((1_000 * (user + system)) / count);
    }
    results.push(Math.min(...times.slice(4)));
  }
  response.end(JSON.stringify(results));
});
server.listen(${PORT}, '127.0.0.1', () =>
  get({ port: ${PORT}, host: '127.0.0.1' }, (it) =>
    it.on('data', (data) => process.stdout.write(data)).on('end', () => process.exit()),
  ),
);
`;

const silentDriver = `class Client { query() { return Promise.resolve({ rows: [] }); } }
class Pool { async connect() { return new Client(); } }
module.exports = { Client, Pool };
`;

const service = `import { createServer } from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: ${JSON.stringify(url)}, max: 10 });
createServer(async (request, response) => {
  if (request.url === '/cpu') {
    const { user, system } = process.cpuUsage();
    response.end(JSON.stringify([user + system]));
    return;
  }
  const one = await pool.query('SELECT 1 AS one');
  const two = await pool.query('SELECT $1::int AS two', [one.rows[0].one]);
  const three = await pool.query('SELECT $1::int + 1 AS three', [two.rows[0].two]);
  response.end(JSON.stringify(three.rows));
}).listen(${PORT}, '127.0.0.1');
`;

const manifest = '{ "name": "bench", "type": "module", "dependencies": { "pg": "8" } }';

function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'deadtime-bench-'));
  for (const [name, text] of Object.entries({ 'package.json': manifest, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function commandFor(file: string, isMeasured: boolean): readonly string[] {
  return isMeasured ? [cli, 'run', '--', values.node, file] : [file];
}

/** In nanoseconds: of an await, and of a statement. */
function microRun(cwd: string, isMeasured: boolean): readonly number[] {
  const program = isMeasured ? process.execPath : values.node;
  const { stdout, stderr } = spawnSync(program, commandFor('micro.js', isMeasured), {
    ...{ cwd, encoding: 'utf8' },
  });
  if (!stdout.startsWith('[')) throw new Error(stderr);
  return JSON.parse(stdout) as readonly number[];
}

interface Rate {
  readonly perSecond: number;
  /** CPU time of the server, in microseconds: it does not depend on what else the machine does. */
  readonly cpuUs: number;
}

async function serviceRun(cwd: string, isMeasured: boolean): Promise<Rate> {
  const program = isMeasured ? process.execPath : values.node;
  const child = spawn(program, commandFor('service.js', isMeasured), { cwd, stdio: 'ignore' });
  const agent = new Agent({ keepAlive: true });
  try {
    while (!(await answered(agent))) await sleep(50);
    const requests = Number(values.requests);
    // What V8 compiles meanwhile costs several times as much as the requests.
    await load(agent, requests / 2);
    const [cpuBefore] = await cpuOf(agent);
    const start = performance.now();
    await load(agent, requests);
    const seconds = (performance.now() - start) / 1_000;
    const [cpuAfter] = await cpuOf(agent);
    return { perSecond: requests / seconds, cpuUs: (cpuAfter - cpuBefore) / requests };
  } finally {
    agent.destroy();
    await ended(child);
  }
}

async function load(agent: Agent, requests: number): Promise<void> {
  let left = requests;
  const client = async () => {
    while (left-- > 0) if (!(await answered(agent))) throw new Error('The service does not answer');
  };
  await Promise.all(Array.from({ length: Number(values.clients) }, client));
}

function cpuOf(agent: Agent): Promise<readonly [cpuUs: number]> {
  return new Promise((done) => {
    get({ port: PORT, host: '127.0.0.1', agent, path: '/cpu' }, (it) =>
      it.setEncoding('utf8').on('data', (text: string) => done(JSON.parse(text) as [number])),
    );
  });
}

function answered(agent: Agent): Promise<boolean> {
  return new Promise((done) => {
    get({ port: PORT, host: '127.0.0.1', agent }, (it) =>
      it.resume().on('end', () => done(true)),
    ).on('error', () => done(false));
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    child.on('exit', () => done());
    child.kill('SIGTERM');
  });
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

const folders = [
  project({
    ...{ 'micro.js': micro, 'node_modules/pg/lib/index.js': silentDriver },
    'node_modules/pg/package.json': '{ "name": "pg", "version": "8.23.1", "main": "lib" }',
  }),
  project({ 'service.js': service }),
] as const;
mkdirSync(join(folders[1], 'node_modules'));
symlinkSync(resolve('node_modules/pg'), join(folders[1], 'node_modules/pg'));
try {
  const pairs = Array.from({ length: Number(values.pairs) }, (_, i) => i);
  const costs = pairs.map(() => {
    const [without, measured] = [microRun(folders[0], false), microRun(folders[0], true)];
    return measured.map((it, i) => it - without[i]!);
  });
  for (const [i, name] of ['an await', 'a statement'].entries()) {
    const added = costs.map((it) => it[i]!);
    console.log(
      `${name}: +${median(added).toFixed(0)} ns (${added.map((it) => it.toFixed(0)).join(' ')})`,
    );
  }
  const rates: (readonly [without: Rate, measured: Rate])[] = [];
  for (const i of pairs) {
    // The one that comes first has a colder machine.
    const first = await serviceRun(folders[1], i % 2 === 1);
    const second = await serviceRun(folders[1], i % 2 === 0);
    rates.push(i % 2 === 1 ? [second, first] : [first, second]);
  }
  for (const [name, unit] of [
    ['perSecond', 'requests/s'],
    ['cpuUs', 'µs of CPU a request'],
  ] as const) {
    const [without, measured] = [0, 1].map((at) => rates.map((it) => it[at]![name]));
    const changes = rates.map((it) => 100 * (it[1][name] / it[0][name] - 1));
    console.log(
      `3 queries a request: ${median(without!).toFixed(0)} to ${median(measured!).toFixed(0)} ${unit}, ` +
        `${median(changes).toFixed(1)} % (${changes.map((it) => it.toFixed(1)).join(' ')})`,
    );
  }
} finally {
  for (const it of folders) rmSync(it, { recursive: true, force: true });
}
