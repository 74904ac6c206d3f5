import type { Pool } from 'pg';
import { MissingComponent, type Trace } from '../case.ts';
import { lanes, type Result, type Sql, type SqlPool, type SqlValue } from './sql.ts';

/** PostgreSQL behind `pg`, whose pool already has these methods: this adds counting and the timeline. */
export async function postgres(url: string, trace: Trace): Promise<Sql> {
  const { Client, Pool: PgPool } = await loadPg();
  const query = lanes(trace, 'query');
  const open = new Set<{ end(): Promise<void> }>();
  return {
    kind: 'postgres',
    pool({ listensToErrors = true, ...options }) {
      const raw = new PgPool({ connectionString: url, ...options });
      if (listensToErrors) raw.on('error', () => {});
      const pool = poolOf(raw, query, trace);
      open.add(pool);
      return pool;
    },
    async connect() {
      const client = new Client({ connectionString: url });
      client.on('error', () => {});
      await trace.dead('connect', () => client.connect());
      const connection = {
        query: (text: string, values?: readonly SqlValue[]) =>
          query(() => resultOf(client.query(text, values && [...values]))),
        async listen(channel: string, wake: () => void) {
          client.on('notification', wake);
          await client.query(`LISTEN ${channel}`);
        },
        async end() {
          if (!open.delete(connection)) return;
          await client.end();
        },
      };
      open.add(connection);
      return connection;
    },
    close: async () => void (await Promise.all([...open].map((it) => it.end()))),
  };
}

async function loadPg() {
  try {
    return (await import('pg')).default;
  } catch {
    throw new MissingComponent([{ what: 'the PostgreSQL driver pg', command: 'npm install pg' }]);
  }
}

function poolOf(pool: Pool, query: ReturnType<typeof lanes>, trace: Trace): SqlPool {
  const totals = { roundTrips: 0, connections: 0 };
  pool.on('connect', () => void totals.connections++);
  const gone = new Promise<void>((resolve) => pool.once('remove', () => resolve()));
  return {
    kind: 'postgres',
    totals,
    gone,
    get waitingCount() {
      return pool.waitingCount;
    },
    query(text, values) {
      totals.roundTrips++;
      return query(() => resultOf(pool.query(text, values && [...values])));
    },
    async connect() {
      const client = await trace.dead('wait for a connection', () => pool.connect());
      return {
        query(text, values) {
          totals.roundTrips++;
          return query(() => resultOf(client.query(text, values && [...values])));
        },
        release: (destroy) => client.release(destroy),
      };
    },
    async end() {
      if (!pool.ended && !pool.ending) await pool.end();
    },
  };
}

async function resultOf(
  pending: Promise<{ readonly rows: Result['rows']; readonly rowCount: number | null }>,
): Promise<Result> {
  const { rows, rowCount } = await pending;
  return { rows, rowCount: rowCount ?? rows.length };
}
