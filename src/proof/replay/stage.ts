import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { isTaken } from '../branches.ts';
import type { Trace, Values } from '../case.ts';
import { queryOf, type PooledConnection, type Sql, type SqlPool } from '../drivers/index.ts';
import type { Program, ProgramStep } from './program.ts';

/** Services and disks have no pool of ours; this many answers can be under way. */
const ELSEWHERE = 50;

/** What stands for the code's own pool, services and clock: every wait for the outside is a query of the given length. */
export interface Stage {
  readonly pool: SqlPool;
  readonly elsewhere: SqlPool;
  readonly queries: Readonly<Record<IoTarget, string>>;
  readonly trace: Trace;
}

type IoTarget = Extract<ProgramStep, { op: 'io' }>['to'];

export function stageOf(sql: Sql, values: Values, trace: Trace): Stage {
  const query = queryOf(sql.kind, Number(values['queryMs']));
  const request = queryOf(sql.kind, Number(values['serviceMs'] ?? 0));
  return {
    pool: sql.pool({ max: Number(values['max']) }),
    elsewhere: sql.pool({ max: ELSEWHERE }),
    queries: { database: query, unknown: query, service: request, disk: queryOf(sql.kind, 0) },
    trace,
  };
}

/** One run of a program. The connection is that of the code at this point. */
interface Run {
  readonly i: number;
  readonly stage: Stage;
  connection: PooledConnection | undefined;
  /** Acquired by this run, which therefore releases it. */
  isOwn: boolean;
}

/** Runs the program as iteration `i`; `held` is a connection that outlives it. */
export async function perform(
  program: Program,
  stage: Stage,
  i: number,
  held?: PooledConnection,
): Promise<void> {
  const run: Run = { i, stage, connection: held, isOwn: false };
  try {
    await performSteps(program, run);
  } finally {
    release(run);
  }
}

function release(run: Run): void {
  if (!run.isOwn) return;
  run.connection?.release();
  run.connection = undefined;
  run.isOwn = false;
}

/** Whether a side that leaves was taken. */
async function performSteps(program: Program, run: Run): Promise<boolean> {
  for (const step of program) {
    if (await performStep(step, run)) return true;
  }
  return false;
}

async function performStep(step: ProgramStep, run: Run): Promise<boolean> {
  const { stage, i } = run;
  switch (step.op) {
    case 'io':
      await stage.trace.call(`${step.line}: ${step.label}`, () => ask(step, run));
      return false;
    case 'sleep':
      await paused(step, stage, 'sleep', () => delay(step.ms));
      return false;
    case 'turn':
      if (isTaken(i, 1 / step.every)) await paused(step, stage, 'turn', turns[step.how]);
      return false;
    case 'checkout':
      await checkOut(step, run);
      return false;
    case 'release':
      release(run);
      return false;
    case 'together':
      await Promise.all(step.branches.map((it) => beside(it, run)));
      return false;
    case 'repeat':
      await repeat(step, run);
      return false;
    case 'choose': {
      const [first, second] = step.sides;
      const side = !second || isTaken(i, first!.share) ? first : second;
      if (!side) return false;
      return (await performSteps(side.steps, run)) || side.leaves;
    }
    case 'call':
      await performSteps(step.body, run);
      return false;
  }
}

const turns = {
  timer: () => delay(0),
  immediate: () => turn(),
  tick: () => new Promise<void>((resolve) => process.nextTick(resolve)),
} as const;

/** A pause that the finding is about is dead time; another is part of what the code does. */
async function paused(
  { isFlagged, line }: ProgramStep,
  { trace }: Stage,
  name: string,
  pause: () => Promise<unknown>,
): Promise<void> {
  const label = `${line}: ${name}`;
  await (isFlagged ? trace.dead(label, pause) : trace.call(label, pause));
}

function ask({ to, on }: Extract<ProgramStep, { op: 'io' }>, run: Run): Promise<unknown> {
  const { pool, elsewhere, queries } = run.stage;
  const text = queries[to];
  if (to === 'service' || to === 'disk') return elsewhere.query(text);
  return on === 'connection' && run.connection ? run.connection.query(text) : pool.query(text);
}

async function checkOut(
  { line, roundTrips, isFlagged }: Extract<ProgramStep, { op: 'checkout' }>,
  run: Run,
): Promise<void> {
  const { trace, pool } = run.stage;
  const take = async () => {
    const connection = await pool.connect();
    for (let n = 0; n < roundTrips; n++) await connection.query('SELECT 1');
    return connection;
  };
  release(run);
  const label = `${line}: checkout`;
  run.connection = await (isFlagged ? trace.dead(label, take) : trace.call(label, take));
  run.isOwn = true;
}

async function repeat(
  { count, limit, body }: Extract<ProgramStep, { op: 'repeat' }>,
  run: Run,
): Promise<void> {
  if (limit === 1) {
    for (let n = 0; n < count; n++) await performSteps(body, run);
    return;
  }
  let next = 0;
  const worker = async () => {
    while (next++ < count) await beside(body, run);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}

/** At the same time as others: what it checks out is its own. */
async function beside(program: Program, outer: Run): Promise<void> {
  const run: Run = { ...outer, isOwn: false };
  try {
    await performSteps(program, run);
  } finally {
    release(run);
  }
}
