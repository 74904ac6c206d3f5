import type { BenchmarkCase } from '../../case.ts';
import { openSql, type SqlPool } from '../../drivers/index.ts';
import { count, numbersOf } from '../../parameters.ts';
import { scratchTable } from '../../tables.ts';

type Insert = (id: number) => readonly [text: string, values: readonly (string | number)[]];

/** `transaction` belongs to another request: it checks out the pool's next connection, and fails in the end. */
async function writeAfterRelease(pool: SqlPool, insert: ReturnType<Insert>, transaction: Failing) {
  const connection = await pool.connect();
  connection.release();
  const rollback = await transaction();
  await connection.query(...insert);
  await rollback();
}

async function writeBeforeRelease(pool: SqlPool, insert: ReturnType<Insert>, transaction: Failing) {
  const connection = await pool.connect();
  await connection.query(...insert);
  connection.release();
  const rollback = await transaction();
  await rollback();
}

/** Begins, and returns what ends it. */
type Failing = () => Promise<() => Promise<void>>;

export const usedAfterRelease: BenchmarkCase = {
  ruleId: 'no-leaked-connection',
  variant: 'used-after-release',
  title: 'A write on a released connection',
  counts: 'writes that are lost',
  needs: { databases: ['postgres', 'mysql'], makes: 'tables' },
  parameters: [count('requests', 20, 'requests', { max: 10_000, longest: 200 })],
  parametersOf: ({ variant }) => (variant === 'use-after-release' ? {} : undefined),
  predict: (values) => ({
    formula: 'requests vs 0',
    unit: 'count',
    flagged: Number(values['requests']),
    mended: 0,
    tolerance: { flagged: 0, mended: 0 },
  }),
  scalesWith: 'requests',
  doesNotShow: [
    'How often it happens: here a second transaction always runs in between, and always fails.',
  ],
  async setUp(context) {
    const { requests } = numbersOf(context.parameters, 'requests');
    const { sql, close } = await openSql(context);
    const table = await scratchTable(sql);
    const insert: Insert = (id) => [
      `INSERT INTO ${table.name} (id, note) VALUES ($1, $2)`,
      [id, 'paid'],
    ];
    const run = (request: typeof writeAfterRelease) => async () => {
      const pool = sql.pool({ max: 1 });
      const failingTransaction: Failing = async () => {
        const connection = await pool.connect();
        await connection.query('BEGIN');
        return async () => {
          await connection.query('ROLLBACK');
          connection.release();
        };
      };
      await pool.query(`DELETE FROM ${table.name}`);
      for (let i = 0; i < requests; i++) await request(pool, insert(i), failingTransaction);
      const { rows } = await pool.query(`SELECT count(*) AS count FROM ${table.name}`);
      await pool.end();
      const lost = requests - Number(rows[0]!['count']);
      return {
        value: lost,
        isFailure: lost > 0,
        text: `${lost} of ${requests} writes were rolled back with the transaction of another request`,
      };
    };
    return {
      kind: 'count',
      flagged: { label: 'writes after the release', run: run(writeAfterRelease) },
      mended: { label: 'writes before the release', run: run(writeBeforeRelease) },
      async close() {
        await table.drop();
        await close();
      },
    };
  },
};
