import { driverOf, queryOf } from '../drivers/index.ts';
import { createTrace } from '../harness/trace.ts';
import { runLoad } from '../measure/pool-load.ts';
import { assumedThinkMs, connectionsFor, poolSize, predictionFor } from '../measure/pool-size.ts';
import { commandFor, type Lab } from './lab.ts';
import { ramp, type RampResult } from './ramp.ts';
import type { SuiteVerdict } from './result.ts';
import { areWithin, figure, inMs, times, type Row } from './row.ts';
import { ownCommand } from '../../system/own-command.ts';

const checkout: Row = {
  number: 4,
  ruleId: 'no-checkout-per-query',
  claim: 'pool checkout per query',
  published:
    'a hidden SELECT 1 and cross-zone latency or TLS triple the latency of a 0.2 ms query; hold one connection for the worker’s life',
  async measure(lab) {
    const name = 'no-checkout-per-query/validated';
    const near = await lab.timed(name, { roundTripMs: 0 });
    const zone = await lab.timed(name, { roundTripMs: 0.5 });
    const far = await lab.timed(name, { roundTripMs: 2 });
    const plain = await lab.timed('no-checkout-per-query/pooled');
    const localMs = near.mended.operations.medianMs;
    const medianMs = (it: typeof near) => it.flagged.operations.medianMs;
    const figures = [
      figure('checkout, SELECT 1, query; no network', 'ms', medianMs(near)),
      figure('the same, 0.5 ms of network', 'ms', medianMs(zone)),
      figure('the same, 2 ms of network', 'ms', medianMs(far)),
      figure('0.5 ms of network, vs the local query', 'ratio', medianMs(zone) / localMs, 3),
      figure('SELECT 1 vs a held connection, 0.5 ms', 'ratio', zone.ratio.value),
      figure('checkout alone vs a held connection', 'ratio', plain.ratio.value),
    ];
    return {
      figures,
      verdict: medianMs(zone) / localMs >= 3 ? 'reproduced' : 'weaker',
      reason:
        `Network and validation together make it ${times(medianMs(zone) / localMs)} the local query; of that, holding the connection saves the half that validates (${times(zone.ratio.value)}). ` +
        `pg and mysql2 do not validate, mysql and mssql do; without it a checkout takes ${inMs(Math.max(0, plain.deadMs))}.`,
      command: commandFor(name, { roundTripMs: 0.5 }),
    };
  },
};

const PUBLISHED_RAMP = [
  { size: 10, requests: 4_040, averageMs: 1_221, p95Ms: 2_890, peakQueue: 130 },
  { size: 15, requests: 6_969, averageMs: 654, p95Ms: 1_545, peakQueue: 120 },
  { size: 20, requests: 8_605, averageMs: 508, p95Ms: 1_171, peakQueue: 114 },
  { size: 40, requests: 13_680, averageMs: 280, p95Ms: 529, peakQueue: 88 },
] as const;

const underLoad: Row = {
  number: 5,
  ruleId: 'require-pool-limits',
  claim: 'pool size under load',
  published:
    '150 users: size 10: 4,040 requests, 1,221 ms average, p95 2,890 ms, queue 130; 15: 6,969 / 654 / 1,545 / 120; 20: 8,605 / 508 / 1,171 / 114; 40: 13,680 / 280 / 529 / 88',
  async measure(lab) {
    const ramps = await rampsOf(lab);
    const rows = PUBLISHED_RAMP.map((published, i) => {
      const measured = ramps[i]!;
      const name = (what: string) => `size ${published.size}: ${what}`;
      return [
        figure(name('requests'), 'count', measured.requests, published.requests),
        figure(name('average'), 'ms', measured.averageMs, published.averageMs),
        figure(name('p95'), 'ms', measured.p95Ms, published.p95Ms),
        figure(name('peak queue'), 'count', measured.peakQueue, published.peakQueue),
      ];
    });
    const gain = ramps.at(-1)!.requests / ramps[0]!.requests;
    const isAlike =
      areWithin(rows.flat(), 1.4) &&
      areWithin(
        rows.map((it) => it[0]!),
        1.25,
      );
    return {
      figures: rows.flat(),
      verdict: isAlike ? 'reproduced' : 'not-shown',
      reason:
        `An HTTP server over the pool, users who arrive one at a time, 100 ms between their requests; all times are a tenth, the queries pg_sleep. ` +
        `Four times the pool answers ${times(gain)} the requests: users and thinking, not connections, are the limit then.`,
      command: ownCommand('prove require-pool-limits/size'),
    };
  },
};

