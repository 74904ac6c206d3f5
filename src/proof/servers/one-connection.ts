import { MissingComponent, type DatabaseKind } from '../case.ts';
import { withBuiltInNames } from './url.ts';

/** After this time, the server counts as not answering. */
const CONNECT_MS = 5_000;

/** What is asked over such a connection is answered from memory, or drops what a proof has made. */
const ANSWER_MS = 10_000;

export type Row = Readonly<Record<string, unknown>>;
export type Query = (text: string) => Promise<readonly Row[]>;

export interface Connection {
  readonly query: Query;
  end(): Promise<void>;
}

/** Opens a connection for `work` and closes it. */
export async function oneConnection<T>(
  kind: DatabaseKind,
  url: string,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const { open } = await driverFor(kind, url);
  const connection = await open();
  try {
    return await work(connection.query);
  } finally {
    await connection.end();
  }
}

/** The driver of `kind`, loaded, so that the first connection takes no longer than the next. */
export async function driverFor(
  kind: DatabaseKind,
  url: string,
): Promise<{ open(): Promise<Connection> }> {
  return kind === 'postgres' ? postgresDriver(url) : mysqlDriver(url);
}

async function postgresDriver(url: string) {
  const { default: pg } = await import('pg');
  return {
    async open() {
      const client = new pg.Client({
        connectionString: withBuiltInNames(new URL(url)).href,
        connectionTimeoutMillis: CONNECT_MS,
        query_timeout: ANSWER_MS,
        application_name: 'deadtime',
      });
      // What ends the connection also fails the query.
      client.on('error', () => {});
      await client.connect();
      return {
        query: async (text: string) => (await client.query<Row>(text)).rows,
        end: () => client.end(),
      };
    },
  };
}

async function mysqlDriver(url: string) {
  const { createConnection } = await loadMysql();
  return {
    async open() {
      const connection = await createConnection({ uri: url, connectTimeout: CONNECT_MS });
      connection.on('error', () => {});
      return {
        async query(text: string) {
          const [rows] = await connection.query({ sql: text, timeout: ANSWER_MS });
          return Array.isArray(rows) ? (rows as readonly Row[]) : [];
        },
        end: () => connection.end(),
      };
    },
  };
}

/** A project with code for MySQL has the driver; a project that only lints does not need it. */
async function loadMysql() {
  try {
    return (await import('mysql2/promise')).default;
  } catch {
    throw new MissingComponent([
      { what: 'the MySQL driver mysql2', command: 'npm install --save-dev mysql2' },
    ]);
  }
}
