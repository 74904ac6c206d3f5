import type { Library, Signature } from './schema.ts';

const run = (returns: string, op: 'sql' | 'write' | 'unknown'): Signature => ({
  returns: `Promise<${returns}>`,
  effect: { env: 'db', op },
});

/** The official client: one HTTP request a statement, over a keep-alive agent (`max_open_connections` 10). */
export const clickhouse: Library = {
  name: 'clickhouse',
  modules: ['@clickhouse/client', '@clickhouse/client-web'],
  verifiedWith: '1.23.1',
  exports: { createClient: { returns: 'ClickHouseClient' } },
  types: {
    ClickHouseClient: {
      role: 'pool',
      concurrency: 'pooled',
      members: {
        query: run('ResultSet', 'sql'),
        command: run('any', 'sql'),
        exec: run('any', 'sql'),
        insert: run('any', 'write'),
        ping: run('any', 'unknown'),
        close: run('void', 'unknown'),
      },
    },
    /** The body of an answer that has begun to arrive. */
    ResultSet: {
      members: { json: { returns: 'Promise<any>' }, text: { returns: 'Promise<any>' } },
    },
  },
};