/** Four loads of ten seconds, which two rows need. */
function rampsOf(lab: Lab): Promise<readonly RampResult[]> {
  return lab.once('ramps', async () => {
    const database = await lab.database();
    const results: RampResult[] = [];
    for (const { size } of PUBLISHED_RAMP) {
      lab.progress(`150 users on a pool of ${size}`);
      await lab.quiet.sample();
      results.push(await ramp(database, size, lab.signal));
    }
    return results;
  });
}

const USERS = 150;
const QUERY_MS = 150;
const THINK_MS = 100;
/** Slow enough for one process, short enough to wait for. */
const FORMULA_SCALE = 2;

const formula: Row = {
  number: 6,
  ruleId: 'require-pool-limits',
  claim: 'sizing formula',
  published:
    'ceil(users x query ms / 1000 x 1.2), bounded by (server limit - reserve) / workers; 150 users x 150 ms -> 27',
  async measure(lab) {
    const database = await lab.database();
    const { published } = poolSize({
      ...{ users: USERS, queryMs: QUERY_MS, thinkMs: THINK_MS, isThinkAssumed: false },
      ...{ workers: 1, serverMax: 1_000, isServerMaxAssumed: false },
    });
    const wanted = Math.ceil(connectionsFor({ users: USERS, queryMs: QUERY_MS }, THINK_MS));
    const queues: number[] = [];
    const averages: number[] = [];
    for (const size of [published, wanted]) {
      lab.progress(`150 users on a pool of ${size}`);
      const { meanQueue, averageMs } = await loadOf(database, size, lab.signal);
      queues.push(meanQueue);
      averages.push(averageMs * FORMULA_SCALE);
    }
    const figures = [
      figure('size by the formula', 'count', published, 27),
      figure('size by Little’s law, 100 ms between requests', 'count', wanted),
      figure(`waiting at ${published}, mean`, 'count', queues[0]!),
      figure(`waiting at ${wanted}, mean`, 'count', queues[1]!),
      figure(`average response at ${published}`, 'ms', averages[0]!),
      figure(`average response at ${wanted}`, 'ms', averages[1]!),
    ];
    return {
      figures,
      verdict: 'weaker',
      reason:
        `It counts one request per second for each user, and holds when they think for ${assumedThinkMs(QUERY_MS)} ms between requests. ` +
        `With 100 ms, users x query / (think + query) = ${wanted} run concurrently; at ${published}, ${Math.round(queues[0]!)} of 150 users wait in the queue.`,
      command: `deadtime pool-size --users ${USERS} --query-ms ${QUERY_MS} --think-ms ${THINK_MS}`,
    };
  },
};

async function loadOf(
  database: Awaited<ReturnType<Lab['database']>>,
  size: number,
  signal: AbortSignal,
) {
  const sql = await driverOf(database, database.url, createTrace());
  const pool = sql.pool({ max: size });
  const [queryMs, thinkMs] = [QUERY_MS / FORMULA_SCALE, THINK_MS / FORMULA_SCALE];
  const text = queryOf(database.kind, queryMs);
  const { requestsPerSecond } = predictionFor(size, { users: USERS, queryMs, thinkMs });
  try {
    return await runLoad({
      ...{ users: USERS, thinkMs, signal },
      spacingMs: 1_000 / requestsPerSecond,
      warmUpMs: (1_500 * USERS) / requestsPerSecond,
      windowMs: 2_000,
      request: () => pool.query(text),
      queue: () => pool.waitingCount,
    });
  } finally {
    await sql.close();
  }
}

