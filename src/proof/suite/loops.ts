import { setImmediate as turn, setTimeout as nap } from 'node:timers/promises';
import { isTaken } from '../branches.ts';
import { openSql } from '../drivers/index.ts';
import { compute } from '../pressure.ts';
import { commandFor, type Lab } from './lab.ts';
import { areWithin, figure, inMs, times, type Row } from './row.ts';

/** CPU time of all other work in one turn of the event loop, as published. */
const TURN_MS = 3.4;
const QUERY_MS = 0.2;
const BATCH = 64;

const yields: Row = {
  number: 1,
  ruleId: 'no-yield-per-iteration',
  claim: 'yield after every query on a busy event loop',
  published:
    'query 0.2 ms, yield 3.4 ms: 3.6 ms per iteration, 95 % of the time waiting; batches of 64 or 128 remove it',
  async measure(lab) {
    const loaded = { how: 'setImmediate', every: BATCH, pressureMs: TURN_MS };
    const inMemory = 'no-yield-per-iteration/in-memory';
    const query = 'no-yield-per-iteration/query';
    const sync = await lab.timed(inMemory, { ...loaded, workMs: QUERY_MS });
    const async = await lab.timed(query, loaded);
    const idle = await lab.timed(query, { ...loaded, pressureMs: 0 });
    const timer = await lab.timed(query, { how: 'setTimeout 0', every: BATCH });

    const flaggedMs = sync.flagged.msPerIteration;
    const mendedMs = sync.mended.msPerIteration;
    const publishedMs = QUERY_MS + TURN_MS;
    const publishedMendedMs = QUERY_MS + TURN_MS / BATCH;
    const figures = [
      figure('synchronous query, a yield each', 'ms', flaggedMs, publishedMs),
      figure(`synchronous query, a yield every ${BATCH}`, 'ms', mendedMs, publishedMendedMs),
      figure('share of the time waiting', 'share', 1 - QUERY_MS / flaggedMs, 0.95),
      figure('real query in the same load', 'ratio', async.ratio.value, publishedMs / QUERY_MS),
      figure('real query, idle loop', 'ratio', idle.ratio.value),
      figure('real query, idle loop, with a timer', 'ratio', timer.ratio.value),
    ];
    const holds = areWithin(figures.slice(0, 3), 1.25);
    return {
      figures,
      verdict: holds ? 'weaker' : 'not-shown',
      reason:
        `Holds where the work between the yields does not itself wait for the event loop: ${times(flaggedMs / mendedMs)} for a synchronous or cached query on a loaded loop. ` +
        `A real query waits for it anyway: an added setImmediate makes ${times(async.ratio.value)} under the same load, where twice is the most, and ${times(idle.ratio.value)} on an idle loop; a timer costs ${inMs(timer.deadMs)} each time.`,
      command: commandFor(inMemory, { pressureMs: TURN_MS, workMs: QUERY_MS }),
    };
  },
};

const NAP_MS = 100;
const EMPTY_SHARE = 0.2;

const naps: Row = {
  number: 2,
  ruleId: 'no-hot-path-sleep',
  claim: 'sleep in the empty branch',
  published:
    '20 % of iterations sleep 100 ms, 80 % work 0.17 ms: 20.14 ms on average, about 50 iterations/s at most',
  async measure(lab) {
    const name = 'no-hot-path-sleep/skip-branch';
    const settings = { sleepMs: NAP_MS, share: EMPTY_SHARE };
    const { flagged, mended } = await lab.timed(name, settings);
    const figures = [
      figure('average iteration', 'ms', flagged.msPerIteration, 20.14),
      figure('iterations', 'per second', flagged.perSecond, 50),
      figure('iterations without the sleep', 'per second', mended.perSecond),
    ];
    return {
      figures,
      verdict: areWithin(figures, 1.1) ? 'reproduced' : 'not-shown',
      reason:
        'The branch depends on the number of the iteration; a random branch needs thousands of iterations to average out.',
      command: commandFor(name, settings),
    };
  },
};

const both: Row = {
  number: 3,
  ruleId: 'no-hot-path-sleep',
  claim: 'both removed',
  published: '40 -> over 6,000 queries/s (150x) without touching the database',
  async measure(lab) {
    const { flagged, mended, ratio } = await lab.compare((context) => workerSetUp(context));
    // Four of five iterations query.
    const queries = 1 - EMPTY_SHARE;
    const figures = [
      figure('queries, with sleep and yield', 'per second', queries * flagged.perSecond, 40),
      figure('queries, without', 'per second', queries * mended.perSecond, 6_000),
      figure('gain', 'ratio', ratio.value, 150),
    ];
    return {
      figures,
      verdict: ratio.value >= 100 ? 'reproduced' : ratio.value >= 10 ? 'weaker' : 'not-shown',
      reason:
        'Without them, the speed of the database is the limit; with them, the loop does not get faster. The sleep alone allows 40 queries per second.',
    };
  },
};

/**
 * The worker of the claim: one iteration in five finds nothing and sleeps; the rest query, then let handlers run for 3.4 ms.
 */
async function workerSetUp(context: Parameters<Parameters<Lab['compare']>[0]>[0]) {
  const { sql, close } = await openSql(context);
  const pool = sql.pool({ max: 1 });
  const query = () => pool.query('SELECT 1');
  const period = Math.round(1 / EMPTY_SHARE);
  return {
    kind: 'latency' as const,
    flagged: {
      label: 'sleeps when it finds nothing, yields after each query',
      async iteration(i: number) {
        if (isTaken(i, EMPTY_SHARE)) return nap(NAP_MS);
        await query();
        await turn();
        // What the handlers of other requests do in the turn that they get.
        compute(TURN_MS);
        return undefined;
      },
      iterationsPerSample: period,
    },
    mended: {
      label: 'continues immediately',
      iteration: (i: number) => (isTaken(i, EMPTY_SHARE) ? undefined : query()),
      iterationsPerSample: period,
    },
    close,
  };
}

export const loopRows = [yields, naps, both];
