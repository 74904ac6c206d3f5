import { setImmediate as turn, setTimeout as nap } from 'node:timers/promises';
import { runProgramSync } from '../../system/processes.ts';
import type { BenchmarkCase } from '../case.ts';
import { duration, known, numbersOf, word } from '../parameters.ts';

export interface BlockEvidence {
  readonly [name: string]: string | number | boolean;
  readonly how: 'Atomics.wait' | 'busy loop' | 'execSync' | 'sleepSync';
  // Also `sleepMs`, where the code contains it.
}

/** A machine under load may start a process late. */
const LATE_MS = 10_000;

const blocks = {
  'Atomics.wait': (ms: number) => {
    // deadtime-ignore-next-line no-blocking-sleep -- what this case measures
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  },
  'busy loop': (ms: number) => {
    const start = Date.now();
    // deadtime-ignore-next-line no-blocking-sleep -- what this case measures
    while (Date.now() - start < ms);
  },
  execSync: (ms: number) => {
    runProgramSync('sleep', [String(ms / 1_000)], {
      cwd: process.cwd(),
      ...{ limitMs: ms + LATE_MS, mostBytes: 1_024 },
    });
  },
} as const;

/** One request that pauses; the turn is the next request's. */
async function block(sleep: (ms: number) => void, sleepMs: number) {
  sleep(sleepMs);
  await turn();
}

async function wait(sleepMs: number) {
  await nap(sleepMs);
  await turn();
}

const blocking: BenchmarkCase<BlockEvidence> = {
  ruleId: 'no-blocking-sleep',
  variant: 'blocking',
  title: 'A sleep that blocks the whole process',
  needs: {},
  parameters: [
    word('how', ['Atomics.wait', 'busy loop', 'execSync'], 'what blocks'),
    duration('sleepMs', 20, 'how long the sleep is', { min: 1, longest: 50 }),
  ],
  // What others offer under that name parks the thread, too.
  parametersOf: ({ how, sleepMs }) =>
    known({ how: how === 'sleepSync' ? 'Atomics.wait' : how, sleepMs }),
  predict(values) {
    const { sleepMs } = numbersOf(values, 'sleepMs');
    return {
      formula: 'sleepMs / 2 vs 0.2',
      unit: 'ms',
      flagged: sleepMs / 2,
      mended: 0.2,
      // Starting a process takes about as long again.
      ...(values['how'] === 'execSync' ? {} : { tolerance: { flagged: 0.25 } }),
    };
  },
  scalesWith: 'sleepMs',
  doesNotShow: [
    'A command-line tool without other work: it may block.',
    'Requests that need several turns of the event loop: they wait once per turn.',
  ],
  async setUp({ parameters, trace }) {
    const { sleepMs } = numbersOf(parameters, 'sleepMs');
    const sleep = blocks[parameters['how'] as keyof typeof blocks];
    return {
      kind: 'victim',
      flagged: {
        label: `blocks for ${sleepMs} ms`,
        iteration: () => trace.dead('blocked', () => block(sleep, sleepMs)),
        tracedIterations: 2,
      },
      mended: {
        label: `awaits a timer of ${sleepMs} ms`,
        iteration: () => trace.call('pause', () => wait(sleepMs)),
        tracedIterations: 2,
      },
      victim: {
        label: 'a request that could be answered immediately',
        everyMs: 7,
        call: () => trace.call('request', async () => 'an answer'),
      },
      close: async () => {},
    };
  },
};

export const cases = [blocking];
