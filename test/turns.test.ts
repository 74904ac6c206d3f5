import { deepStrictEqual } from 'node:assert/strict';
import { pauseOf } from '../src/analysis/flow/turns.ts';
import { projectOf } from './fixtures.ts';

/** The pause that the last await of the program waits for. */
function pauseIn(source: string) {
  const file = projectOf([{ virtualPath: '/project/main.ts', source }])('/project/main.ts');
  const awaited = file.nodes.all('AwaitExpression').at(-1)!;
  const pause = pauseOf(file, awaited.argument);
  return (
    pause && {
      kind: pause.kind,
      ms: pause.duration.value,
      through: pause.through.length,
      ...(pause.turn ? { turn: pause.turn } : {}),
      ...(pause.abort ? { abort: true } : {}),
      ...(pause.isConditional ? { conditional: true } : {}),
    }
  );
}

const sleep = (ms: number, through = 0) => ({ kind: 'sleep', ms, through });

describe('pauseOf', () => {
  const cases: readonly (readonly [string, string, object | undefined])[] = [
    ['a promise of a timer', 'await new Promise((r) => setTimeout(r, 50))', sleep(50)],
    [
      'a callback that resolves',
      'await new Promise((resolve) => { setTimeout(() => { resolve(undefined) }, 50) })',
      sleep(50),
    ],
    [
      'an arrow function',
      'const nap = (ms) => new Promise((r) => setTimeout(r, ms)); await nap(20)',
      sleep(20, 1),
    ],
    [
      'a default',
      'const nap = (ms = 30) => new Promise((r) => setTimeout(r, ms)); await nap()',
      sleep(30, 1),
    ],
    [
      'seconds',
      'const naps = (s) => new Promise((r) => setTimeout(r, s * 1000)); await naps(2)',
      sleep(2000, 1),
    ],
    [
      'a wrapper of a wrapper',
      'const nap = (ms) => new Promise((r) => setTimeout(r, ms)); const shortly = () => nap(5); await shortly()',
      sleep(5, 2),
    ],
    [
      'a static method',
      'class Time { static async nap(ms) { await new Promise((r) => setTimeout(r, ms)) } } await Time.nap(7)',
      sleep(7, 1),
    ],
    [
      'promisify',
      "import { promisify } from 'node:util'; const nap = promisify(setTimeout); await nap(9)",
      sleep(9),
    ],
    [
      'timers/promises',
      "import { setTimeout as nap } from 'node:timers/promises'; await nap(11)",
      sleep(11),
    ],
    [
      'timers/promises with a signal',
      "import { setTimeout as nap } from 'node:timers/promises'; await nap(11, undefined, { signal })",
      { ...sleep(11), abort: true },
    ],
    ['a package', "import delay from 'delay'; await delay(12)", sleep(12)],
    [
      'a statement',
      "import { Pool } from 'pg'; const pool = new Pool(); await pool.query('SELECT pg_sleep(0.5)')",
      sleep(500),
    ],
    [
      'caught',
      "import { setTimeout as nap } from 'node:timers/promises'; await nap(13).catch(() => {})",
      sleep(13),
    ],
    [
      'a limiter',
      'async function gap() { if (isFast()) await new Promise((r) => setTimeout(r, 5)) } await gap()',
      { ...sleep(5, 1), conditional: true },
    ],
    [
      'a timer of nothing',
      'await new Promise((r) => setTimeout(r, 0))',
      { kind: 'timer', ms: 1, through: 0, turn: 'setTimeout 0' },
    ],
    [
      'setImmediate',
      'await new Promise(setImmediate)',
      { kind: 'immediate', ms: 0, through: 0, turn: 'setImmediate' },
    ],
    [
      'scheduler.yield',
      "import { scheduler } from 'node:timers/promises'; await scheduler.yield()",
      { kind: 'immediate', ms: 0, through: 0, turn: 'scheduler.yield' },
    ],
    [
      'nextTick',
      'await new Promise((r) => process.nextTick(r))',
      { kind: 'tick', ms: 0, through: 0, turn: 'process.nextTick' },
    ],
    ['a method that is not known', 'await broadcast.wait(100)', undefined],
    ['a race', 'await Promise.race([work(), new Promise((r) => setTimeout(r, 9))])', undefined],
    [
      'a promise that something else resolves',
      'await new Promise((r) => { this.wake = r; setTimeout(r, 9) })',
      undefined,
    ],
    [
      'a time-out',
      'await new Promise((resolve, reject) => { setTimeout(() => reject(new Error()), 9); work(resolve) })',
      undefined,
    ],
    [
      'a function that also works',
      'async function step() { await work(); await new Promise((r) => setTimeout(r, 9)) } await step()',
      undefined,
    ],
  ];
  for (const [name, source, expected] of cases) {
    it(`reads ${name}`, () => deepStrictEqual(pauseIn(source), expected));
  }
});
