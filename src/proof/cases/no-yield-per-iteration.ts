import { scheduler, setImmediate as turn, setTimeout as nap } from 'node:timers/promises';
import type { Arm, BenchmarkCase, MachineValues, Trace, Values } from '../case.ts';
import { openSql, queryOf } from '../drivers/index.ts';
import { count, duration, numbersOf, serverTime, suggested, word } from '../parameters.ts';
import { compute, pressed } from '../pressure.ts';
import { meanMsOf, measuredWaits, queryMs } from '../timing.ts';

const ruleId = 'no-yield-per-iteration';

export interface YieldEvidence {
  readonly [name: string]: string | number | boolean;
  readonly how: string;
  readonly every: number;
  readonly body: string;
}

/** What `setTimeout(_, 0)` takes: Node raises it to 1 ms, and the timer fires a little later. */
const TIMER_MS = 1.1;

/** A turn of an idle event loop, where none was measured. */
const TURN_MS = 0.002;

/** A lookup in a map, with the loop around it. */
const LOOKUP_MS = 0.0001;

const TICKS = ['process.nextTick', 'queueMicrotask', 'Promise.resolve'] as const;

const turns = {
  setImmediate: () => turn(),
  'setTimeout 0': () => nap(0),
  'scheduler.yield': () => scheduler.yield(),
  'process.nextTick': () => new Promise<void>((resolve) => process.nextTick(resolve)),
  queueMicrotask: () => new Promise<void>((resolve) => queueMicrotask(resolve)),
  'Promise.resolve': () => Promise.resolve(),
};

const how = word('how', ['setImmediate', 'setTimeout 0', 'scheduler.yield'], 'how the loop yields');
const every = count('every', 64, 'iterations between two yields after the fix', {
  max: 100_000,
  ...suggested,
});
const pressureMs = duration(
  'pressureMs',
  0,
  'CPU time that the rest of the process takes in every turn of the event loop',
  { max: 1_000, longest: 10 },
);

/** Work that takes less than a microsecond, with a yield after each piece of it. */
export const inMemory: BenchmarkCase<YieldEvidence> = {
  ruleId,
  variant: 'in-memory',
  title: 'A loop over values in memory that yields on every iteration',
  needs: {},
  parameters: [
    how,
    every,
    duration('workMs', 0, 'CPU time of one iteration', { max: 1_000, longest: 5 }),
    pressureMs,
  ],
  parametersOf: ({ how, every, body }) =>
    body === 'memory' && !isTick(how) ? { how, every } : undefined,
  predict(values, machine) {
    const { every, workMs } = numbersOf(values, 'every', 'workMs');
    const itemMs = LOOKUP_MS + workMs;
    const yieldMs = yieldMsOf(values, machine);
    return {
      formula: 'workMs + yieldMs vs workMs + yieldMs / every',
      unit: 'ms per iteration',
      flagged: itemMs + yieldMs,
      mended: itemMs + yieldMs / every,
      tolerance: { flagged: 0.25 },
    };
  },
  scalesWith: 'every',
  doesNotShow: [
    'The purpose of the yields: without any, other requests wait until the loop ends.',
    'A busy event loop, unless pressureMs is set: each yield then waits for all queued work.',
  ],
  async setUp({ parameters, trace }) {
    const { every, workMs, pressureMs } = numbersOf(parameters, 'every', 'workMs', 'pressureMs');
    const pressure = pressed(pressureMs);
    const cache = new Map(Array.from({ length: 1_000 }, (_, i) => [i, i]));
    let sum = 0;
    const work = (i: number) => {
      sum += cache.get(i % 1_000) ?? 0;
      if (workMs > 0) compute(workMs);
    };
    return {
      kind: 'latency',
      flagged: inMemoryArm(1, yieldOf(parameters, trace), work),
      mended: inMemoryArm(every, yieldOf(parameters, trace), work),
      measure: () => pressure.without(measuredTurn),
      close: async () => pressure.stop(),
    };
  },
};

function inMemoryArm(every: number, give: Yield, work: (i: number) => void): Arm {
  return {
    label: every === 1 ? 'yields on every iteration' : `yields every ${every} iterations`,
    iteration(i) {
      work(i);
      // As in the code: an iteration without a yield awaits nothing.
      return i % every === every - 1 ? give() : undefined;
    },
    // A sample is a whole period; what takes milliseconds is long enough to be one by itself.
    iterationsPerSample: every > 1 || give.ms >= 1 ? every : 64,
    counters: loopTurns,
    countedIterations: every > 1 ? 2 * every : 64,
    tracedIterations: 8,
  };
}

async function yieldAfterEachQuery(query: () => Promise<unknown>, give: Yield) {
  await query();
  await give();
}

async function yieldNowAndThen(query: () => Promise<unknown>, give: Yield, isTurn: boolean) {
  await query();
  if (isTurn) await give();
}

