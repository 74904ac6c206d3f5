import type { Loan } from '../case.ts';
import type { PooledConnection, Sql, SqlConnection, SqlPool } from './sql.ts';

/** A database of the user's, of which no more connections are opened than the loan allows. */
export function withinLoan(sql: Sql, loan: Loan): Sql {
  const open = new Set<() => void>();
  /** Calls `close` once, and returns the borrowed connections to the budget. */
  const closing = (connections: () => number) => {
    const giveBack = () => {
      if (open.delete(giveBack)) loan.giveBack(connections());
    };
    open.add(giveBack);
    return giveBack;
  };
  return {
    kind: sql.kind,
    loan,
    pool(options) {
      const count = { opened: 0 };
      return poolWithin(sql.pool(options), loan, {
        ...{ max: options.max, count },
        giveBack: closing(() => count.opened),
      });
    },
    async connect() {
      loan.take(1);
      const giveBack = closing(() => 1);
      const connection = await noted(loan, sql.connect()).catch((error: unknown) => {
        giveBack();
        throw error;
      });
      return ended(connection, giveBack);
    },
    async close() {
      await sql.close();
      for (const giveBack of open) giveBack();
    },
  };
}

function ended(connection: SqlConnection, giveBack: () => void): SqlConnection {
  return {
    query: (text, values) => connection.query(text, values),
    listen: (channel, wake) => connection.listen(channel, wake),
    async end() {
      await connection.end();
      giveBack();
    },
  };
}

interface PoolLimits {
  readonly max: number;
  /** The most that were needed concurrently so far: a pool opens a connection when all others are in use. */
  readonly count: { opened: number };
  giveBack(): void;
}

function poolWithin(pool: SqlPool, loan: Loan, { max, count, giveBack }: PoolLimits): SqlPool {
  let wanted = 0;
  const enter = () => {
    if (wanted + 1 > count.opened && count.opened < max) {
      loan.take(1);
      count.opened++;
    }
    wanted++;
  };
  const leave = () => void wanted--;
  return {
    kind: pool.kind,
    totals: pool.totals,
    gone: pool.gone,
    get waitingCount() {
      return pool.waitingCount;
    },
    async query(text, values) {
      enter();
      return noted(loan, pool.query(text, values)).finally(leave);
    },
    async connect() {
      enter();
      const connection = await noted(loan, pool.connect()).catch((error: unknown) => {
        leave();
        throw error;
      });
      return released(connection, (isDestroyed) => {
        leave();
        if (!isDestroyed) return;
        count.opened--;
        loan.giveBack(1);
      });
    },
    async end() {
      await pool.end();
      giveBack();
    },
  };
}

/** Reports the first release: a second one is the benchmark's own mistake. */
function released(
  connection: PooledConnection,
  onRelease: (isDestroyed: boolean) => void,
): PooledConnection {
  let isOut = true;
  return {
    query: (text, values) => connection.query(text, values),
    release(destroy = false) {
      if (isOut) onRelease(destroy);
      isOut = false;
      connection.release(destroy);
    },
  };
}

function noted<T>(loan: Loan, pending: Promise<T>): Promise<T> {
  return pending.catch((error: unknown) => {
    loan.note(error);
    throw error;
  });
}
