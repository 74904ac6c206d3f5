import { setTimeout as nap } from 'node:timers/promises';
import type { BenchmarkCase } from '../case.ts';
import { openSql, type SqlPool } from '../drivers/index.ts';
import { known, numbersOf, duration, poolSize } from '../parameters.ts';
import { keepTrack } from '../pools.ts';

export interface NestedEvidence {
  readonly [name: string]: string | number | boolean;
  readonly driver: string;
  // Also `max`, where the code or the driver's default contains it.
}

type Pool = Pick<SqlPool, 'connect'>;

async function checkOutAgain(pool: Pool) {
  const connection = await pool.connect();
  try {
    await connection.query('SELECT 1');
    const second = await pool.connect();
    try {
      await second.query('SELECT 2');
    } finally {
      second.release();
    }
  } finally {
    connection.release();
  }
}

async function useWhatIsHeld(pool: Pool) {
  const connection = await pool.connect();
  try {
    await connection.query('SELECT 1');
    await connection.query('SELECT 2');
  } finally {
    connection.release();
  }
}

const deadlock: BenchmarkCase<NestedEvidence> = {
  ruleId: 'no-nested-checkout',
  variant: 'deadlock',
  title:
    'A second connection acquired while one is held, by as many jobs as the pool has connections',
  counts: 'jobs that deadlock',
  needs: { databases: ['postgres', 'mysql'], stub: true },
  parameters: [
    poolSize(),
    duration('waitMs', 1_000, 'how long the benchmark waits for the jobs', {
      min: 100,
      max: 60_000,
      longest: 2_000,
    }),
  ],
  parametersOf: ({ max }) => known({ max }),
  predict: (values) => ({
    formula: 'max vs 0',
    unit: 'count',
    flagged: Number(values['max']),
    mended: 0,
    tolerance: { flagged: 0, mended: 0 },
  }),
  scalesWith: 'max',
  doesNotShow: [
    'How often it happens: it needs as many concurrent jobs as the pool has connections.',
    'Pools with a time-out: there the jobs fail instead of waiting indefinitely.',
  ],
  async setUp(context) {
    const { max, waitMs } = numbersOf(context.parameters, 'max', 'waitMs');
    const { sql, close } = await openSql(context);
    const run = (job: typeof useWhatIsHeld) => async () => {
      const pool = sql.pool({ max });
      const taken = keepTrack(pool);
      let finished = 0;
      const jobs = Array.from({ length: max }, () => job(taken).then(() => finished++));
      await Promise.race([Promise.allSettled(jobs), nap(waitMs)]);
      const stuck = max - finished;
      // What still waits then is never answered: the pool forgets it.
      await taken.end();
      return {
        value: stuck,
        isFailure: stuck > 0,
        text:
          stuck > 0 ? `${finished} of ${max} jobs were done after ${waitMs} ms` : 'all were done',
      };
    };
    return {
      kind: 'count',
      flagged: { label: 'acquires a second connection', run: run(checkOutAgain) },
      mended: { label: 'uses the connection that it holds', run: run(useWhatIsHeld) },
      close,
    };
  },
};

export const cases = [deadlock];
