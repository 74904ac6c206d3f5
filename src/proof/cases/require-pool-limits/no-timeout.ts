import { setTimeout as nap } from 'node:timers/promises';
import type { BenchmarkCase } from '../../case.ts';
import { openSql, type SqlPool } from '../../drivers/index.ts';
import { count, duration, known, numbersOf, poolSize } from '../../parameters.ts';
import { keepTrack } from '../../pools.ts';

export const noTimeout: BenchmarkCase = {
  ruleId: 'require-pool-limits',
  variant: 'no-timeout',
  title: 'Requests to a pool whose connections are all busy',
  counts: 'requests without any answer',
  needs: { databases: ['postgres', 'mysql'], stub: true },
  parameters: [
    poolSize(),
    count('requests', 20, 'requests that arrive then', { longest: 200 }),
    duration('timeoutMs', 250, 'the time-out of the pool after the fix', { min: 10, longest: 500 }),
    duration('waitMs', 1_000, 'how long the benchmark watches the requests', {
      min: 200,
      longest: 2_000,
    }),
  ],
  parametersOf: ({ variant, max }) => (variant === 'no-timeout' ? known({ max }) : undefined),
  predict: (values) => ({
    formula: 'requests vs 0',
    unit: 'count',
    flagged: Number(values['requests']),
    mended: 0,
    tolerance: { flagged: 0, mended: 0 },
  }),
  scalesWith: 'requests',
  doesNotShow: [
    'Why the connections are busy: here the benchmark holds all of them, as a leak, a lock or a slow service does.',
    'mysql2, which has no such option: there, the benchmark races the checkout with a timer.',
  ],
  async setUp(context) {
    const { max, requests, timeoutMs, waitMs } = numbersOf(
      context.parameters,
      ...(['max', 'requests', 'timeoutMs', 'waitMs'] as const),
    );
    const { sql, close } = await openSql(context);
    const run = (poolFor: () => SqlPool) => async () => {
      const pool = poolFor();
      const busy = keepTrack(pool);
      // One by one: the time-out is also that of each new connection.
      for (let i = 0; i < max; i++) await busy.connect();
      let answered = 0;
      const all = Array.from({ length: requests }, () =>
        pool.query('SELECT 1').catch(() => void answered++),
      );
      await Promise.race([Promise.all(all), nap(waitMs)]);
      const waiting = requests - answered;
      await busy.end();
      return {
        value: waiting,
        isFailure: waiting > 0,
        text:
          waiting > 0
            ? `${waiting} of ${requests} still wait after ${waitMs} ms`
            : `all ${requests} got an error within ${timeoutMs} ms`,
      };
    };
    return {
      kind: 'count',
      flagged: { label: 'waits indefinitely', run: run(() => sql.pool({ max })) },
      mended: {
        label: `gives up after ${timeoutMs} ms`,
        run: run(() => sql.pool({ max, connectionTimeoutMillis: timeoutMs })),
      },
      close,
    };
  },
};
