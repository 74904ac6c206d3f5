import type { Countable, DatabaseKind } from '../case.ts';
import { oneConnection } from './one-connection.ts';

/** From version 15 on, a backend reports its counters on request. */
const EXACT_SINCE = 150_000;

/** 18 counts the log's flushes with all other input and output. */
const IN_IO_SINCE = 180_000;

/**
 * Running totals of a server, exact or absent. The counters of a case's own connections are only complete when they are passed
 * in: backends of PostgreSQL report once per second at most, and each only on request. MariaDB and MySQL have no exact total:
 * their flushes include those of background threads, and a transaction causes no more than these.
 */
export async function countersOf(
  kind: DatabaseKind,
  url: string,
  connections: readonly Countable[] = [],
): Promise<Readonly<Record<string, number>>> {
  if (kind === 'mysql') return {};
  return oneConnection(kind, url, async (query) => {
    const [server] = await query(`SELECT current_setting('server_version_num')::int AS version`);
    const version = Number(server?.['version']);
    if (!(version >= EXACT_SINCE)) return {};
    for (const it of connections) await it.query('SELECT pg_stat_force_next_flush()');
    // Of those who commit: the log writer of the server adds its own, now and then.
    const [row] = await query(
      version >= IN_IO_SINCE
        ? `SELECT sum(fsyncs) AS fsyncs FROM pg_stat_io WHERE object = 'wal' AND backend_type = 'client backend'`
        : 'SELECT wal_sync AS fsyncs FROM pg_stat_wal',
    );
    return { fsyncs: Number(row?.['fsyncs']) };
  });
}
