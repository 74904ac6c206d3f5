import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import * as nodeModule from 'node:module';
import blocking from '../../rules/no-blocking-call/rule.ts';
import { NAMES, rewritten } from '../../src/runtime/program/rewrite.ts';
import { probesIn } from './probed-text.ts';

const NUMBERS = { firstSite: 0, firstSource: 0, firstPool: 0 };

function withProbes(text: string, path?: string): string {
  const result = rewritten(text, { ...NUMBERS, probes: probesIn(text, path) });
  ok(result !== undefined);
  strictEqual(result.split('\n').length, text.split('\n').length);
  return result;
}

/** What a module exports as `result`, and which probes were opened and closed on the way. */
async function run(
  text: string,
): Promise<{ readonly result: unknown; readonly log: readonly string[] }> {
  const log: string[] = [];
  const probes: Readonly<Record<keyof typeof NAMES, unknown>> = {
    frame: (source?: number) => log.push(source === undefined ? 'frame' : `entry ${source}`),
    leave: () => log.push('leave'),
    open: (_: unknown, id: number) => (log.push(`open ${id}`), id),
    evaluated: (_: unknown, value: unknown) => value,
    close: (id: number, value: unknown) => (log.push(`close ${id}`), value),
    iteration: (_: unknown, loop: number) => log.push(`iteration ${loop}`),
    iterated: () => log.push('iterated'),
    pool: (id: number, pool: unknown) => (log.push(`pool ${id}`), pool),
  };
  for (const [name, value] of Object.entries(probes)) {
    Object.defineProperty(globalThis, NAMES[name as keyof typeof NAMES], {
      ...{ value, configurable: true },
    });
  }
  const url = `data:text/javascript,${encodeURIComponent(`${text}\n// ${++modules}`)}`;
  const { result } = (await import(url)) as { readonly result: unknown };
  return { result, log };
}

let modules = 0;

/** What a module outside of the project does is unresolved, so each await of it is measured. */
const later =
  "import { later } from 'data:text/javascript,export const later = (it) => Promise.resolve(it)';";

/** The result of the code, which has to be the same with probes, and how many awaits these have seen. */
async function same(code: string): Promise<{ readonly result: unknown; readonly awaits: number }> {
  const text = `${later}\n${code}`;
  const plain = await run(text);
  const { result, log } = await run(withProbes(text));
  deepStrictEqual(result, plain.result);
  // A module does not end.
  const left = log.filter((it) => it === 'leave').length;
  ok(left >= log.filter((it) => it === 'frame').length - 1);
  return { result, awaits: log.filter((it) => it.startsWith('close')).length };
}

