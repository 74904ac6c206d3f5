import { type Failed, MOST_SECONDS } from '../result.ts';
import type { MachineWatch } from './machine-watch.ts';
import type { QuietWatch } from './quiet.ts';
import { FEWEST_PAIRS } from './statistics.ts';
import type { TraceRecorder } from './trace.ts';

/** Below 200 ms the scheduler's moves between cores decide the ratio, not the code (95 against 51 for the same pair). */
export const SLICE_MS = 200;

/** Numbers of pairs whose interval is narrow for its cost; more is not better than a second run. */
const PAIRS = [15, 9, FEWEST_PAIRS];

/** Kept for what follows the slices: one message to the parent, closing pools and servers. */
const CLOSING_MS = 300;

/** What every kind of measurement works with. */
export interface Instruments {
  readonly deadline: Deadline;
  readonly quiet: QuietWatch;
  /** Absent without a request for a closed form. */
  readonly machine?: MachineWatch;
  readonly trace: TraceRecorder;
  /** How long one side runs before its turn ends (`SLICE_MS`; tests have no need for precision). */
  readonly sliceMs: number;
  /** Whether the fewest pairs that have an interval are enough, because many benchmarks are to be run. */
  readonly isBrief: boolean;
  /** Rises from 0 to 1. */
  onProgress(share: number): void;
}

/** When the run has to be over, and what is left of it. */
export interface Deadline {
  leftMs(): number;
  readonly limitMs: number;
}

/** `epochMs` is the moment at which the parent ends the process: both read the same clock. */
export function deadlineAt(epochMs: number, limitMs: number): Deadline {
  return { leftMs: () => epochMs - Date.now() - CLOSING_MS, limitMs };
}

/** The run does not fit its time limit. */
export class TooLong extends Error {
  /** The limit that it needs, where there is such a limit; the message also contains it. */
  readonly neededSeconds: number | undefined;

  constructor(limitMs: number, neededSeconds: number) {
    const isAllowed = neededSeconds <= MOST_SECONDS;
    const remedy = isAllowed
      ? `--max-seconds ${neededSeconds} allows enough time`
      : `they need ${neededSeconds} s, and one benchmark may take at most ${MOST_SECONDS} s`;
    super(`${FEWEST_PAIRS} pairs of slices do not fit ${limitMs / 1_000} s; ${remedy}`);
    this.neededSeconds = isAllowed ? neededSeconds : undefined;
  }
}

/** The message of a run that was stopped at its limit: twice the time may suffice, as far as it is allowed. */
export function endedAfter(maxSeconds: number): Pick<Failed, 'neededSeconds' | 'message'> {
  const ended = `it was stopped after ${maxSeconds} s`;
  if (maxSeconds >= MOST_SECONDS) return { message: `${ended}, the limit of one benchmark` };
  const neededSeconds = Math.min(MOST_SECONDS, 2 * maxSeconds);
  return { neededSeconds, message: `${ended}; --max-seconds ${neededSeconds} allows more time` };
}

export interface PairedSide {
  /** The longest that one slice is expected to take, with all around it. */
  readonly expectedMs: number;
  /** Runs one slice; milliseconds of what is compared, so that more is worse. */
  slice(): Promise<number>;
}

export interface Around {
  /** Before the first pair and after each. */
  between(): Promise<void>;
  /** What is still to be done after the pairs, where they leave the time. */
  readonly wishedMs?: number;
}

export interface Pair<T> {
  readonly flagged: T;
  readonly mended: T;
}

/** A probe of the machine, while neither side runs. */
export async function lookAround({ quiet, machine }: Instruments): Promise<void> {
  await quiet.sample();
  await machine?.sample();
}

/**
 * Slices in the order A B B A A B B A, so that a drift of the machine falls on both sides. Fewer
 * pairs than planned when the machine has become slower since, never fewer than the interval needs.
 */
export async function runPairs(
  { flagged, mended }: Pair<PairedSide>,
  { deadline, isBrief, onProgress }: Instruments,
  { between, wishedMs = 0 }: Around,
): Promise<readonly Pair<number>[]> {
  await between();
  const start = performance.now();
  await between();
  const betweenMs = performance.now() - start;
  const pairMs = flagged.expectedMs + mended.expectedMs + betweenMs;
  const restMs = FEWEST_PAIRS * pairMs + wishedMs <= deadline.leftMs() ? wishedMs : 0;
  const most = isBrief ? FEWEST_PAIRS : Infinity;
  const planned = Math.min(most, pairsWithin(deadline, pairMs, restMs));
  const pairs: Pair<number>[] = [];
  while (pairs.length < planned) {
    const isEnough = pairs.length >= FEWEST_PAIRS;
    const missingMs = pairMs + (isEnough ? restMs : 0) - deadline.leftMs();
    if (missingMs > 0) {
      if (isEnough) break;
      throw tooLong(deadline, (FEWEST_PAIRS - 1 - pairs.length) * pairMs + missingMs);
    }
    const isFlaggedFirst = pairs.length % 2 === 0;
    const first = await (isFlaggedFirst ? flagged : mended).slice();
    const second = await (isFlaggedFirst ? mended : flagged).slice();
    pairs.push(
      isFlaggedFirst ? { flagged: first, mended: second } : { flagged: second, mended: first },
    );
    await between();
    onProgress(pairs.length / planned);
  }
  return pairs;
}

function pairsWithin(deadline: Deadline, pairMs: number, restMs: number): number {
  const leftMs = deadline.leftMs() - restMs;
  const pairs = PAIRS.find((it) => it * pairMs <= leftMs);
  if (pairs !== undefined) return pairs;
  throw tooLong(deadline, FEWEST_PAIRS * pairMs - leftMs);
}

function tooLong({ limitMs }: Deadline, missingMs: number): TooLong {
  return new TooLong(limitMs, Math.ceil((limitMs + missingMs) / 1_000) + 1);
}
