import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Files } from '../src/project/files.ts';
import { NO_STATE, stateAt } from '../src/project/file-state.ts';
import { observer } from '../src/project/observer.ts';
import { scanMemory } from '../src/scan/cache/scan-memory.ts';
import { trusting } from '../src/scan/configuration-program.ts';
import { replayChanges } from '../tools/replay-changes.ts';
import { fakeCli, type FakeCli } from './fakes/cli.ts';
import { folderWith } from './fakes/folder.ts';
import { looksAt } from './fakes/looks.ts';

const project = {
  '.git/HEAD': '',
  'package.json': '{ "name": "ferry", "dependencies": { "pg": "^8.0.0" } }',
  'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
  Dockerfile: 'FROM node\nENV UV_THREADPOOL_SIZE=4\n',
  'src/db.ts': `import { Pool } from 'pg';\nexport const pool = new Pool({ max: 60 });\n`,
  'src/index.ts': `export * from './tools';\nexport * from './db';\nexport { pause } from './pause';\n`,
  'src/tools/index.ts': `export * from '../hash';\n`,
  'src/pause.ts': `export const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));\n`,
  'src/hash.ts': `import { createHash } from 'node:crypto';\nexport const hash = (it: string) => createHash('md5').update(it).digest();\n`,
  'src/crossings.ts': [
    `import { pool } from './index';`,
    `export async function fares(ids: number[]) {`,
    `  const fares = [];`,
    `  for (const id of ids) {`,
    `    const { rows } = await pool.query('select * from fares where id = $1', [id]);`,
    `    fares.push(rows[0]);`,
    `  }`,
    `  return fares;`,
    `}`,
    `export async function both() {`,
    `  const ships = await pool.query('select * from ships');`,
    `  const piers = await pool.query('select * from piers');`,
    `  return [ships.rows, piers.rows];`,
    `}`,
  ].join('\n'),
  'src/worker.ts': [
    `import { pause } from '@/pause';`,
    `import { next } from './queue';`,
    `export async function work() {`,
    `  for (;;) {`,
    `    const job = await next();`,
    `    if (job) await job.run();`,
    `    else await pause(1000);`,
    `  }`,
    `}`,
  ].join('\n'),
  'src/queue.ts': `import { pool } from './db';\nexport const next = async () => (await pool.query('select * from jobs limit 1')).rows[0];\n`,
  'src/plain.ts': `export const one = 1;\n`,
};

const POOLS = `export const pool = [];\n`;

const everyFile = [
  ...['crossings.ts', 'db.ts', 'hash.ts', 'index.ts'],
  ...['pause.ts', 'plain.ts', 'queue.ts', 'tools/index.ts', 'worker.ts'],
];