/** Real I/O in every iteration, which goes round the event loop already. */
const afterQuery: BenchmarkCase<YieldEvidence> = {
  ruleId,
  variant: 'query',
  title: 'A loop over queries that yields on every iteration',
  needs: { databases: ['postgres', 'mysql'], stub: true },
  parameters: [
    how,
    every,
    serverTime('queryMs', 0, 'how long the database works on a query'),
    pressureMs,
  ],
  parametersOf: ({ how, every, body }) =>
    body === 'memory' || isTick(how) ? undefined : { how, every },
  predict(values, machine) {
    const {
      every,
      queryMs: serverMs,
      pressureMs,
    } = numbersOf(values, 'every', 'queryMs', 'pressureMs');
    const bodyMs = inTurns(queryMs(serverMs, machine), pressureMs);
    const yieldMs = yieldMsOf(values, machine);
    return {
      formula: 'queryMs + roundTripMs + yieldMs vs queryMs + roundTripMs + yieldMs / every',
      unit: 'ms per iteration',
      flagged: bodyMs + yieldMs,
      mended: bodyMs + yieldMs / every,
      ...(yieldMs >= 1 ? { tolerance: { flagged: 0.25 } } : {}),
    };
  },
  scalesWith: 'every',
  doesNotShow: [
    'A busy event loop, unless pressureMs is set: setImmediate around a query costs microseconds on an idle one, at most twice the time on a loaded one.',
    'CPU-bound work between the yields: it needs them.',
  ],
  async setUp({ parameters, trace, database }) {
    const { every, queryMs, pressureMs } = numbersOf(parameters, 'every', 'queryMs', 'pressureMs');
    const { access, sql, close } = await openSql({ database, trace });
    const pool = sql.pool({ max: 1 });
    const text = queryOf(access.kind, queryMs);
    const query = () => pool.query(text);
    const give = yieldOf(parameters, trace);
    const pressure = pressed(pressureMs);
    return {
      kind: 'latency',
      flagged: {
        label: 'yields after each query',
        iteration: () => yieldAfterEachQuery(query, give),
        counters: async () => ({ yields: give.count }),
        tracedIterations: 4,
      },
      mended: {
        label: `yields every ${every} queries`,
        iteration: (i) => yieldNowAndThen(query, give, i % every === every - 1),
        counters: async () => ({ yields: give.count }),
        countedIterations: 2 * every,
        tracedIterations: 4,
      },
      measure: () =>
        pressure.without(async () => ({
          ...(await measuredTurn()),
          ...(await measuredWaits(pool)),
        })),
      async close() {
        pressure.stop();
        await close();
      },
    };
  },
};

interface Yield {
  (): Promise<unknown>;
  readonly count: number;
  /** What it takes at least. */
  readonly ms: number;
}

/** The way to yield that the parameters name, counted and in the timeline. */
function yieldOf({ how, pressureMs = 0 }: Values, trace: Trace): Yield {
  const give = turns[how as keyof typeof turns];
  const counted = () => {
    counted.count++;
    return trace.dead('yield', give);
  };
  counted.count = 0;
  counted.ms = how === 'setTimeout 0' ? TIMER_MS : Number(pressureMs);
  return counted;
}

/** A yield waits for a timer, or for a turn, which takes as long as all other work in it. */
function yieldMsOf(values: Values, { loopTurnMs = TURN_MS }: MachineValues): number {
  const { pressureMs } = numbersOf(values, 'pressureMs');
  const ownMs = values['how'] === 'setTimeout 0' ? TIMER_MS : loopTurnMs;
  return inTurns(ownMs, pressureMs);
}

/** A wait ends with a turn of the event loop, in which other work takes `pressureMs`. */
function inTurns(ms: number, pressureMs: number): number {
  return pressureMs > 0 ? Math.ceil(ms / pressureMs) * pressureMs : ms;
}

async function measuredTurn(): Promise<Pick<MachineValues, 'loopTurnMs'>> {
  const turnsTimed = 500;
  const ms = await meanMsOf(async () => {
    for (let i = 0; i < turnsTimed; i++) await turn();
  });
  return { loopTurnMs: ms / turnsTimed };
}

/** Exact: libuv counts them. */
async function loopTurns() {
  return { 'loop turns': performance.nodeTiming.uvMetricsInfo.loopCount };
}

function isTick(how: string): how is (typeof TICKS)[number] {
  return TICKS.some((it) => it === how);
}

/** Runs the loop and counts how often others got their turn. */
async function turnsDuring(iterations: number, give: (i: number) => Promise<unknown> | undefined) {
  // From here on each setImmediate is a turn of its own; before, it may run in the turn that is under way.
  await turn();
  const before = performance.nodeTiming.uvMetricsInfo.loopCount;
  for (let i = 0; i < iterations; i++) await give(i);
  return performance.nodeTiming.uvMetricsInfo.loopCount - before;
}

const tick: BenchmarkCase<YieldEvidence> = {
  ruleId,
  variant: 'tick',
  title: 'A loop that yields without letting other work run',
  counts: 'turns of the event loop',
  needs: {},
  parameters: [
    word('how', TICKS, 'how the loop yields'),
    every,
    count('iterations', 640, 'iterations of the loop', { max: 1_000_000 }),
  ],
  parametersOf: ({ how, every }) => (isTick(how) ? { how, every } : undefined),
  predict(values) {
    const { every, iterations } = numbersOf(values, 'every', 'iterations');
    return {
      formula: '0 vs iterations / every',
      unit: 'count',
      flagged: 0,
      mended: Math.floor(iterations / every),
    };
  },
  doesNotShow: [
    'Time: such an await costs a fraction of a microsecond.',
    'A loop that also awaits I/O: that lets other work run.',
  ],
  async setUp({ parameters }) {
    const { every, iterations } = numbersOf(parameters, 'every', 'iterations');
    const give = turns[parameters['how'] as (typeof TICKS)[number]];
    return {
      kind: 'count',
      flagged: {
        label: `awaits ${parameters['how']} on every iteration`,
        run: async () => outcomeOf(await turnsDuring(iterations, give), iterations),
      },
      mended: {
        label: `awaits setImmediate every ${every} iterations`,
        run: async () =>
          outcomeOf(
            await turnsDuring(iterations, (i) => (i % every === every - 1 ? turn() : undefined)),
            iterations,
          ),
      },
      close: async () => {},
    };
  },
};

function outcomeOf(value: number, iterations: number) {
  return {
    value,
    isFailure: value === 0,
    text: `other work got ${value} turns during ${iterations} iterations`,
  };
}

export const cases = [afterQuery, inMemory, tick];
