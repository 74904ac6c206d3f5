import assert from 'node:assert/strict';
import { exportedNames } from '../project/exported-names.ts';

function namesIn(text: string): readonly string[] | undefined {
  const names = exportedNames(text);
  return names && [...names];
}

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
  });

  it('does not say where the text does not spell the names', () => {
    for (const text of [
      "export * from './db'",
      "export type * from './db'",
      'export = db',
      'export const { pool } = make()',
      'export let a, b',
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
});
