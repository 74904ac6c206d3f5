import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import type { Loan } from '../../src/proof/case.ts';
import type { Sql, SqlPool } from '../../src/proof/drivers/index.ts';
import { withinLoan } from '../../src/proof/drivers/within-loan.ts';

describe('a driver within a loan', () => {
  it('counts the connections of a pool that are needed concurrently, and at most the size of the pool', async () => {
    const loan = fakeLoan(3);
    const answers: (() => void)[] = [];
    const pool = withinLoan(fakeSql(answers), loan).pool({ max: 2 });
    const all = Array.from({ length: 5 }, () => pool.query('SELECT 1'));
    strictEqual(loan.taken(), 2);
    for (const answer of answers) answer();
    await Promise.all(all);
    const again = pool.query('SELECT 1');
    answers.at(-1)!();
    await again;
    strictEqual(loan.taken(), 2);
    await pool.end();
    strictEqual(loan.taken(), 0);
  });

  it('opens none beyond what may be taken', async () => {
    const loan = fakeLoan(2);
    const sql = withinLoan(fakeSql([]), loan);
    const pool = sql.pool({ max: 9 });
    const [first] = [await pool.connect(), await pool.connect()];
    await rejects(pool.connect(), { message: 'no more' });
    await rejects(sql.connect(), { message: 'no more' });
    first.release(true);
    await pool.connect();
    await sql.close();
    strictEqual(loan.taken(), 0);
  });

  it('reports failed connections to the loan', async () => {
    const loan = fakeLoan(2);
    const sql = withinLoan(
      { ...fakeSql([]), connect: () => Promise.reject(new Error('full')) },
      loan,
    );
    await rejects(sql.connect(), { message: 'full' });
    deepStrictEqual([loan.noted, loan.taken()], [['full'], 0]);
  });
});

function fakeLoan(most: number) {
  let taken = 0;
  const noted: string[] = [];
  const loan: Loan = {
    name: 'deadtime_proof',
    schema: () => 'deadtime_proof',
    begin: async () => {},
    take(many) {
      if (taken + many > most) throw new Error('no more');
      taken += many;
    },
    giveBack: (many) => void (taken -= many),
    note: (error) => void noted.push((error as Error).message),
    assertKept: () => {},
    assertQuiet: async () => {},
  };
  return { ...loan, noted, taken: () => taken };
}

/** Queries are answered when the test says so. */
function fakeSql(answers: (() => void)[]): Sql {
  const query = () =>
    new Promise<{ rows: []; rowCount: 0 }>((resolve) => {
      answers.push(() => resolve({ rows: [], rowCount: 0 }));
    });
  const pool: SqlPool = {
    ...{ kind: 'postgres', totals: { roundTrips: 0, connections: 0 }, waitingCount: 0 },
    gone: new Promise(() => {}),
    query,
    connect: async () => ({ query, release() {} }),
    end: async () => {},
  };
  return {
    kind: 'postgres',
    pool: () => pool,
    connect: async () => ({ query, listen: async () => {}, end: async () => {} }),
    close: async () => {},
  };
}
