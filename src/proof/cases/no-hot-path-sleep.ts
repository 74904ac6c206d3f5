import { isTaken, periodOf } from '../branches.ts';
import type {
  Arm,
  BenchmarkCase,
  MachineValues,
  Prediction,
  SetUp,
  SetUpContext,
} from '../case.ts';
import { openSql, queryOf, type SqlPool } from '../drivers/index.ts';
import { count, duration, known, numbersOf, serverTime, share } from '../parameters.ts';
import { measuredPause, measuredWaits, napMs, queryMs, sleepOf } from '../timing.ts';
import { ARRIVALS, ruleId, type SleepEvidence } from './no-hot-path-sleep/shared.ts';
import { inRequest } from './no-hot-path-sleep/in-request.ts';
import { statePoll } from './no-hot-path-sleep/state-poll.ts';

const sleepMs = duration('sleepMs', 20, 'how long the loop sleeps', { min: 1, longest: 100 });
const workMs = serverTime('workMs', 0, 'how long the database works for one iteration');
const batch = count('batch', 50, 'rows of a full batch', { longest: 1_000 });
const skipped = share('share', 0.2, 'the share of items that the loop skips', {
  min: 0.01,
  max: 1,
});

const pauses = [
  'The purpose of the sleep: a rate limit of a service, a replica that lags, a lock that other code waits for.',
  'Several concurrent workers: each has its own limit.',
];

/** What one iteration of the worker's loop has at hand. */
interface Worker {
  readonly pool: SqlPool;
  /** Takes the next jobs: there always are some. */
  readonly take: string;
  readonly handle: string;
  readonly sleepMs: number;
  sleep(ms: number): Promise<unknown>;
}

async function sleepAfterWork({ pool, take, handle, sleepMs, sleep }: Worker) {
  const jobs = await pool.query(take);
  if (jobs.rowCount > 0) await pool.query(handle);
  await sleep(sleepMs);
}

async function sleepWhenIdle({ pool, take, handle, sleepMs, sleep }: Worker) {
  const jobs = await pool.query(take);
  if (jobs.rowCount > 0) await pool.query(handle);
  else await sleep(sleepMs);
}

const afterWork: BenchmarkCase<SleepEvidence> = {
  ruleId,
  variant: 'after-work',
  title: 'A worker that sleeps after each job',
  needs: { databases: ['postgres', 'mysql'], stub: true },
  parameters: [sleepMs, workMs],
  parametersOf: (it) => (it.variant === 'after-work' ? { sleepMs: it.sleepMs } : undefined),
  predict(values, machine) {
    const { sleepMs, workMs } = numbersOf(values, 'sleepMs', 'workMs');
    const jobMs = takenMs(machine) + queryMs(workMs, machine);
    return prediction('workMs + 2 · roundTripMs + sleepMs', jobMs, napMs(sleepMs, machine));
  },
  scalesWith: 'sleepMs',
  doesNotShow: pauses,
  setUp: (context) =>
    workerSetUp(context, 'SELECT 1 AS id', {
      flagged: { label: 'sleeps after each job', iteration: sleepAfterWork },
      mended: { label: 'sleeps only when there is no job', iteration: sleepWhenIdle },
    }),
};

interface BatchWorker extends Worker {
  readonly batch: number;
}

async function sleepAfterBatch({ pool, take, handle, sleepMs, sleep }: BatchWorker) {
  const jobs = await pool.query(take);
  if (jobs.rowCount > 0) await pool.query(handle);
  await sleep(sleepMs);
}

async function sleepAfterShortBatch({ pool, take, handle, batch, sleepMs, sleep }: BatchWorker) {
  const jobs = await pool.query(take);
  if (jobs.rowCount > 0) await pool.query(handle);
  if (jobs.rowCount < batch) await sleep(sleepMs);
}

