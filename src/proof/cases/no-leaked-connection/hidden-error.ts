import { createServer, type AddressInfo } from 'node:net';
import type { BenchmarkCase } from '../../case.ts';
import { driverOf, type PooledConnection, type SqlPool } from '../../drivers/index.ts';
import { count, numbersOf } from '../../parameters.ts';

async function connectInsideTry(pool: SqlPool) {
  let connection: PooledConnection | undefined;
  try {
    connection = await pool.connect();
    await connection.query('SELECT 1');
  } finally {
    connection!.release();
  }
}

async function connectBeforeTry(pool: SqlPool) {
  const connection = await pool.connect();
  try {
    await connection.query('SELECT 1');
  } finally {
    connection.release();
  }
}

export const hiddenError: BenchmarkCase = {
  ruleId: 'no-leaked-connection',
  variant: 'hidden-error',
  title: 'A release of a connection that was never opened',
  counts: 'errors that hide the original error',
  needs: {},
  parameters: [count('requests', 20, 'requests while the server is down', { longest: 200 })],
  parametersOf: ({ variant }) => (variant === 'ungated' ? {} : undefined),
  predict: (values) => ({
    formula: 'requests vs 0',
    unit: 'count',
    flagged: Number(values['requests']),
    mended: 0,
    tolerance: { flagged: 0, mended: 0 },
  }),
  scalesWith: 'requests',
  doesNotShow: ['Time and connections: only the reason of the failure is lost.'],
  async setUp({ parameters, trace }) {
    const { requests } = numbersOf(parameters, 'requests');
    const url = `postgres://nobody@127.0.0.1:${await closedPort()}/none`;
    const sql = await driverOf({ kind: 'postgres' }, url, trace);
    const run = (request: typeof connectBeforeTry) => async () => {
      const pool = sql.pool({ max: 1 });
      let hidden = 0;
      let message = '';
      for (let i = 0; i < requests; i++) {
        await request(pool).catch((error: unknown) => {
          if (error instanceof TypeError) hidden++;
          // Without the address, whose port differs each time.
          message = String(error).replace(/ [\d.]+:\d+$/, '');
        });
      }
      await pool.end();
      return {
        value: hidden,
        isFailure: hidden > 0,
        text: `${requests} requests failed, each with ${message}`,
      };
    };
    return {
      kind: 'count',
      flagged: { label: 'connects inside the try', run: run(connectInsideTry) },
      mended: { label: 'connects before the try', run: run(connectBeforeTry) },
      close: () => sql.close(),
    };
  },
};

/** A port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
