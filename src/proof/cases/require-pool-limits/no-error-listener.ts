import { setTimeout as nap } from 'node:timers/promises';
import type { BenchmarkCase } from '../../case.ts';
import { openSql } from '../../drivers/index.ts';

/** How long the news of a connection's end may take. */
const NOTICED_MS = 1_000;

export const noErrorListener: BenchmarkCase = {
  ruleId: 'require-pool-limits',
  variant: 'no-error-listener',
  title: 'An idle connection that the server closes, in a pool without an error listener',
  counts: 'errors that end the process',
  needs: { databases: ['postgres'] },
  parameters: [],
  parametersOf: ({ variant }) => (variant === 'no-error-listener' ? {} : undefined),
  predict: () => ({
    formula: '1 vs 0',
    unit: 'count',
    flagged: 1,
    mended: 0,
    tolerance: { flagged: 0, mended: 0 },
  }),
  doesNotShow: [
    'When it happens: at each restart of the server, and at each failover.',
    'mysql2, whose pool drops such a connection without an event.',
  ],
  async setUp(context) {
    const { sql, close } = await openSql(context);
    const observer = sql.pool({ max: 1 });
    const run = (listens: boolean) => async () => {
      const pool = sql.pool({ max: 1, listensToErrors: listens });
      const { rows } = await pool.query('SELECT pg_backend_pid() AS id');
      const uncaught = await uncaughtDuring(pool.gone, () =>
        observer.query('SELECT pg_terminate_backend($1)', [Number(rows[0]!['id'])]),
      );
      await pool.end();
      return {
        value: uncaught.length,
        isFailure: uncaught.length > 0,
        text: uncaught.length > 0 ? `uncaught: ${uncaught[0]}` : 'the pool opens a new connection',
      };
    };
    return {
      kind: 'count',
      flagged: { label: 'has no error listener', run: run(false) },
      mended: { label: 'has an error listener', run: run(true) },
      close,
    };
  },
};

/** What would end the process, caught for once, until the pool has noticed. */
async function uncaughtDuring(gone: Promise<void>, work: () => Promise<unknown>) {
  const uncaught: string[] = [];
  process.setUncaughtExceptionCaptureCallback((error) => uncaught.push(String(error)));
  try {
    await work();
    await Promise.race([gone, nap(NOTICED_MS)]);
    await nap(0);
  } finally {
    process.setUncaughtExceptionCaptureCallback(null);
  }
  return uncaught;
}