const leak: Row = {
  number: 7,
  ruleId: 'no-leaked-connection',
  claim: 'connection never released',
  published: 'the pool is exhausted, every later request waits',
  async measure(lab) {
    const name = 'no-leaked-connection/lost';
    const settings = { path: 'branch', every: 5, max: 10 };
    const { flagged, mended } = await lab.counted(name, settings);
    return {
      figures: [
        // max · every + 1, to the request.
        figure('first request without a connection', 'count', flagged.value + 1, 51),
        figure('requests answered when it is released', 'count', mended.value),
      ],
      verdict: flagged.isFailure && flagged.value === 50 ? 'reproduced' : 'not-shown',
      reason:
        'With ten connections and every fifth request losing one, request 51 is the first to wait. pg and mysql2 let it wait indefinitely; here it has a time-out.',
      command: commandFor(name, settings),
    };
  },
};

const held: Row = {
  number: 8,
  ruleId: 'no-connection-held-across-io',
  claim: 'connection held during an external call',
  published: 'blocks a connection for 2 s+',
  async measure(lab) {
    const name = 'no-connection-held-across-io/held';
    const { flagged, mended, ratio } = await lab.timed(name);
    return {
      figures: [
        figure('requests, held during the call', 'per second', flagged.perSecond),
        figure('requests, released before it', 'per second', mended.perSecond),
        figure('gain', 'ratio', ratio.value),
      ],
      verdict: ratio.low > 1.5 ? 'reproduced' : 'not-shown',
      reason:
        'The call takes 25 ms here instead of 2 s: ten connections then serve ten calls at a time, regardless of the number of users. With no more users than connections, no time is lost.',
      command: commandFor(name),
    };
  },
};

export const thresholds: Row = {
  number: 13,
  ruleId: 'require-pool-limits',
  claim: 'health thresholds',
  published:
    'waiting < 10, idle >= 10 %, p95 < 1 s; alarm above 20 waiting; event-loop lag above 1 ms makes yields expensive',
  async measure(lab) {
    const stages = (await rampsOf(lab)).flatMap((it) => it.stages);
    const calm = stages.filter((it) => it.meanQueue < 10);
    const alarming = stages.filter((it) => it.meanQueue > 20);
    const slow = stages.filter((it) => it.p95Ms >= 1_000);
    const lag = await lab.timed('no-yield-per-iteration/in-memory', { pressureMs: 1 });
    const share = (some: readonly unknown[], all: readonly unknown[]) => some.length / all.length;
    const figures = [
      figure(
        'calm stages (waiting < 10) with p95 < 1 s',
        'share',
        share(
          calm.filter((it) => !slow.includes(it)),
          calm,
        ),
        1,
      ),
      figure(
        'slow stages (p95 >= 1 s) with more than 20 waiting',
        'share',
        share(
          slow.filter((it) => alarming.includes(it)),
          slow,
        ),
        1,
      ),
      figure('one yield at 1 ms of lag', 'ms', lag.flagged.msPerIteration, 1),
    ];
    return {
      figures,
      verdict: verdictOf(figures.map((it) => it.ratio ?? 1)),
      reason:
        'Of the stages of row 5, those with fewer than ten waiting stay below a second, and those above a second have more than twenty waiting. The limits fit queries of 200 ms: shorter queries allow longer queues.',
    };
  },
};

function verdictOf(ratios: readonly number[]): SuiteVerdict {
  if (ratios.every((it) => it >= 0.9 && it <= 1.25)) return 'reproduced';
  return ratios.every((it) => it >= 0.5) ? 'weaker' : 'not-shown';
}

export const poolRows = [checkout, underLoad, formula, leak, held];
