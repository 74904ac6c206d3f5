import {
  assumedThinkMs,
  DEFAULT_SERVER_MAX,
  poolSize as sizingOf,
} from '../../proof/measure/pool-size.ts';
import { planOf, testPool } from '../../proof/measure/pool-test.ts';
import type { PoolSize, PoolTest } from '../../proof/measure/results.ts';
import { startDatabase } from '../../proof/servers/database.ts';
import { poolSizeText, poolTestText } from '../../report/measure/pool-size-text.ts';
import { exitCodes } from '../failure.ts';
import { interruption } from '../interruption.ts';
import { type ProgressLine, progressLine } from '../progress.ts';

export interface PoolSizeOptions {
  readonly users: number;
  readonly queryMs: number;
  readonly thinkMs?: number;
  readonly workers: number;
  readonly serverMax?: number;
  readonly json?: boolean;
  readonly hasColors: boolean;
}

/** Prints the size immediately and the load test when it is done; returns the exit code. */
export async function poolSize(options: PoolSizeOptions): Promise<number> {
  const { users, queryMs, thinkMs, workers, serverMax } = options;
  const sizing = sizingOf({
    users,
    queryMs,
    thinkMs: thinkMs ?? assumedThinkMs(queryMs),
    isThinkAssumed: thinkMs === undefined,
    workers,
    serverMax: serverMax ?? DEFAULT_SERVER_MAX,
    isServerMaxAssumed: serverMax === undefined,
  });
  // Before anything is shown, upon which Ctrl-C may be pressed.
  const signal = interruption();
  if (!options.json) process.stdout.write(poolSizeText(sizing, options));
  const test = await tested(sizing, signal, progressLine());
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ ...sizing, test }, undefined, 2)}\n`
      : poolTestText(test, options),
  );
  return codes[test.state];
}

/** A size that needs no test is an answer, too. */
const codes = {
  simulated: exitCodes.clean,
  'not-run': exitCodes.clean,
  unavailable: exitCodes.findings,
  failed: exitCodes.findings,
  cancelled: exitCodes.interrupted,
} as const satisfies Record<PoolTest['state'], number>;

async function tested(
  sizing: PoolSize,
  signal: AbortSignal,
  progress: ProgressLine,
): Promise<PoolTest> {
  const plan = planOf(sizing);
  if ('reason' in plan) return { state: 'not-run', ...plan };
  progress.show('starting the database');
  const database = await startDatabase({ kinds: ['postgres'], stub: true, signal });
  try {
    if (signal.aborted) return { state: 'cancelled' };
    if (database.state !== 'ready') return database;
    return await testPool(plan, database, {
      signal,
      onProgress: (share) => progress.show(`testing pools: ${Math.round(100 * share)} %`),
    });
  } catch (error) {
    if (signal.aborted) return { state: 'cancelled' };
    return { state: 'failed', message: error instanceof Error ? error.message : String(error) };
  } finally {
    progress.clear();
    if (database.state === 'ready') await database.close();
  }
}
