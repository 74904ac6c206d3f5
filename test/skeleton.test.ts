import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { skeletonAt, type SkeletonSubject } from '../src/patterns/skeleton/skeletons.ts';
import { fileOf, imports, shown, waitCases, waitsOf } from './waits.ts';

describe('the waits of a function', () => {
  for (const [name, body, waits, before] of waitCases) {
    it(name, () => deepStrictEqual(waitsOf(body, before), waits));
  }
});

describe('the waits around a finding', () => {
  const at = (subject: SkeletonSubject, source: string, mark: string) => {
    const file = fileOf(`${imports}\n${source}`);
    const skeleton = skeletonAt(file, subject, file.text.indexOf(mark));
    return 'unreadable' in skeleton
      ? skeleton.unreadable
      : [skeleton.unit, ...shown(skeleton.steps)];
  };

  it('has one iteration for a sleep, with its place', () => {
    const worker = `
async function work() {
  while (true) {
    const { rows } = await pool.query('SELECT id FROM jobs LIMIT 1 FOR UPDATE SKIP LOCKED')
    if (rows.length > 0) await pool.query('DELETE FROM jobs WHERE id = $1', [rows[0].id])
    await sleep(100)
  }
}`;
    deepStrictEqual(at('sleep', worker, 'await sleep'), [
      'one iteration of the loop at line 7',
      'pool.query() (database, pool)',
      'branch',
      '  pool.query() (database, pool)',
      '> sleep 100',
    ]);
    strictEqual(at('sleep', worker, 'const { rows }'), 'the waits of its kind are not part of it');
  });

  it('has the whole function for reads in a row', () => {
    const overview = `
export async function overview(id: number) {
  const books = await pool.query('SELECT * FROM books WHERE owner = $1', [id])
  const loans = await pool.query('SELECT * FROM loans WHERE owner = $1', [id])
  await sleep(books.rows.length + loans.rows.length)
}`;
    deepStrictEqual(at('reads', overview, "await pool.query('SELECT * FROM books"), [
      'one call of overview()',
      '> pool.query() (database, pool)',
      '> pool.query() (database, pool)',
      'sleep undefined',
    ]);
  });

  it('has the loop for awaits that need nothing of each other, and for checkouts', () => {
    const mail = `
export async function addresses(ids: number[]) {
  const found = []
  for (const id of ids) {
    const { rows } = await pool.query('SELECT mail FROM users WHERE id = $1', [id])
    found.push(rows[0].mail)
  }
  return found
}`;
    deepStrictEqual(at('loop', mail, 'await pool.query'), [
      ...['one call of addresses()', '> loop undefined', '  pool.query() (database, pool)'],
    ]);
    deepStrictEqual(at('checkout', mail, 'pool.query'), [
      ...['one iteration of the loop at line 8', '> pool.query() (database, pool)'],
    ]);
  });
});
