import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { factsOf } from '../src/analysis/facts.ts';
import { exportsOf } from '../src/analysis/provenance/exports.ts';
import { exportedNames } from '../src/project/exported-names.ts';
import { isFailure, sourceOf } from '../src/scan/parse.ts';
import { withoutMarks } from './fixtures.ts';

function namesIn(text: string): readonly string[] | undefined {
  const names = exportedNames(text);
  return names && [...names];
}

/** What the parsed text exports and the names read from the text leave out; undefined for broken source. */
function missingIn(text: string, path = '/app/db.ts') {
  const source = sourceOf(text, path);
  if (isFailure(source)) return undefined;
  const { names: exported, everythingFrom } = exportsOf(factsOf(source));
  const names = exportedNames(text);
  // `mayExport` parses for every other name.
  const asked = exported.filter((it) => /^[\w$]+$/.test(it) && it !== 'default');
  return {
    count: asked.length,
    missing: names
      ? [...asked.filter((it) => !names.has(it)), ...everythingFrom.map((it) => `* from ${it}`)]
      : [],
  };
}

/** Each exports `pool`, or all of another file. */
const POOLS = [
  'export let pool = null, client;',
  'export let client = null, pool;',
  'export const a = 1, pool: Map<string, Pool> = new Map()',
  'export const a = 1, pool: (x: number) => void = g',
  'export const a = 1, { pool } = make()',
  'export const a = 1, [pool] = make()',
  'export const a = [1, 2].map((it) => it), b = `,`, pool = 3',
  'export let a = 1, pool!: Pool',
  'export const a = 1, /* why */ pool = 2',
  'export const a = 1, // why\n  pool = 2',
  "export const a = read('export'), pool = 2",
  'export let a, pool',
  'export const { pool } = make()',
  'export const [pool] = make()',
  'export const { of: { pool } } = make()',
  'export const { ...pool } = make()',
  'export const { of: [, pool = 1] } = make()',
  'export let { [key(1, 2)]: pool } = make()',
  'export let a = 1, // why\n  // so\n  pool',
  'export let a = 1, /* why */ { /* so */ pool } = make()',
  'export let a = 1, // why\n  { pool /* so */ } = make()',
  'export let a = 1, // why\n  pool!: Pool',
  'export let a = 1, /* why */ pool; start()',
  'export let a = 1, /* why\n so */ pool\n\nstart()',
  'export let a = 1, { b: {\n  // why\n  pool\n} } = make()',
  'export const /* x */ pool = 1',
  'export function /* x */ pool() {}',
  'export class /* x */ pool {}',
  'export function*pool() {}',
  'export async function pool() {}',
  'export declare const enum pool { x }',
  'export abstract class pool extends Db {}',
  'export class async extends pool {}\nexport class pool {}',
  "export import pool = require('pg')",
  'export const p\\u006fol = 1',
  "export { p as 'pool' }\nconst p = 1",
  'const pool = 1\nexport { pool, // why\n}',
  'const a = 1\nexport { a as\n  pool }',
  "export * as pool from './db'",
  "export type * as pool from './db'",
  "export * as 'pool' from './db'",
  "export * from './db'",
  "export type * from './db'",
  'exports.pool ??= make()',
  'exports.pool ||= make()',
  'exports.pool &&= make()',
  'exports.pool += make()',
  "exports[\n'pool'\n] = make()",
  'exports /* x */ .pool = make()',
  'exports.pool /* x */ = make()',
  '(exports.pool) = make()',
  '(exports).pool = make()',
  'module.exports.pool ??= make()',
  "(module)['exports'].pool = make()",
  'export const a = /[\\u0300-\\u036f]/, pool = 2',
  'export const a = 1, pool/* x */ = 2',
  'export const a = 1, { pool }: Pools = make()',
  'export const a = 1, [pool] /* x */ = make()',
  'export declare const a: Db, pool, b: Db',
  'export const a = 1\nexport let b, pool, c',
  '// *****\nexport const pool = 1',
  '/** import-export **/ export const pool = 1',
  'let i = 1\ni--\nexport const pool = 1',
  'module /* x */ .exports.pool = make()',
];

describe('names that a text exports', () => {
  it('finds declarations and lists without a parser', () => {
    assert.deepEqual(namesIn('export const a = 1\nexport async function* b() {}'), ['a', 'b']);
    assert.deepEqual(namesIn('export declare abstract class Db {}\nexport const enum E { x }'), [
      'Db',
      'E',
    ]);
    assert.deepEqual(namesIn("export { a, type B, c as d } from './x'"), ['a', 'B', 'd']);
    assert.deepEqual(namesIn("export * as db from './db'\nexport type Row = {}"), ['db', 'Row']);
    assert.deepEqual(namesIn('export const a = 1,\n  b: number = 2\nuse(c)'), ['a', 'b']);
  });

  it('leaves out what is only mentioned', () => {
    assert.deepEqual(namesIn("import { pool } from './db'\nexport const jobs = [pool]"), ['jobs']);
    assert.deepEqual(namesIn('// we export pool and all other exports.\nfind(exports)'), []);
    assert.deepEqual(namesIn('/**\n * Part of import-export\n * export class Pool\n */'), []);
    assert.deepEqual(namesIn('export const marks = /[\\u0300-\\u036f]/;'), ['marks']);
    const listed = 'export const jobs = run(sql, pool, [1]);\nconst rows = [\n  pool,\n];';
    assert.deepEqual(namesIn(listed), ['jobs']);
  });

  it('omits words where no pattern binds a name', () => {
    const text = [
      'export const jobs = pool.query(sql, { key: 1 });',
      'export const rows = [1, // first',
      '  2];',
      'await pool.end();',
      'log(pool);',
    ].join('\n');
    const names = exportedNames(text)!;
    assert.deepEqual(
      [names.has('jobs'), names.has('rows'), names.has('pool')],
      [true, true, false],
    );
  });

  it('has no result where the text does not spell the names', () => {
    for (const text of [
      "export * from './db'",
      "export type * from './db'",
      'export = db',
      'export @injected() class Db {}',
      'export /* pool */ const pool = 1',
      'export {\n  a // pool\n}',
      'module.exports = { pool }',
      'exports.pool = make()',
      "exports['pool'] = make()",
    ]) {
      assert.equal(namesIn(text), undefined, text);
    }
  });

  for (const text of POOLS) {
    it(`misses nothing in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(missingIn(text)?.missing, []);
      assert.ok(exportedNames(text)?.has('pool') ?? true);
    });
  }

  it('misses nothing that a word of a declaration is the name of', () => {
    for (const name of [
      'async',
      'abstract',
      'declare',
      'module',
      'namespace',
      'of',
      'type',
      'as',
    ]) {
      for (const text of [`export class ${name} extends Db {}`, `export let ${name}\nstart()`]) {
        assert.deepEqual(missingIn(text), { count: 1, missing: [] }, text);
      }
    }
  });

  it('misses nothing that the parser finds in any fixture', () => {
    let count = 0;
    for (const path of globSync('fixtures/**/*.{ts,js,mjs,jsx}')) {
      const found = missingIn(withoutMarks(readFileSync(path, 'utf8')), path);
      assert.deepEqual(found?.missing ?? [], [], path);
      count += found?.count ?? 0;
    }
    assert.ok(count > 500, `${count} names`);
  });
});