const fullBatch: BenchmarkCase<SleepEvidence> = {
  ruleId,
  variant: 'full-batch',
  title: 'A worker that sleeps after a batch that was full',
  needs: { databases: ['postgres', 'mysql'] },
  parameters: [sleepMs, batch, workMs],
  parametersOf: (it) =>
    it.variant === 'full-batch' ? known({ sleepMs: it.sleepMs, batch: it['batch'] }) : undefined,
  predict(values, machine) {
    const { sleepMs, workMs } = numbersOf(values, 'sleepMs', 'workMs');
    const batchMs = takenMs(machine) + queryMs(workMs, machine);
    return prediction('workMs + 2 · roundTripMs + sleepMs', batchMs, napMs(sleepMs, machine));
  },
  scalesWith: 'sleepMs',
  doesNotShow: pauses,
  setUp: (context) =>
    workerSetUp(context, rowsOf(Number(context.parameters['batch'])), {
      flagged: { label: 'sleeps after each batch', iteration: sleepAfterBatch },
      mended: { label: 'sleeps only after a short batch', iteration: sleepAfterShortBatch },
    }),
};

/** `count` rows, in SQL that every database here supports. */
function rowsOf(count: number): string {
  return `WITH RECURSIVE jobs (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM jobs WHERE id < ${count}) SELECT id FROM jobs`;
}

async function sleepBeforeTheNextItem(worker: Worker, isSkipped: boolean) {
  const { pool, handle, sleepMs, sleep } = worker;
  if (isSkipped) {
    await sleep(sleepMs);
    return;
  }
  await pool.query(handle);
}

async function skipAtOnce({ pool, handle }: Worker, isSkipped: boolean) {
  if (isSkipped) return;
  await pool.query(handle);
}

const skipBranch: BenchmarkCase<SleepEvidence> = {
  ruleId,
  variant: 'skip-branch',
  title: 'A loop that sleeps when it skips an item',
  needs: { databases: ['postgres', 'mysql'], stub: true },
  parameters: [sleepMs, skipped, workMs],
  parametersOf: (it) => (it.variant === 'skip-branch' ? { sleepMs: it.sleepMs } : undefined),
  predict(values, machine) {
    const { sleepMs, share, workMs } = numbersOf(values, 'sleepMs', 'share', 'workMs');
    const itemMs = (1 - share) * queryMs(workMs, machine);
    const formula = '(1 - share) · (workMs + roundTripMs) + share · sleepMs';
    return prediction(formula, itemMs, napMs(sleepMs, machine), share);
  },
  scalesWith: 'share',
  doesNotShow: [
    ...pauses,
    'How many items your loop skips: the share is assumed, and the cost grows with it.',
  ],
  setUp(context) {
    const { share } = numbersOf(context.parameters, 'share');
    const iterationsPerSample = periodOf(share);
    return workerSetUp(context, 'SELECT 1 AS id', {
      flagged: {
        label: 'sleeps before the next item when it skips one',
        iteration: (worker, i) => sleepBeforeTheNextItem(worker, isTaken(i, share)),
        iterationsPerSample,
      },
      mended: {
        label: 'continues with the next item immediately',
        iteration: (worker, i) => skipAtOnce(worker, isTaken(i, share)),
        iterationsPerSample,
      },
    });
  },
};

/** Sleeps of a few milliseconds are as late as they are long, so only longer ones are held to 5 %. */
function prediction(formula: string, workMs: number, sleptMs: number, share = 1): Prediction {
  return {
    formula,
    unit: 'ms per iteration',
    flagged: workMs + share * sleptMs,
    mended: workMs,
    tolerance: { flagged: sleptMs >= 10 ? 0.05 : 0.25 },
  };
}

interface WorkerArm extends Omit<Arm, 'iteration'> {
  iteration(worker: BatchWorker, i: number): Promise<unknown>;
}

