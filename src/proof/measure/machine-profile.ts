import { environmentOf } from '../harness/environment.ts';
import { createQuietWatch } from '../harness/quiet.ts';
import type { Database } from '../servers/database.ts';
import { flushTimes } from '../servers/flush-probe.ts';
import { driverFor, type Query } from '../servers/one-connection.ts';
import { measureLoopTurns } from './loop-turns.ts';
import type { DatabaseProfile, MachineProfile, Times } from './results.ts';
import { timed, timesOf } from './times.ts';

export interface ProfileOptions {
  /** Undefined where none could be had: then only the event loop is measured. */
  readonly database: Database | undefined;
  /** "deadtime profile 0.1.0". */
  readonly writtenBy: string;
  readonly signal?: AbortSignal;
  onStep?(step: string): void;
}

/**
 * What waiting costs here, in about four seconds: turns of the event loop, and round trip, connect, commit and flush of the
 * database. Writes nothing into the database but a message into its log. Rejects when it is aborted, and when the database
 * ends.
 */
export async function measureProfile(options: ProfileOptions): Promise<MachineProfile> {
  const { database, writtenBy, signal, onStep } = options;
  const quiet = createQuietWatch();
  await quiet.sample();
  onStep?.('turns of the event loop');
  const loopTurn = await measureLoopTurns(signal);
  await quiet.sample();
  const own = database && (await databaseProfile(database, options));
  await quiet.sample();
  return {
    writtenBy,
    format: 1,
    environment: environmentOf(database?.label),
    loopTurn,
    ...(own && { database: own }),
    quiet: quiet.result(),
  };
}

async function databaseProfile(
  { kind, url, origin, dataFolder }: Database,
  { signal, onStep }: ProfileOptions,
): Promise<DatabaseProfile> {
  const driver = await driverFor(kind, url);
  onStep?.('connections');
  const connect = await connectTimes(driver, signal);
  const { query, end } = await driver.open();
  try {
    onStep?.('round trips');
    const roundTrip = await timed(() => query('SELECT 1'), {
      ...{ most: 2_000, ms: 1_000, warmUp: 100 },
      signal,
    });
    onStep?.('commits');
    const commit = kind === 'postgres' ? await commitTimes(query, signal) : undefined;
    onStep?.('flushes');
    return {
      origin,
      roundTrip,
      connect,
      ...(commit && { commit }),
      ...(dataFolder !== undefined && { flush: timesOf(flushTimes(dataFolder)) }),
    };
  } finally {
    await end();
  }
}

/** One at a time: a server in use may have no more to give. */
function connectTimes(
  { open }: Awaited<ReturnType<typeof driverFor>>,
  signal: AbortSignal | undefined,
): Promise<Times> {
  let opened: { end(): Promise<void> } | undefined;
  return timed(
    async () => {
      opened = await open();
    },
    { most: 20, ms: 1_500, warmUp: 2, after: async () => opened?.end(), signal },
  );
}

/** Undefined where the server allows no writes: a replica, or a product with only the protocol in common. */
async function commitTimes(
  query: Query,
  signal: AbortSignal | undefined,
): Promise<Times | undefined> {
  const commit = () => query(`SELECT pg_logical_emit_message(true, 'deadtime', '')`);
  try {
    await commit();
  } catch {
    return undefined;
  }
  return timed(commit, { most: 1_000, ms: 700, warmUp: 10, signal });
}