describe('the probes in a text', () => {
  for (const [position, code, expected, awaits] of [
    [
      'in arguments',
      'export const result = await (async () => Math.max(await later(1), await later(5)))();',
      5,
      3,
    ],
    [
      'in an await',
      'const f = async () => await later(await later(3));\nexport const result = await f();',
      3,
      3,
    ],
    [
      'in for await',
      'const f = async () => { let n = 0; for await (const it of [await later(1), later(2)]) n += it; return n; };\nexport const result = await f();',
      3,
      2,
    ],
    [
      'in a template literal',
      'const f = async () => `${await later(1)}-${await later(2)}`;\nexport const result = await f();',
      '1-2',
      3,
    ],
    [
      'in a default parameter',
      'const f = async (g = async () => await later(4)) => { return await g(); };\nexport const result = await f();',
      4,
      3,
    ],
    [
      'in an arrow function without braces, on its own line',
      'const f = async () =>\n  await later(2);\nexport const result = await f();',
      2,
      2,
    ],
    [
      'in an arrow function that returns an object',
      'const f = async () => ({ a: await later(2) }).a;\nexport const result = await f();',
      2,
      2,
    ],
    [
      'behind a comment with an arrow',
      'const f = async (a /* => */) => /* => */ (\n  // =>\n  await later(a)\n);\nexport const result = await f(7);',
      7,
      2,
    ],
    [
      'in an optional chain',
      'const f = async () => (await later({ a: { b: 3 } }))?.a?.[await later("b")];\nexport const result = await f();',
      3,
      3,
    ],
    [
      'behind return',
      'async function f() { return await later(6) }\nexport const result = await f()',
      6,
      2,
    ],
    [
      'behind yield',
      'async function* f() { yield await later(1); yield await later(2); }\nconst all = [];\nfor await (const it of f()) all.push(it);\nexport const result = all.length;',
      2,
      2,
    ],
    [
      'in a method, a getter’s function and a static block',
      'class A { async f() { return await later(this.n); } get g() { return async () => await later(this.n + 1); } static s; static { this.s = async () => await later(9); } n = 1 }\nconst a = new A();\nexport const result = [await a.f(), await a.g(), await A.s()].join();',
      '1,2,9',
      6,
    ],
    [
      'without a semicolon',
      'const f = async () => {\n  const a = 1\n  await later(a)\n  return a\n}\nexport const result = await f()',
      1,
      2,
    ],
    [
      'without a space',
      'const f = async()=>{return(await(later)(5))};export const result=await(f)();',
      5,
      2,
    ],
    [
      'in a switch, behind typeof and with an operator',
      'const f = async () => { switch (await later(1)) { case await later(1): return typeof await later("a") + -(await later(2)); } };\nexport const result = await f();',
      'string-2',
      5,
    ],
    [
      'in a conditional expression and a sequence',
      'const f = async (a) => a ? (await later(0), await later(2)) : await later(3);\nexport const result = await f(true);',
      2,
      3,
    ],
    [
      'in a body that uses its arguments',
      'async function f() { const g = async () => arguments[0]; return (await g()) + (await later(1)); }\nexport const result = await f(4);',
      5,
      2,
    ],
    [
      'in a body with a function declared below',
      'async function f() { return await g(); async function g() { return await later(8); } }\nexport const result = await f();',
      8,
      3,
    ],
  ] as const) {
    it(`change nothing of an await ${position}`, async () => {
      deepStrictEqual(await same(code), { result: expected, awaits });
    });
  }

  it('are around the synchronous calls of findings, but for those in a chain, in a default or with waits', () => {
    const text = [
      "import express from 'express';",
      "import fs from 'node:fs';",
      'const app = express();',
      "app.get('/a', (req, res) => res.send(fs.readFileSync('a').toString()));",
      "app.get('/b', (req, res) => res.send(fs?.readFileSync('b').toString()));",
      "app.get('/c', (req, res, text = fs.readFileSync('c')) => res.send(text));",
      "app.get('/d', async (req, res) => res.send(fs.readFileSync(await req.path)));",
      '',
    ].join('\n');
    const { sites, frames } = probesIn(text, 'a.js', (file) => blocking.findings(file));
    deepStrictEqual(
      sites.map(({ kind, line, code, isReturned }) => [kind, line, code, isReturned]),
      [
        ['blocking', 4, 'fs.readFileSync', undefined],
        ['unresolved', 7, 'req.path', undefined],
      ],
    );
    strictEqual(frames.length, 2);
    const probes = { sites, frames, text: '', sources: [], pools: [], findings: [] };
    const line = rewritten(text, { ...NUMBERS, probes })!.split('\n')[3]!;
    ok(
      line.includes("__deadtime_close(__deadtime_open(__deadtime_own,0),fs.readFileSync('a'))."),
      line,
    );
  });

  it('are not in a body in which a name is declared twice', () => {
    const text = 'async function f(a, g) { function g() {} return await a(); }';
    deepStrictEqual(probesIn(text).sites, []);
  });

  it('let a rejection pass, and leave the function', async () => {
    const text = withProbes(
      `${later}
const fails = async () => { await later(Promise.reject(new Error('no'))); };
export const result = await fails().catch((it) => it.message);`,
    );
    const { result, log } = await run(text);
    deepStrictEqual(
      [result, log],
      ['no', ['frame', 'open 1', 'frame', 'open 0', 'leave', 'close 1']],
    );
  });

  it('stay behind a hashbang and directives', async () => {
    const text = `#!/usr/bin/env node
'use strict'
${later}
async function f(a) {
  'use strict'
  return await later(this === undefined)
}
export const result = await f()`;
    const changed = withProbes(text);
    ok(changed.startsWith("#!/usr/bin/env node\n'use strict';const "));
    ok(changed.includes("{\n  'use strict';const "));
    strictEqual((await run(changed)).result, true);
  });

  it('begin an entry with each iteration of a worker, with and without braces', async () => {
    const text = withProbes(`${later}
const jobs = [1, 2];
const stop = { isSet: false };
const next = () => (stop.isSet = jobs.pop() === undefined);
export async function braces() { while (!stop.isSet) { await later(next()); } }
export async function none() { for (;;) if (await later(next())) return; }
await braces();
export const result = await none();`);
    const { log } = await run(text);
    deepStrictEqual(
      log.filter((it) => it.startsWith('iteration')),
      ['iteration 0', 'iteration 0', 'iteration 0', 'iteration 1'],
    );
  });

  it('begin an entry with each message, which ends with the body of the loop', async () => {
    const text = withProbes(`import { on } from 'node:events';
${later}
const queue = new (await import('node:events')).EventEmitter();
const seen = [];
export async function braces() {
  for await (const [job] of on(queue, 'job')) { if (job === 1) continue; if (job === 3) break; await later(seen.push(job)); }
}
export async function none() { for await (const [job] of on(queue, 'job')) if (seen.push(await later(job)) > 3) return seen; }
const [, result] = await Promise.all([braces(), none(), later().then(() => [1, 2, 3].map((it) => queue.emit('job', it)))]);
result.sort();
export { result };`);
    const { result, log } = await run(text);
    deepStrictEqual(result, [1, 2, 2, 3]);
    const turns = log.filter((it) => /^itera/.test(it));
    deepStrictEqual(
      ['iteration 0', 'iteration 1', 'iterated'].map((it) => turns.filter((a) => a === it).length),
      [3, 3, 6],
    );
  });

  for (const [position, handler, awaits] of [
    ['returns the promise of a call', 'async (it) => later(it)', 1],
    ['returns it in parentheses', 'async (it) => (later(it))', 1],
    [
      'returns one of two',
      'async (it) => { if (it > 9) return; return it ? later(it) : later(0); }',
      1,
    ],
    ['returns a call whose arguments wait', 'async (it) => { return later(await later(it)); }', 2],
    ['awaits what it returns', 'async (it) => await later(it)', 1],
    ['returns from a try', 'async (it) => { try { return later(it); } finally { it = 0; } }', 0],
    ['returns a sequence', 'async (it) => { return (it, later(it)); }', 0],
    ['returns a value', 'async (it) => { await later(0); return it; }', 1],
  ] as const) {
    it(`last as long as a handler that ${position}`, async () => {
      const text = `${later}
let handler;
globalThis.it = (_, given) => (handler = given);
it('has a handler', ${handler});
export const result = await (async () => { try { return [await handler(3), await handler(0)]; } catch (error) { return error.message; } })();`;
      const { result } = await run(text);
      const changed = await run(withProbes(text));
      deepStrictEqual(
        [changed.result, result],
        [
          [3, 0],
          [3, 0],
        ],
      );
      const closed = probesIn(text).sites.filter((it) => it.line === 4);
      deepStrictEqual(closed.length, awaits);
      strictEqual(changed.log.filter((it) => it === 'entry 0').length, 2);
    });
  }

  it('let a rejection pass that a handler returns', async () => {
    const text = withProbes(`${later}
let handler;
globalThis.it = (_, given) => (handler = given);
it('fails', async () => later(Promise.reject(new Error('no'))));
export const result = await handler().catch((it) => it.message);`);
    const { result, log } = await run(text);
    deepStrictEqual(
      [result, log.filter((it) => /^(?:entry|leave)/.test(it))],
      ['no', ['entry 0', 'leave']],
    );
  });

  it('are in the lines of TypeScript before its types are removed', function () {
    // Node.js 20 has no TypeScript.
    const { stripTypeScriptTypes } = nodeModule as { stripTypeScriptTypes?(text: string): string };
    if (!stripTypeScriptTypes) return this.skip();
    const text = `const f = async <T>(a: Promise<T>): Promise<T> => (await a) as T;
export const result: number = await f<number>(Promise.resolve(3))!;`;
    ok(stripTypeScriptTypes(withProbes(text, 'a.ts')).includes(NAMES.open));
  });

  it('are not in a text that has such names itself', () => {
    const text = 'export const f = async (a) => await a(__deadtime_open);';
    strictEqual(rewritten(text, { ...NUMBERS, probes: probesIn(text) }), undefined);
  });
});
