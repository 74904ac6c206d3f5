import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { builtCli } from './fakes/built-cli.ts';
import { folderWith } from './fakes/folder.ts';

const files = {
  '.git/HEAD': '',
  'src/db.js': `
import { Pool } from 'pg';
export const pool = new Pool({ connectionTimeoutMillis: 1_000 });
export const save = (row) => pool.query('INSERT INTO rows (id) VALUES ($1)', [row.id]);
`,
  'src/app.js': `
import { strangeStore } from 'strange-store';
import { save } from './db.js';
const store = strangeStore();
export async function keep(rows) {
  await store.lock('rows');
  for (const row of rows) {
    await save(row);
  }
}
export async function keepFew(rows) {
  for (const row of [rows.first, rows.last]) {
    await save(row);
  }
}
`,
  'scripts/seed.js': `
import { keep } from '../src/app.js';
await keep([{ id: 1 }]);
`,
};

describe('deadtime why', function () {
  this.timeout(120_000);
  let entry: string;
  let folder: string;
  before(async () => {
    entry = await builtCli();
    folder = folderWith(files).path;
  });

  const run = (parameters: readonly string[], cwd = folder) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      execFile(
        process.execPath,
        [entry, 'why', ...parameters],
        { cwd },
        (error, stdout, stderr) => {
          resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
        },
      );
    });

  it('names what hides an await', async () => {
    const { code, stdout } = await run(['src/app.js:6', '--no-color']);
    strictEqual(code, 0);
    match(stdout, /^src\/app\.js:6 {2}await store\.lock\('rows'\);\n/);
    match(stdout, /does not understand the await on this line/);
    match(stdout, /strange-store {2}an unsupported package, or part of one, src\/app\.js:\d+/);
  });

  it('names the rules that report the line', async () => {
    const { stdout } = await run(['src/app.js:8', '--no-color']);
    match(stdout, /understands the await on this line/);
    match(stdout, /Reported on this line: no-autocommit-in-loop/);
    match(stdout, /deadtime explain src\/app\.js:8 explains it/);
  });

  it('names the condition that keeps a rule silent', async () => {
    const { stdout } = await run(['src/app.js:12', '--json']);
    const { awaits, reported, silent } = JSON.parse(stdout) as {
      awaits: number;
      reported: readonly string[];
      silent: readonly { ruleId: string; conditions: readonly string[] }[];
    };
    deepStrictEqual([awaits, reported], [0, []]);
    const writes = silent.find((it) => it.ruleId === 'no-autocommit-in-loop');
    deepStrictEqual(writes?.conditions, [
      'the list is written out in the code, or has at most 12 elements',
    ]);
  });

  it('states that no rule reports anything in a script', async () => {
    const { stdout } = await run(['scripts/seed.js:3', '--no-color']);
    match(stdout, /a script or code of a page: no rule reports anything in it/);
  });

  it('explains a place that is none', async () => {
    for (const [place, message] of [
      ['src/app.js', /Write a place, such as src\/worker\.ts:41/],
      ['src/none.js:1', /No such file: src\/none\.js/],
      ['src/app.js:99', /src\/app\.js has no line 99/],
    ] as const) {
      const { code, stderr } = await run([place]);
      strictEqual(code, 2);
      match(stderr, message);
    }
  });

  it('states what is wrong in the configuration', async () => {
    const broken = folderWith({ ...files, 'deadtime.config.json': '{ "rules": ' }).path;
    const { code, stderr } = await run(['src/app.js:8'], broken);
    strictEqual(code, 2);
    match(stderr, /^deadtime: .*deadtime\.config\.json/);
  });
});
