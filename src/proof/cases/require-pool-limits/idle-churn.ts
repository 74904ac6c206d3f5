import { setTimeout as nap } from 'node:timers/promises';
import type { BenchmarkCase } from '../../case.ts';
import { openSql } from '../../drivers/index.ts';
import { count, duration, numbersOf } from '../../parameters.ts';

export const idleChurn: BenchmarkCase = {
  ruleId: 'require-pool-limits',
  variant: 'idle-churn',
  title: 'A poll that runs after the pool has closed its idle connection',
  counts: 'connections opened',
  needs: { databases: ['postgres'], stub: true },
  parameters: [
    count('polls', 8, 'polls', { max: 1_000, longest: 20 }),
    duration('idleMs', 20, 'the pool’s idle time-out (10 s in pg), in the benchmark’s time', {
      min: 5,
      longest: 100,
    }),
  ],
  parametersOf: ({ variant }) => (variant === 'idle-churn' ? {} : undefined),
  predict: (values) => ({
    formula: 'polls vs 1',
    unit: 'count',
    flagged: Number(values['polls']),
    mended: 1,
    tolerance: { flagged: 0, mended: 0 },
  }),
  scalesWith: 'polls',
  doesNotShow: [
    'The time of a connection: deadtime prove no-checkout-per-query measures that.',
    'Real durations: time-out and interval are both shortened.',
  ],
  async setUp(context) {
    const { polls, idleMs } = numbersOf(context.parameters, 'polls', 'idleMs');
    const { sql, close } = await openSql(context);
    // What matters is which of the two is longer.
    const everyMs = 4 * idleMs;
    const run = (idleTimeoutMillis: number) => async () => {
      const pool = sql.pool({ max: 1, idleTimeoutMillis });
      for (let i = 0; i < polls && !context.signal.aborted; i++) {
        await pool.query('SELECT 1');
        await nap(everyMs);
      }
      const { connections } = pool.totals;
      await pool.end();
      return {
        value: connections,
        isFailure: connections > 1,
        text: `${connections} connections for ${polls} polls`,
      };
    };
    return {
      kind: 'count',
      flagged: { label: 'closes the idle connection before the next poll', run: run(idleMs) },
      mended: { label: 'keeps the connection from poll to poll', run: run(60_000) },
      close,
    };
  },
};
