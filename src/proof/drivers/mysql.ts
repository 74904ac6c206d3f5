import type { Pool, PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise';
import { MissingComponent, type Trace } from '../case.ts';
import { lanes, type PooledConnection, type PoolOptions, type Result, type Sql } from './sql.ts';
import type { SqlPool, SqlValue, Totals } from './sql.ts';

type Answer = RowDataPacket[] | ResultSetHeader;
type Lanes = ReturnType<typeof lanes>;

/** MySQL or MariaDB behind `mysql2/promise`. */
export async function mysql(url: string, trace: Trace): Promise<Sql> {
  const { createConnection, createPool } = await loadMysql();
  const query = lanes(trace, 'query');
  const open = new Set<{ end(): Promise<void> }>();
  return {
    kind: 'mysql',
    pool({ max, connectionTimeoutMillis }) {
      const pool = poolOf(
        // deadtime-ignore-next-line require-pool-limits -- a proof ends by its own limit, and waiting is what it measures
        createPool({ uri: url, connectionLimit: max }),
        { query, trace },
        {
          max,
          ...(connectionTimeoutMillis === undefined ? {} : { connectionTimeoutMillis }),
        },
      );
      open.add(pool);
      return pool;
    },
    async connect() {
      const raw = await trace.dead('connect', () => createConnection(url));
      const connection = {
        query: (text: string, values: readonly SqlValue[] = []) =>
          query(() => answerOf(raw.query<Answer>(spelled(text), [...values]))),
        listen: () => Promise.reject(new Error('MySQL has no notifications.')),
        async end() {
          if (!open.delete(connection)) return;
          await raw.end();
        },
      };
      open.add(connection);
      return connection;
    },
    close: async () => void (await Promise.all([...open].map((it) => it.end()))),
  };
}

async function loadMysql() {
  try {
    return (await import('mysql2/promise')).default;
  } catch {
    throw new MissingComponent([
      { what: 'the MySQL driver mysql2', command: 'npm install mysql2' },
    ]);
  }
}

function poolOf(
  pool: Pool,
  { query, trace }: { readonly query: Lanes; readonly trace: Trace },
  { connectionTimeoutMillis }: PoolOptions,
): SqlPool {
  const totals = { roundTrips: 0, connections: 0 };
  let isEnded = false;
  let waiting = 0;
  pool.on('connection', () => void totals.connections++);
  const connect = async () => {
    waiting++;
    try {
      return await trace.dead('wait for a connection', () =>
        withinMs(connectionTimeoutMillis, pool.getConnection()),
      );
    } finally {
      waiting--;
    }
  };
  return {
    kind: 'mysql',
    totals,
    // mysql2 emits no event for it.
    gone: new Promise(() => {}),
    get waitingCount() {
      return waiting;
    },
    // What the pool's own `query` does, written out so that its wait is counted, too.
    async query(text, values = []) {
      const raw = await connect();
      try {
        totals.roundTrips++;
        return await query(() => answerOf(raw.query<Answer>(spelled(text), [...values])));
      } finally {
        raw.release();
      }
    },
    connect: async () => pooled(await connect(), query, totals),
    async end() {
      if (isEnded) return;
      isEnded = true;
      await pool.end();
    },
  };
}

function pooled(raw: PoolConnection, query: Lanes, totals: Totals): PooledConnection {
  return {
    query(text, values = []) {
      totals.roundTrips++;
      return query(() => answerOf(raw.query<Answer>(spelled(text), [...values])));
    },
    release: (destroy) => (destroy ? raw.destroy() : raw.release()),
  };
}

/** mysql2 has no time-out for a checkout: this is the race that its users write around it. */
async function withinMs(ms: number | undefined, pending: Promise<PoolConnection>) {
  if (ms === undefined) return pending;
  let isLate = false;
  void pending.then(
    (raw) => isLate && raw.release(),
    () => {},
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(new Error('timeout exceeded when trying to connect'));
    }, ms);
  });
  try {
    return await Promise.race([pending, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** `$1` as mysql2 spells it. */
function spelled(text: string): string {
  return text.replaceAll(/\$\d+/g, '?');
}

async function answerOf(pending: Promise<[Answer, unknown]>): Promise<Result> {
  const [answer] = await pending;
  return Array.isArray(answer)
    ? { rows: answer, rowCount: answer.length }
    : { rows: [], rowCount: answer.affectedRows };
}