async function workerSetUp(
  context: SetUpContext,
  take: string,
  arms: { readonly flagged: WorkerArm; readonly mended: WorkerArm },
): Promise<SetUp> {
  const { access, sql, close } = await openSql(context);
  const { sleepMs, workMs, batch } = numbersOf(context.parameters, 'sleepMs', 'workMs', 'batch');
  const handle = queryOf(access.kind, workMs);
  const sleep = sleepOf(context.trace);
  const idle = sql.pool({ max: 1 });
  const armFor = ({ iteration, ...rest }: WorkerArm): Arm => {
    const pool = sql.pool({ max: 1 });
    let sleeps = 0;
    const counted = (ms: number) => {
      sleeps++;
      return sleep(ms);
    };
    const worker = { pool, take, handle, sleepMs, batch, sleep: counted };
    return {
      ...rest,
      iteration: (i) => iteration(worker, i),
      counters: async () => ({ sleeps, 'round trips': pool.totals.roundTrips }),
      tracedIterations: rest.iterationsPerSample ?? 2,
    };
  };
  return {
    kind: 'latency',
    flagged: armFor(arms.flagged),
    mended: armFor(arms.mended),
    measure: async () => ({
      ...(await measuredWaits(idle)),
      ...(await measuredPause(idle, take)),
    }),
    close,
  };
}

/** What it takes to ask for jobs. */
function takenMs(machine: MachineValues): number {
  return machine.queryMs ?? queryMs(0, machine);
}

interface Consumer {
  readonly pool: SqlPool;
  readonly sleepMs: number;
  sleep(ms: number): Promise<unknown>;
}

/** From a job's arrival until a worker fetches it that polled before the arrival and now sleeps. */
async function wakeAfterTheNap({ pool, sleepMs, sleep }: Consumer, arrival: number) {
  await pool.query("SELECT pg_notify('deadtime_jobs', 'a job')");
  await sleep(sleepMs * (1 - arrival));
  await pool.query('SELECT 1 AS job');
}

/** The same job, taken by a worker whom the queue wakes. */
async function wakeWhenNotified({ pool }: Consumer, notified: () => Promise<unknown>) {
  const woken = notified();
  await pool.query("SELECT pg_notify('deadtime_jobs', 'a job')");
  await woken;
  await pool.query('SELECT 1 AS job');
}

const idlePoll: BenchmarkCase<SleepEvidence> = {
  ruleId,
  variant: 'idle-poll',
  title:
    'A worker that sleeps while its queue is empty, from the arrival of a job until the worker fetches it',
  needs: { databases: ['postgres'] },
  parameters: [sleepMs],
  parametersOf: (it) => (it.variant === 'idle-poll' ? { sleepMs: it.sleepMs } : undefined),
  predict(values, machine) {
    const { sleepMs } = numbersOf(values, 'sleepMs');
    const taking = 2 * queryMs(0, machine);
    return {
      formula: 'sleepMs / 2 + 2 · roundTripMs vs 3 · roundTripMs',
      unit: 'ms per iteration',
      flagged: napMs(sleepMs / 2, machine) + taking,
      mended: taking + queryMs(0, machine),
      tolerance: { flagged: sleepMs >= 10 ? 0.05 : 0.25 },
    };
  },
  scalesWith: 'sleepMs',
  doesNotShow: [
    'Throughput: while there is work, this worker does not sleep.',
    'A queue without notifications: use a shorter sleep there, or one that grows while the queue is empty.',
    'Your queue: LISTEN and NOTIFY of PostgreSQL replace its notifications.',
  ],
  async setUp(context) {
    const { sql, close } = await openSql(context);
    const { sleepMs } = numbersOf(context.parameters, 'sleepMs');
    const listener = await sql.connect();
    let wake = () => {};
    await listener.listen('deadtime_jobs', () => wake());
    const notified = () => new Promise<void>((resolve) => (wake = resolve));
    const consumer = { pool: sql.pool({ max: 1 }), sleepMs, sleep: sleepOf(context.trace) };
    return {
      kind: 'latency',
      flagged: {
        label: 'finishes the sleep, then asks',
        iteration: (i) => wakeAfterTheNap(consumer, ARRIVALS[i % ARRIVALS.length]!),
        iterationsPerSample: ARRIVALS.length,
      },
      mended: {
        label: 'is woken by a notification',
        iteration: () => wakeWhenNotified(consumer, notified),
        iterationsPerSample: ARRIVALS.length,
      },
      measure: async () => ({
        ...(await measuredWaits(consumer.pool)),
        ...(await measuredPause(consumer.pool)),
      }),
      close,
    };
  },
};

export const cases = [afterWork, fullBatch, skipBranch, idlePoll, statePoll, inRequest];
