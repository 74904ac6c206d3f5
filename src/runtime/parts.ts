import type { Parts, SiteKind } from './recording.ts';

/** The parts of an entry's time, as places in an array of numbers. */
export const PART = {
  asleep: 0,
  pool: 1,
  wire: 2,
  held: 3,
  inSequence: 4,
  lag: 5,
  threadPool: 6,
  computing: 7,
  unexplained: 8,
} as const;

export const PART_COUNT = 9;

/** In the order of `PART`. */
export const PARTS: readonly (keyof Parts)[] = [
  ...(['asleepMs', 'poolMs', 'wireMs', 'heldMs', 'inSequenceMs'] as const),
  ...(['lagMs', 'threadPoolMs', 'computingMs', 'unexplainedMs'] as const),
];

/**
 * The dead time of one entry, or of all of a kind: waits that could be shorter with the same work. `partsMs` in the order of `PART`.
 */
export function deadMsIn(partsMs: readonly number[]): number {
  const { asleep, pool, inSequence, lag } = PART;
  return partsMs[asleep]! + partsMs[pool]! + partsMs[inSequence]! + partsMs[lag]!;
}

export function deadMsOf(parts: Parts): number {
  return deadMsIn(PARTS.map((it) => parts[it]));
}

/** What an open probe means for the time of its entry: a part, or one of these. */
const NETWORK = 9;
/** A function whose own awaits are measured: between these it computes, or waits unmeasured. */
export const GAP = 10;
/** The awaited expression runs and the wait has not begun: as if there were no probe yet. */
export const EVALUATING = 11;

export const CATEGORIES: Readonly<Record<SiteKind, number>> = {
  sleep: PART.asleep,
  yield: PART.lag,
  db: PART.wire,
  network: NETWORK,
  'thread-pool': PART.threadPool,
  calls: GAP,
  blocking: PART.computing,
  unresolved: PART.unexplained,
};

/** The part that gets the time of a probe; `holds`: while a connection is checked out. */
export function partOf(category: number, holds: boolean): number {
  switch (category) {
    case NETWORK:
      return holds ? PART.held : PART.wire;
    case PART.asleep:
    case PART.threadPool:
      return holds ? PART.held : category;
    default:
      return category;
  }
}
