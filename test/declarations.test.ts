import { deepStrictEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Linter } from 'eslint';
import deadtime from '../src/eslint/plugin.ts';
import { rules } from '../rules/index.ts';
import { createClock } from '../src/scan/clock.ts';
import { projectModules } from '../src/scan/project.ts';
import { folderWith } from './fakes/folder.ts';
import { scanned } from './fakes/scanned.ts';

/** `rule line` of what is found in `main.ts`, beside the other files. */
function found(files: Readonly<Record<string, string>>): readonly string[] {
  const { path } = folderWith({ '.git/HEAD': '', 'package.json': '{}', ...files });
  return foundIn(path, files['main.ts']!);
}

function foundIn(folder: string, text: string, modules = projectModules(folder, createClock())) {
  const { problems } = scanned(text, join(folder, 'main.ts'), {
    ...{ rules, profile: 'recommended', modules },
  });
  return problems.map(({ finding, start }) => `${finding.ruleId} ${start.line}`);
}

const leak = `import { takeClient } from './db';
export async function load(id: number) {
  const client = await takeClient();
  const { rows } = await client.query('select $1', [id]);
  client.release();
  return rows;
}
`;
const take =
  'export async function takeClient(): Promise<any> { return (globalThis as any).take(); }\n';

describe('declarations', () => {
  it('declare in a comment what a function acquires', () => {
    deepStrictEqual(found({ 'main.ts': leak, 'db.ts': take }), []);
    const said = `/** A client.\n * @deadtime acquires pg.PoolClient */\n${take}`;
    deepStrictEqual(found({ 'main.ts': leak, 'db.ts': said }), ['no-leaked-connection 3']);
    // Words that name no type say nothing.
    deepStrictEqual(
      found({ 'main.ts': leak, 'db.ts': said.replace('PoolClient', 'Connexion') }),
      [],
    );
  });

  it('declare in the configuration what a function acquires', () => {
    const types = { 'db.ts#takeClient': { acquires: 'pg.PoolClient' } };
    const files = { 'main.ts': leak, 'db.ts': take };
    const json = JSON.stringify({ types });
    deepStrictEqual(found({ ...files, 'deadtime.config.json': json }), ['no-leaked-connection 3']);
  });

  it('declare what releases a connection', () => {
    const main = `import { Pool } from 'pg';
import { putBack } from './db';
const pool = new Pool({ connectionTimeoutMillis: 1_000 });
pool.on('error', (error) => console.error(error));
export async function load(id: number) {
  const client = await pool.connect();
  try {
    return await client.query('select $1', [id]);
  } finally {
    putBack('load', client);
  }
}
`;
    const put = 'export const putBack = (who: string, it: any) => { void [who, it]; };\n';
    deepStrictEqual(found({ 'main.ts': main, 'db.ts': put }), ['no-leaked-connection 6']);
    const said = `// @deadtime releases it\n${put}`;
    deepStrictEqual(found({ 'main.ts': main, 'db.ts': said }), []);
  });

  const pages = `import { store } from '@acme/store';
import { Pages } from './pages';
export async function page(id: string, pages: Pages) {
  const body = await store(id);
  const links = await pages.links(id);
  return { body, links };
}
`;

  it('declare what a call waits for', () => {
    const files = { 'main.ts': pages };
    const json = { types: { '@acme/store#store': { effect: 'redis.read' } } };
    const links =
      'export class Pages { links(id: string): Promise<string[]> { return (this as any).ask(id); } }';
    const said = links.replace('links(id', '/** @deadtime effect http.read */ links(id');
    const configured = { ...files, 'deadtime.config.json': JSON.stringify(json) };
    deepStrictEqual(found({ ...configured, 'pages.ts': links }), []);
    deepStrictEqual(found({ ...files, 'pages.ts': said }), []);
    deepStrictEqual(found({ ...configured, 'pages.ts': said }), [
      'no-sequential-independent-awaits 5',
    ]);
    // What writes may not start earlier.
    const writes = said.replace('http.read', 'http.write');
    deepStrictEqual(found({ ...configured, 'pages.ts': writes }), []);
  });

  it('declare which library a package wraps, until the configuration changes', () => {
    const main = leak
      .replace("'./db'", "'@acme/pg'")
      .replace('{ takeClient }', '{ Pool }')
      .replace('takeClient()', 'new Pool().connect()');
    const json = JSON.stringify({ packages: { treatAs: { '@acme/pg': 'pg' } } });
    const folder = folderWith({ '.git/HEAD': '', 'deadtime.config.json': json, 'main.ts': main });
    const modules = projectModules(folder.path, createClock());
    const lines = () =>
      foundIn(folder.path, main, modules).filter((it) => it.startsWith('no-leaked'));
    deepStrictEqual(lines(), ['no-leaked-connection 3']);
    folder.write({ 'deadtime.config.json': '{}' });
    modules.changed([join(folder.path, 'deadtime.config.json')]);
    deepStrictEqual(lines(), []);

    // A linter is told of no change: it asks the disk.
    folder.write({ 'deadtime.config.json': json });
    modules.refresh();
    deepStrictEqual(lines(), ['no-leaked-connection 3']);
  });

  const untyped = {
    ...{ '.git/HEAD': '', 'main.mjs': leak.replace(': number', '').replace('./db', './db.mjs') },
    'db.mjs': take.replace(/: Promise<any>| as any/g, ''),
  };
  const underEslint: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'in a comment': { 'db.mjs': `/** @deadtime acquires pg.PoolClient */\n${untyped['db.mjs']}` },
    // Linting runs the project's code anyway.
    'in a configuration that is code': {
      'deadtime.config.mjs':
        "export default { types: { 'db.mjs#takeClient': { acquires: 'pg.PoolClient' } } };",
    },
  };
  for (const [where, files] of Object.entries(underEslint)) {
    it(`hold under ESLint, ${where}`, () => {
      const { path } = folderWith({ ...untyped, ...files });
      const main = join(path, 'main.mjs');
      const messages = new Linter({ cwd: path }).verify(
        readFileSync(main, 'utf8'),
        { plugins: { deadtime }, rules: { 'deadtime/no-leaked-connection': 'warn' } },
        main,
      );
      deepStrictEqual(
        messages.map((it) => it.line),
        [3],
      );
    });
  }
});
