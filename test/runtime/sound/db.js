import pg from 'pg';

export const pool = new pg.Pool({ max: 10, connectionTimeoutMillis: 2_000 });
pool.on('error', (error) => console.error(error));

export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export async function transaction(run) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await run(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
