import { deepStrictEqual } from 'node:assert/strict';
import { quantityOf } from '../src/analysis/values/values.ts';
import { projectOf } from './fixtures.ts';

/** The number that `shown` is given, in a program in which another file is config.ts. */
function valueIn(code: string, config = '') {
  const factsAt = projectOf([
    { virtualPath: '/project/config.ts', source: config },
    { virtualPath: '/project/main.ts', source: code },
  ]);
  const file = factsAt('/project/main.ts');
  const call = file.nodes
    .all('CallExpression')
    .find((it) => it.callee.type === 'Identifier' && it.callee.name === 'shown')!;
  const { value, source, traits } = quantityOf(file, call.arguments[0]!);
  return { value, source, traits: [...traits].sort() };
}

const code = (value: number, ...traits: string[]) => ({ value, source: 'code', traits });
/** Not what it is, but what it is where nothing else is given. */
const byDefault = (value: number, ...traits: string[]) => ({ value, source: 'default', traits });
const unknown = (...traits: string[]) => ({ value: undefined, source: 'unknown', traits });

describe('quantityOf', () => {
  const cases: readonly (readonly [string, string, object])[] = [
    ['a literal', 'shown(100)', code(100)],
    ['arithmetic', 'const SECOND = 1_000; shown(SECOND * 4 + 1)', code(4001)],
    ['a fallback', 'shown(undefined ?? 20)', code(20)],
    [
      'an environment variable with a fallback',
      'shown(Number(process.env.POLL_MS || 5000))',
      byDefault(5000, 'environment'),
    ],
    [
      'a parsed text',
      "shown(parseInt(process.env.POLL_MS ?? '250', 10))",
      byDefault(250, 'environment'),
    ],
    ['an environment variable alone', 'shown(process.env.POLL_MS)', unknown('environment')],
    ['ms()', "import ms from 'ms'; shown(ms('1s'))", code(1000)],
    ['ms() with minutes', "const ms = require('ms'); shown(ms('2 minutes'))", code(120_000)],
    ['a default parameter', 'function f(wait = 30) { shown(wait) }', byDefault(30, 'parameter')],
    [
      'a default in an options object',
      'function f({ wait = 30 } = {}) { shown(wait) }',
      byDefault(30, 'parameter'),
    ],
    ['a parameter', 'function f(wait) { shown(wait) }', unknown('parameter')],
    ['an object', 'const DELAYS = { short: 10 } as const; shown(DELAYS.short)', code(10)],
    ['an enum', 'enum Delay { Short = 10 } shown(Delay.Short)', code(10)],
    ['a field', 'class A { wait = 10; run() { shown(this.wait) } }', code(10)],
    [
      'a field with a fallback',
      'class A { constructor(o) { this.wait = o.wait ?? 10 } run() { shown(this.wait) } }',
      byDefault(10, 'parameter', 'unresolved'),
    ],
    [
      'a getter of the class above',
      'class A { #w = 5; get wait() { return this.#w } } class B extends A { run() { shown(this.wait) } }',
      code(5),
    ],
    [
      'a field that is changed',
      'class A { wait = 10; run() { this.wait = 20; shown(this.wait) } }',
      unknown('variable'),
    ],
    ['a variable that is changed', 'let wait = 10; wait *= 2; shown(wait)', unknown('variable')],
    ['the clock', 'shown(1000 - (Date.now() - start))', unknown('clock', 'unresolved')],
    ['chance', 'shown(100 + Math.random() * 50)', unknown('random')],
    ['a power', 'shown(2 ** tries)', unknown('power', 'unresolved')],
    ['one of two', 'shown(busy ? 0 : 100)', unknown('condition', 'unresolved')],
    ['Math.max', 'shown(Math.max(10, 20))', code(20)],
    [
      'a choice by what may be left out',
      'shown(process.env.MS ? Number(process.env.MS) : 40)',
      byDefault(40, 'environment'),
    ],
    [
      'what is computed of a fallback',
      'function f(o) { shown(2 * (o.ms ?? 50)) }',
      byDefault(100, 'parameter', 'unresolved'),
    ],
    ['a property before a spread', 'const o = { ms: 10, ...options }; shown(o.ms)', byDefault(10)],
    ['a property after a spread', 'const o = { ...options, ms: 10 }; shown(o.ms)', code(10)],
  ];
  for (const [name, source, expected] of cases) {
    it(`reads ${name}`, () => deepStrictEqual(valueIn(source), expected));
  }

  it('follows imports', () => {
    deepStrictEqual(
      valueIn(
        "import { POLL_MS } from './config.js'; shown(POLL_MS)",
        'export const POLL_MS = 60 * 1000;',
      ),
      code(60_000),
    );
    deepStrictEqual(
      valueIn(
        "import config from './config.js'; shown(config.worker.pollMs)",
        'export default { worker: { pollMs: Number(process.env.X) || 75 } };',
      ),
      byDefault(75, 'environment'),
    );
    deepStrictEqual(
      valueIn(
        "import * as config from './config.js'; shown(config.POLL_MS)",
        'export const POLL_MS = 5;',
      ),
      code(5),
    );
  });
});