describe('the cache', () => {
  it('gives the same result again without a scan where nothing has changed', async () => {
    const looks = looksAt(folderWith(project));
    const first = await looks.next();
    strictEqual(first.again.length, everyFile.length);
    ok(first.count > 3);
    const second = await looks.next();
    deepStrictEqual([second.again, second.isWhole], [[], true]);
  });

  it('rests on nothing above the repository', async () => {
    const looks = looksAt(folderWith(project));
    await looks.next();
    // Beside the other one.
    folderWith({});
    strictEqual((await looks.next()).isWhole, true);
  });

  /** Files that are looked at again after a change. */
  const changes: Readonly<
    Record<
      string,
      readonly [files: Readonly<Record<string, string | undefined>>, again: readonly string[]]
    >
  > = {
    'a file that nobody imports': [{ 'src/plain.ts': 'export const one = 2;\n' }, ['plain.ts']],
    'a helper behind a path of tsconfig.json': [
      { 'src/pause.ts': 'export const pause = (ms: number) => Promise.resolve(ms);\n' },
      ['pause.ts', 'worker.ts'],
    ],
    'what the index of a folder hands on': [
      { 'src/db.ts': `export const pool = { query: async (sql: string) => ({ rows: [sql] }) };\n` },
      ['crossings.ts', 'db.ts', 'queue.ts', 'worker.ts'],
    ],
    'a file that an index names before the one that is asked': [
      { 'src/hash.ts': `export const hash = (it: string) => it;\nconst pool = hash('x');\n` },
      ['hash.ts'],
    ],
    'a name that an index hands on first': [
      {
        'src/hash.ts': `export const hash = (it: string) => it;\nexport const pool = hash('x');\n`,
      },
      ['crossings.ts', 'hash.ts'],
    ],
    'a name that an index behind it hands on first': [
      { 'src/tools/index.ts': `export * from './pools';\n`, 'src/tools/pools.ts': POOLS },
      ['crossings.ts', 'tools/index.ts', 'tools/pools.ts'],
    ],
    'a new file that stands before another': [
      { 'src/pause.tsx': 'export const x = 1;\n' },
      ['pause.tsx'],
    ],
    'a file that an import finds first': [
      { 'src/pause/index.ts': 'export const pause = 1;\n', 'src/pause.ts': undefined },
      ['pause/index.ts', 'worker.ts'],
    ],
    'a file that goes': [{ 'src/pause.ts': undefined }, ['worker.ts']],
    'a new caller': [
      { 'src/late.ts': `import { pause } from './pause';\nexport const late = () => pause(9);\n` },
      ['late.ts'],
    ],
    'where paths of tsconfig.json lead': [
      {
        'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./other/*"] } } }',
        'other/pause.ts': 'export const pause = async () => 1;\n',
      },
      ['../other/pause.ts', 'worker.ts'],
    ],
    'the version of a driver': [
      { 'node_modules/pg/package.json': '{ "version": "7.1.0" }' },
      ['crossings.ts', 'db.ts', 'queue.ts', 'worker.ts'],
    ],
    'how the project is run': [
      { Dockerfile: 'CMD pm2 start -i 8\nENV UV_THREADPOOL_SIZE=64' },
      ['crossings.ts', 'db.ts', 'queue.ts', 'worker.ts'],
    ],
    'the configuration': [
      { 'deadtime.config.json': '{ "rules": { "no-sequential-independent-awaits": "off" } }' },
      everyFile,
    ],
    'what the configuration says of functions': [
      {
        'package.json':
          '{ "name": "ferry", "deadtime": { "packages": { "treatAs": { "./db": "pg" } } } }',
      },
      everyFile,
    ],
    'a manifest, of something else': [
      {
        'package.json': '{ "name": "ferry", "license": "MIT", "dependencies": { "pg": "^8.0.0" } }',
      },
      [],
    ],
  };
  for (const [name, [files, again]] of Object.entries(changes)) {
    it(`looks again where it matters: ${name}`, async () => {
      const folder = folderWith(project);
      const looks = looksAt(folder);
      await looks.next();
      for (const [file, text] of Object.entries(files)) {
        if (text === undefined) rmSync(join(folder.path, file));
        else folder.write({ [file]: text });
      }
      deepStrictEqual((await looks.next()).again, again);
      strictEqual((await looks.next()).isWhole, true);
    });
  }

  it('runs a configuration again, and scans all files for which it has changed', async () => {
    const folder = folderWith({
      ...project,
      'src/levels.json': '{}',
      'src/queue/deadtime.config.mjs': 'export default {};',
      'src/queue/next.ts': 'export const next = 1;\n',
      'deadtime.config.mjs': [
        "import { readFileSync } from 'node:fs';",
        "const rules = JSON.parse(readFileSync('src/levels.json', 'utf8'));",
        'export default { rules };',
      ].join('\n'),
    });
    const looks = looksAt(folder);
    const first = await looks.next();
    ok(first.count > 3);
    strictEqual((await looks.next()).isWhole, true);
    folder.write({ 'src/levels.json': '{ "no-sequential-independent-awaits": "off" }' });
    const next = await looks.next();
    deepStrictEqual([next.again, next.isWhole], [everyFile, false]);
    ok(next.count < first.count);
    strictEqual((await looks.next()).isWhole, true);
  });

  it('recalls nothing where a configuration that was run may not be', async () => {
    const folder = folderWith({ ...project, 'deadtime.config.mjs': 'export default {};' });
    const looks = looksAt(folder);
    await looks.next();
    const kept = { folder: looks.kept, version: '1', kind: [], now: Date.now() + 60_000 };
    const recalled = (run?: Files['run']) => {
      const memory = scanMemory({ ...kept, ...(run && { run }) });
      const found = memory.search([folder.path], { cwd: folder.path });
      return memory.recall(found)?.size;
    };
    deepStrictEqual([recalled(trusting().run), recalled()], [everyFile.length, undefined]);
  });

  it('scans the dependants of a file whose change a read for other files has found', async () => {
    const folder = folderWith(project);
    const looks = looksAt(folder);
    await looks.next();
    folder.write({ 'src/pause.ts': 'export const pause = (ms: number) => ms;\n' });
    deepStrictEqual((await looks.next('src/pause.ts')).again, ['pause.ts']);
    ok((await looks.next()).again.includes('worker.ts'));
  });

  it('reads a recently written file again, with any time and size', async () => {
    const folder = folderWith({ 'a.js': 'one' });
    const path = join(folder.path, 'a.js');
    const now = Date.now();
    const seen = observer(now);
    seen.read(path);
    const state = seen.texts.get(path)!;
    strictEqual(state.signature, undefined);
    const later = stateAt(path, state, now + 10_000);
    deepStrictEqual([later.hash, later.signature === undefined], [state.hash, false]);
    strictEqual(stateAt(path, later, now + 10_000), later);
    const { atime, mtime } = statSync(path);
    folder.write({ 'a.js': 'two' });
    utimesSync(path, atime, mtime);
    notStrictEqual(stateAt(path, later, now + 10_000).hash, state.hash);
  });

  it('does not read a pipe that has taken the place of a file', () => {
    const { path } = folderWith({ 'a.js': 'one' });
    const file = join(path, 'a.js');
    const seen = observer(Date.now());
    seen.read(file);
    rmSync(file);
    execFileSync('mkfifo', [file]);
    deepStrictEqual(stateAt(file, seen.texts.get(file)!, Date.now()), NO_STATE);
  });

  it('gives the same result as without a cache, after any change of the files', async () => {
    const folder = folderWith(project);
    let [findings, remembered] = [0, 0];
    const { isSame, log } = await replayChanges({
      ...{ project: folder.path, changes: 80, seed: 5 },
      onLook(look) {
        findings += look.findings;
        remembered += look.remembered;
      },
    });
    ok(isSame, log.slice(-8).join('\n'));
    ok(findings > 20 && remembered > 20);
  }).timeout(60_000);
});

