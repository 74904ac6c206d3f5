import type { BenchmarkCase } from '../../case.ts';
import { openSql, type SqlPool } from '../../drivers/index.ts';
import { count, numbersOf } from '../../parameters.ts';

async function releaseTwice(pool: SqlPool) {
  const connection = await pool.connect();
  try {
    await connection.query('SELECT 1');
    connection.release();
  } finally {
    connection.release();
  }
}

async function releaseOnce(pool: SqlPool) {
  const connection = await pool.connect();
  try {
    await connection.query('SELECT 1');
  } finally {
    connection.release();
  }
}

export const releasedTwice: BenchmarkCase = {
  ruleId: 'no-leaked-connection',
  variant: 'released-twice',
  title: 'A connection that is released a second time',
  counts: 'requests that fail',
  needs: { databases: ['postgres'], stub: true },
  parameters: [count('requests', 20, 'requests', { max: 10_000, longest: 200 })],
  parametersOf: ({ variant }) => (variant === 'double-release' ? {} : undefined),
  predict: (values) => ({
    formula: 'requests vs 0',
    unit: 'count',
    flagged: Number(values['requests']),
    mended: 0,
    tolerance: { flagged: 0, mended: 0 },
  }),
  scalesWith: 'requests',
  doesNotShow: ['mysql2, which ignores the second release.'],
  async setUp(context) {
    const { requests } = numbersOf(context.parameters, 'requests');
    const { sql, close } = await openSql(context);
    const run = (request: typeof releaseOnce) => async () => {
      const pool = sql.pool({ max: 1 });
      let failed = 0;
      let message = '';
      for (let i = 0; i < requests; i++) {
        await request(pool).catch((error: unknown) => {
          failed++;
          message = String(error);
        });
      }
      await pool.end();
      return {
        value: failed,
        isFailure: failed > 0,
        text: failed > 0 ? `${failed} of ${requests} failed: ${message}` : 'none failed',
      };
    };
    return {
      kind: 'count',
      flagged: { label: 'releases in the try and in the finally', run: run(releaseTwice) },
      mended: { label: 'releases in the finally', run: run(releaseOnce) },
      close,
    };
  },
};
