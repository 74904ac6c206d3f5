import { deepStrictEqual } from 'node:assert/strict';
import { loopAround, loopsOf } from '../src/analysis/flow/loops.ts';
import { projectOf } from './fixtures.ts';

function factsIn(source: string) {
  return projectOf([{ virtualPath: '/project/main.ts', source }])('/project/main.ts');
}

function loopsIn(source: string) {
  return loopsOf(factsIn(source)).map(({ kind, isSequential, bound, awaits }) => ({
    kind,
    isSequential,
    ...(bound === undefined ? {} : { bound }),
    awaits: awaits.map((it) => (it.isConditional ? 'conditional' : 'always')),
  }));
}

describe('loopsOf', () => {
  it('counts literal iterations', () => {
    deepStrictEqual(
      loopsIn('for (let i = 0; i < 5; i++) await a(i); for (const x of [1, 2]) await b(x)'),
      [
        { kind: 'for', isSequential: true, bound: 5, awaits: ['always'] },
        { kind: 'for-of', isSequential: true, bound: 2, awaits: ['always'] },
      ],
    );
  });

  it('leaves the awaits of inner loops and functions to them', () => {
    deepStrictEqual(
      loopsIn(
        'for (const x of xs) { for (const y of x) await a(y); later(async () => { await b() }) }',
      ).map(({ awaits }) => awaits),
      [[], ['always']],
    );
  });

  it('finds awaits that some iterations skip', () => {
    deepStrictEqual(
      loopsIn(
        'while (on) { await a(); if (x) await b(); if (y) continue; await c(); x && (await d()) }',
      ).map(({ awaits }) => awaits),
      [['always', 'conditional', 'conditional', 'conditional']],
    );
  });

  const others: readonly (readonly [string, string, string | undefined])[] = [
    ['awaited recursion', 'async function run(n) { await a(n); return run(n + 1) }', 'recursion'],
    [
      'recursion in a timer that is awaited',
      'async function run(n) { await new Promise((r) => setTimeout(() => run(n + 1).then(r), 5)) }',
      'recursion',
    ],
    ['a timer', 'async function run() { await a(); setTimeout(run, 5) }', 'timer'],
    [
      'a bound method',
      'class A { async run() { await a(); setTimeout(this.run.bind(this), 5) } }',
      'timer',
    ],
    [
      'a timer in finally',
      'function run() { a().finally(() => setTimeout(() => run(), 5)) }',
      'timer',
    ],
    [
      'a method that sets the timer',
      'class A { plan() { setTimeout(() => this.run(), 5) } async run() { await a(); this.plan() } }',
      'timer',
    ],
    ['an array method', 'xs.map(async (x) => { await a(x) })', 'elements'],
    ['an interval', 'setInterval(async () => { await a() }, 5)', 'interval'],
    [
      'recursion over a tree',
      'async function visit(n) { for (const c of n.children) await visit(c) }',
      undefined,
    ],
    ['a call of another function', 'async function run() { await walk() }', undefined],
  ];
  for (const [name, source, kind] of others) {
    it(`finds ${name}`, () => {
      const found = loopsOf(factsIn(source)).find((it) => !it.node.type.startsWith('For'));
      deepStrictEqual(found?.kind, kind);
    });
  }
});

describe('loopAround', () => {
  it('is the loop whose iterations run the node', () => {
    const file = factsIn(
      'for (const x of xs) { a(); new Promise((r) => { b() }); later(() => { c() }) } xs.map((x) => d(x))',
    );
    const around = (name: string) => {
      const call = file.nodes
        .all('CallExpression')
        .find((it) => it.callee.type === 'Identifier' && it.callee.name === name)!;
      return loopAround(file, call)?.kind;
    };
    deepStrictEqual(['a', 'b', 'c', 'd'].map(around), ['for-of', 'for-of', undefined, 'elements']);
  });
});
