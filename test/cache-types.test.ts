import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { folderWith } from './fakes/folder.ts';
import { looksAt } from './fakes/looks.ts';

describe('the cache of what calls an interface', () => {
  const fares = (name: string, statement: string) =>
    [
      `import { pool } from './db';`,
      `import type { Fares } from './fares';`,
      `export class ${name} implements Fares {`,
      `  async list() { return (await pool.query('${statement}')).rows; }`,
      `}`,
    ].join('\n');
  const typed = {
    '.git/HEAD': '',
    'package.json': '{ "dependencies": { "pg": "^8.0.0" } }',
    'src/db.ts': `import { Pool } from 'pg';\nexport const pool = new Pool({ max: 60 });\n`,
    'src/plain.ts': 'export const one = 1;\n',
    'src/fares.ts': `export interface Fares { list(): Promise<unknown[]>; }\n`,
    'src/pg-fares.ts': fares('PgFares', 'select * from fares'),
    'src/office/open.ts': [
      `import type { Fares } from '../fares';`,
      `export async function open(fares: Fares, old: Fares) {`,
      `  const now = await fares.list();`,
      `  const before = await old.list();`,
      `  return [now, before];`,
      `}`,
    ].join('\n'),
  };
  /** Files that are looked at again after a change. */
  const changes: Readonly<
    Record<string, readonly [Readonly<Record<string, string | undefined>>, readonly string[]]>
  > = {
    'a class that does something else': [
      { 'src/pg-fares.ts': fares('PgFares', 'insert into fares default values returning *') },
      ['office/open.ts', 'pg-fares.ts'],
    ],
    'a file with another class': [
      { 'src/more/far.ts': fares('Far', 'delete from fares').replaceAll("'./", "'../") },
      ['fares.ts', 'more/far.ts', 'office/open.ts'],
    ],
    'another class in a known file': [
      { 'src/plain.ts': fares('Plain', 'delete from fares') },
      ['office/open.ts', 'plain.ts'],
    ],
    'a class that goes': [{ 'src/pg-fares.ts': undefined }, ['fares.ts', 'office/open.ts']],
    'a class of something else': [
      { 'src/plain.ts': 'export class Plain implements Other {}\n' },
      ['plain.ts'],
    ],
  };
  for (const [name, [files, again]] of Object.entries(changes)) {
    it(`looks again at what it stands for: ${name}`, async () => {
      const folder = folderWith(typed);
      const looks = looksAt(folder);
      const first = await looks.next();
      for (const [file, text] of Object.entries(files)) {
        if (text === undefined) rmSync(join(folder.path, file));
        else folder.write({ [file]: text });
      }
      // A look at one folder is to notice it, too.
      const one = await looks.next('src/office');
      const all = await looks.next();
      deepStrictEqual([...one.again, ...all.again].sort(), again);
      strictEqual(first.count - all.count, again.includes('office/open.ts') ? 1 : 0);
    });
  }

  it('invalidates all results that depend on names once the names in texts are unresolved', async () => {
    const folder = folderWith(typed);
    const looks = looksAt(folder);
    await looks.next();
    const names = readdirSync(looks.kept).find((it) => it.endsWith('.names.json'))!;
    for (const broken of ['', 'x', readFileSync(join(looks.kept, names), 'utf8').slice(0, -9)]) {
      writeFileSync(join(looks.kept, names), broken);
      folder.write({ 'src/plain.ts': `export const one = ${broken.length};\n` });
      deepStrictEqual((await looks.next()).again, ['office/open.ts', 'plain.ts']);
      // It is known again.
      folder.write({ 'src/plain.ts': `export const two = ${broken.length};\n` });
      deepStrictEqual((await looks.next()).again, ['plain.ts']);
    }
  });

  it('invalidates no other result while a file without new names is written', async () => {
    const folder = folderWith(typed);
    const looks = looksAt(folder);
    await looks.next();
    for (const count of [2, 3, 4]) {
      folder.write({ 'src/plain.ts': `export const one = ${count};\n` });
      deepStrictEqual((await looks.next()).again, ['plain.ts']);
    }
    folder.write({ 'src/plain.ts': fares('Plain', 'delete from fares') });
    deepStrictEqual((await looks.next()).again, ['office/open.ts', 'plain.ts']);
  });

  it('invalidates dependants of a name in too many files once they are few enough, and not before', async () => {
    const count = 25;
    const many = Array.from({ length: count }, (_, i) => [
      `src/line-${i}.ts`,
      fares(`Line${i}`, 'select * from fares'),
    ]);
    const folder = folderWith({
      ...typed,
      ...(Object.fromEntries(many) as Record<string, string>),
    });
    const looks = looksAt(folder);
    await looks.next();
    folder.write({ 'src/line-3.ts': fares('Line3', 'delete from fares') });
    deepStrictEqual((await looks.next()).again, ['line-3.ts']);
    for (const i of [3, 4]) folder.write({ [`src/line-${i}.ts`]: 'export const none = 0;\n' });
    deepStrictEqual((await looks.next()).again, ['line-3.ts', 'line-4.ts', 'office/open.ts']);
  });

  it('does not list a file for a name that it contained before its last read', async () => {
    const later = { 'src/plain.ts': fares('Plain', 'delete from fares') };
    for (const texts of [later, { 'src/pg-fares.ts': 'export const none = 0;\n' }]) {
      const folder = folderWith(typed);
      const looks = looksAt(folder);
      const first = await looks.next();
      folder.write(texts);
      // Who asked for the name is forgotten, and asks again in the next run only.
      await looks.next(Object.keys(texts)[0]);
      const last = await looks.next();
      ok(last.again.includes('office/open.ts'));
      strictEqual(last.count, first.count - 1);
    }
  });

  it('notices that a file can be read again', async function () {
    if (process.platform === 'win32' || process.getuid?.() === 0) this.skip();
    const folder = folderWith({ ...typed, 'src/plain.ts': fares('Plain', 'delete from fares') });
    const path = join(folder.path, 'src/plain.ts');
    const looks = looksAt(folder);
    await looks.next();
    for (const mode of [0o000, 0o644]) {
      chmodSync(path, mode);
      await looks.next('src/office');
      await looks.next('src/pg-fares.ts');
      await looks.next('src/office');
    }
  });

  it('has the names of a text that only a read for other files has found', async () => {
    const folder = folderWith(typed);
    const looks = looksAt(folder);
    await looks.next();
    for (const name of ['Plain', 'Other']) {
      folder.write({ 'src/plain.ts': fares(name, 'delete from fares') });
      await looks.next('src/office');
    }
    folder.write({ 'src/plain.ts': 'export const one = 2;\n' });
    deepStrictEqual((await looks.next('src/office')).again, ['office/open.ts']);
    deepStrictEqual((await looks.next()).again, ['plain.ts']);
  });

  it('reads no text that has moved out of the project, and is linked to', async function () {
    if (process.platform === 'win32') this.skip();
    const folder = folderWith({ ...typed, 'src/far.ts': fares('Far', 'delete from fares') });
    const outside = join(folderWith({}).path, 'far.ts');
    const looks = looksAt(folder);
    await looks.next();
    renameSync(join(folder.path, 'src/far.ts'), outside);
    symlinkSync(outside, join(folder.path, 'src/far.ts'));
    await looks.next();
    strictEqual((await looks.next()).isWhole, true);
  });
});
