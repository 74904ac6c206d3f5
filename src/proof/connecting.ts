import type { DatabaseAccess, MachineValues, Prediction, Trace, Values } from './case.ts';
import { driverOf, type Sql } from './drivers/index.ts';
import { numbersOf } from './parameters.ts';
import { beyond, meanMsOf, queryMs } from './timing.ts';

/** A new connection for each query, compared with one that stays open. */
export function connectingPrediction(
  values: Values,
  { connectMs, connectTrips, ...machine }: MachineValues,
): Prediction | undefined {
  if (connectMs === undefined || connectTrips === undefined) return undefined;
  const { roundTripMs } = numbersOf(values, 'roundTripMs');
  const eachMs = queryMs(0, machine, roundTripMs);
  return {
    formula: `connectMs + ${connectTrips} · roundTripMs + queryMs + roundTripMs vs queryMs + roundTripMs`,
    unit: 'ms per iteration',
    flagged: connectMs + connectTrips * roundTripMs + eachMs,
    mended: eachMs,
    tolerance: { flagged: 0.25 },
  };
}

/** The time to open and close a connection, without the network's part in it. */
export async function measuredConnect(
  sql: Sql,
  { trips, networkMs }: { readonly trips: number; readonly networkMs: number },
): Promise<Required<Pick<MachineValues, 'connectMs' | 'connectTrips'>>> {
  const connectMs = await meanMsOf(async () => (await sql.connect()).end());
  return { connectMs: beyond(trips * networkMs, connectMs), connectTrips: trips };
}

/** How often opening and closing a connection waits for the server: the way in which it authenticates decides that. */
export async function tripsToConnect(access: DatabaseAccess, trace: Trace): Promise<number> {
  const proxy = await access.delayed(0);
  const sql = await driverOf(access, proxy.url, trace);
  try {
    await (await sql.connect()).end();
    const { roundTrips } = await proxy.traffic();
    // `pg` waits until the server has closed the connection, without an answer to count.
    return roundTrips + (access.kind === 'postgres' ? 1 : 0);
  } finally {
    await sql.close();
    await proxy.close();
  }
}
