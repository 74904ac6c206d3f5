import { deepStrictEqual } from 'node:assert/strict';
import { probesIn } from './probed-text.ts';

describe('the probes of a file', () => {
  it('have what the analysis resolves of each await', () => {
    const text = `import pg from 'pg';
import { readFile } from 'node:fs/promises';
import { setImmediate, setTimeout } from 'node:timers/promises';
const pool = new pg.Pool();
const all = () => pool.query('SELECT 1');
const each = async () => { await all(); };
export async function f(unresolved) {
  await setTimeout(50);
  await setImmediate();
  await pool.query('SELECT 1');
  await all();
  await each();
  await fetch('https://api.example/orders');
  await readFile('a.txt');
  await unresolved();
  await Promise.all([all(), setTimeout(20)]);
  await Promise.resolve(3);
}`;
    const { sites, pools } = probesIn(text);
    deepStrictEqual(
      sites.map((it) => [it.line, it.kind, it.code, it.sleepMs]),
      [
        [6, 'db', 'all', undefined],
        [8, 'sleep', 'setTimeout', 50],
        [9, 'yield', 'setImmediate', undefined],
        [10, 'db', 'pool.query', undefined],
        [11, 'db', 'all', undefined],
        [12, 'calls', 'each', undefined],
        [13, 'network', 'fetch', undefined],
        [14, 'thread-pool', 'readFile', undefined],
        [15, 'unresolved', 'unresolved', undefined],
        [16, 'unresolved', 'Promise.all', undefined],
      ],
    );
    deepStrictEqual(
      pools.map((it) => it.line),
      [4],
    );
  });

  it('have what is resolved of a promise that was started earlier, in a list, or behind a condition', () => {
    const text = `import pg from 'pg';
const pool = new pg.Pool();
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
export async function f(unresolved, isSlow) {
  const early = pool.query('SELECT 1');
  const pause = sleep(20);
  const all = [1, 2].map(() => pool.query('SELECT 1'));
  const pushed = [];
  const { part } = unresolved;
  const rows = await early;
  await pause;
  await Promise.all(all);
  await Promise.all(pushed);
  await part;
  await rows;
  await (isSlow, unresolved);
  await (isSlow, sleep(3));
  await (isSlow ? sleep(3) : sleep(5));
  await (isSlow && sleep(5));
  await Promise.all([sleep(3), sleep(5)]);
  await Promise.all([early, pause]);
  await Promise.all([unresolved, sleep(3)]);
  await early.then((it) => it.rows);
  await new Promise((done) => unresolved.push(done));
  await Promise.resolve(3);
}`;
    deepStrictEqual(
      probesIn(text).sites.map((it) => [it.line, it.kind, it.sleepMs]),
      [
        [10, 'db', undefined],
        [11, 'sleep', 20],
        [12, 'db', undefined],
        [13, 'unresolved', undefined],
        [14, 'unresolved', undefined],
        [16, 'unresolved', undefined],
        [17, 'sleep', 3],
        [18, 'sleep', undefined],
        [19, 'sleep', 5],
        [20, 'sleep', undefined],
        [21, 'unresolved', undefined],
        [22, 'unresolved', undefined],
        [23, 'db', undefined],
        [24, 'unresolved', undefined],
      ],
    );
  });

  it('have a pause at the line that states its time', () => {
    const text = `const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const second = () => sleep(1000);
async function rest(ms) { await sleep(ms); }
async function fixed() { await sleep(50); }
async function computed(times) { await rest(10 * times + 1); }
export async function f() {
  await second();
  await rest(30);
  await fixed();
  await computed(3);
}`;
    deepStrictEqual(
      probesIn(text).sites.map((it) => [it.line, it.kind, it.sleepMs]),
      [
        [3, 'sleep', undefined],
        [4, 'sleep', 50],
        [5, 'sleep', undefined],
        [7, 'sleep', 1000],
        [8, 'sleep', 30],
        [9, 'calls', undefined],
        [10, 'calls', undefined],
      ],
    );
  });
});