describe('check with the cache', () => {
  let cli: FakeCli;
  before(async () => (cli = await fakeCli()));
  after(() => cli.remove());

  const files = { 'a.js': 'wait(9);', 'b.js': 'wait(7);\n', 'c.js': 'run();' };
  const timing = (stderr: string) => stderr.split('\n').find((it) => it.endsWith('from the cache'));
  const keptIn = (folder: string) => readdirSync(folder).map((it) => join(folder, it));

  const set = () => {
    // A checkout: where nothing says that a repository ends, what comes and goes beside it counts, too.
    const { path: cwd, write } = folderWith({ ...files, '.git/HEAD': '' });
    const at = join(folderWith({}).path, 'kept');
    const run = (...args: readonly string[]) =>
      cli.run(['--timing', '--cache-location', at, ...args], { cwd });
    return { cwd, write, at, run };
  };

  it('is not read where another user’s was brought with the project', async () => {
    const { path: cwd } = folderWith({ ...files, '.git/HEAD': '' });
    const args = ['--timing', '--cache-location', 'kept'];
    const readBy = async (cache: { readonly path: string }) =>
      timing((await cli.run(args, { cwd, env: { XDG_CACHE_HOME: cache.path } })).stderr)?.[0];
    const [own, other] = [folderWith({}), folderWith({})];
    deepStrictEqual([await readBy(own), await readBy(own), await readBy(other)], ['0', '3', '0']);
  }).timeout(60_000);

  it('prints the same in every format, with the same exit code', async () => {
    const { run } = set();
    const cold = await run('-f', 'json', '--fail-on', 'warn');
    strictEqual(timing(cold.stderr), '0 of 3 files from the cache');
    const warm = await run('-f', 'json', '--fail-on', 'warn');
    strictEqual(timing(warm.stderr), '3 of 3 files from the cache');
    deepStrictEqual([warm.stdout, warm.code], [cold.stdout, 1]);
    for (const format of ['text', 'sarif', 'markdown', 'agent', 'html', 'junit']) {
      const { stdout } = await run('-f', format);
      strictEqual(stdout, (await run('-f', format, '--no-cache')).stdout);
    }
  }).timeout(60_000);

  it('keeps runs with other rules or another profile apart, and parts of the files together', async () => {
    const { run } = set();
    await run('a.js', 'b.js');
    strictEqual(
      timing((await run('--shard', '1/1', 'a.js', 'b.js')).stderr),
      '2 of 2 files from the cache',
    );
    // A named file is looked at even where it seems to be written by a tool.
    strictEqual(timing((await run()).stderr), '0 of 3 files from the cache');
    strictEqual(timing((await run('--profile', 'audit')).stderr), '0 of 3 files from the cache');
    strictEqual(timing((await run('--rule', 'no-wait')).stderr), '0 of 3 files from the cache');
    strictEqual(timing((await run()).stderr), '3 of 3 files from the cache');
  }).timeout(60_000);

  it('reports an error again each time', async () => {
    const { run, write } = set();
    write({ 'crash.js': 'crash();' });
    strictEqual((await run()).code, 3);
    const again = await run();
    strictEqual(again.code, 3);
    match(again.stderr, /crash\.js: no-wait failed/);
    strictEqual(timing(again.stderr), '3 of 4 files from the cache');
  });

  const damages: Readonly<Record<string, (path: string) => void>> = {
    'cut off': (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
    'another version’s': (path) =>
      writeFileSync(path, readFileSync(path, 'utf8').replace(/^deadtime \d+/, 'deadtime 0')),
    'changed by a bit': (path) =>
      writeFileSync(path, readFileSync(path, 'utf8').replace('"lines":1', '"lines":3')),
    'no text': (path) => writeFileSync(path, Buffer.alloc(10_000, 255)),
    empty: (path) => truncateSync(path, 0),
    'a folder': (path) => {
      rmSync(path);
      mkdirSync(path);
    },
  };
  for (const [name, damage] of Object.entries(damages)) {
    it(`is rebuilt where the cache is ${name}`, async () => {
      const { run, at } = set();
      const first = await run();
      for (const path of keptIn(at)) damage(path);
      const second = await run();
      deepStrictEqual([second.stdout, second.code], [first.stdout, first.code]);
      strictEqual(timing(second.stderr), '0 of 3 files from the cache');
    });
  }

  it('writes through no link, and removes nothing but its own', async () => {
    const { run, at } = set();
    await run();
    const [path] = keptIn(at);
    const { path: elsewhere } = folderWith({ 'mine.txt': 'mine' });
    const target = join(elsewhere, 'mine.txt');
    rmSync(path!);
    symlinkSync(target, path!);
    symlinkSync(target, `${path!}.1`);
    const old = new Date(Date.now() - 30 * 24 * 60 * 60 * 1_000);
    writeFileSync(join(at, 'notes.txt'), '');
    utimesSync(join(at, 'notes.txt'), old, old);
    await run();
    strictEqual(readFileSync(target, 'utf8'), 'mine');
    ok(existsSync(join(at, 'notes.txt')));
    strictEqual(timing((await run()).stderr), '3 of 3 files from the cache');
  });

  it('reports in one line where no cache can be written, and continues', async () => {
    const { cwd, run } = set();
    const first = await run();
    const { path } = folderWith({ file: '' });
    const blocked = await cli.run(['--cache-location', join(path, 'file', 'x')], { cwd });
    strictEqual(blocked.stdout, first.stdout);
    match(blocked.stderr, /^deadtime: cannot write the cache, so the next run scans all [^\n]*\n$/);
  });

  it('is whole after runs at the same time, and after runs that were stopped', async () => {
    const { cwd, at, run } = set();
    const first = await run('--no-cache');
    for (const it of await Promise.all([run(), run(), run(), run()]))
      strictEqual(it.stdout, first.stdout);
    for (const after of [0, 40, 80, 120, 160]) {
      rmSync(at, { recursive: true });
      const child = spawn(process.execPath, [cli.entry, '--cache-location', at], { cwd });
      setTimeout(() => child.kill('SIGINT'), after);
      await once(child, 'close');
      strictEqual((await run()).stdout, first.stdout);
    }
    strictEqual(timing((await run()).stderr), '3 of 3 files from the cache');
  }).timeout(60_000);
});
