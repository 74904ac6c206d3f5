import type { CountSetUp, SetUp } from '../case.ts';
import type { Arrangement, CountedMeasurement, Measurement } from '../result.ts';
import { measureLatency } from './latency.ts';
import { measureLoad } from './load.ts';
import type { Instruments } from './plan.ts';
import { measureVictim } from './victim.ts';

/** Runs both arms of `set` as its kind demands, which may count something; rejects with `TooLong` when they do not fit the deadline. */
export function measure(
  set: SetUp,
  arrangement: Arrangement,
  instruments: Instruments,
  counts = '',
): Promise<Measurement> {
  const arranged = arrangedAs(arrangement, set);
  switch (arranged.kind) {
    case 'latency':
      return measureLatency(arranged, instruments);
    case 'load':
      return measureLoad(arranged, instruments);
    case 'victim':
      return measureVictim(arranged, instruments);
    case 'count':
      return measureCount(arranged, counts);
  }
}

/** What shows that a benchmark can fail: the shape after the fix on both sides, or the shapes swapped. */
function arrangedAs<T extends SetUp>(arrangement: Arrangement, set: T): T {
  if (arrangement === 'written') return set;
  const { flagged, mended } = set;
  return { ...set, flagged: mended, mended: arrangement === 'swapped' ? flagged : mended };
}

async function measureCount(
  { flagged, mended }: CountSetUp,
  of: string,
): Promise<CountedMeasurement> {
  return {
    kind: 'counted',
    flagged: { ...(await flagged.run()), label: flagged.label, of },
    mended: { ...(await mended.run()), label: mended.label, of },
  };
}
