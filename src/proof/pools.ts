import type { PooledConnection, SqlPool } from './drivers/index.ts';

/** A pool that can be ended although connections of it were lost, or are waited for by what never ends. */
export interface TrackedPool extends Pick<SqlPool, 'connect' | 'end'> {}

export function keepTrack(pool: SqlPool): TrackedPool {
  const out = new Set<PooledConnection>();
  let isEnding = false;
  return {
    async connect() {
      const connection = await pool.connect();
      const tracked: PooledConnection = {
        query: (text, values) => connection.query(text, values),
        release(destroy) {
          if (out.delete(tracked)) connection.release(destroy);
        },
      };
      out.add(tracked);
      if (isEnding) {
        tracked.release(true);
        throw new Error('the benchmark is over');
      }
      return tracked;
    },
    async end() {
      isEnding = true;
      for (const connection of out) connection.release(true);
      await pool.end();
    },
  };
}
