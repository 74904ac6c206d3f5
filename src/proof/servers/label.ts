import type { DatabaseKind } from '../case.ts';
import { oneConnection } from './one-connection.ts';

/** Name and version from the server's own answer: "PostgreSQL 15.18", "MariaDB 10.11.19". Rejects when it does not answer. */
export async function labelOf(kind: DatabaseKind, url: string): Promise<string> {
  return oneConnection(kind, url, async (query) => {
    const [row] = await query('SELECT version() AS version');
    const said = String(row?.['version']);
    if (kind === 'postgres') return /^\S+ [\d.]+/.exec(said)?.[0] ?? `PostgreSQL (${said})`;
    const number = /^[\d.]+/.exec(said)?.[0] ?? said;
    return `${/mariadb/i.test(said) ? 'MariaDB' : 'MySQL'} ${number}`;
  });
}
