import type { Bounds } from '../bounds.ts';
import { type Failed, MOST_SECONDS } from '../result.ts';
import type { MachineWatch } from './machine-watch.ts';
import type { QuietWatch } from './quiet.ts';
import { anytimeIntervalOf, FEWEST_ANYTIME_PAIRS, FEWEST_PAIRS } from './statistics.ts';
import type { TraceRecorder } from './trace.ts';
import { isDecided } from './verdict.ts';

/** Below 200 ms the scheduler's moves between cores decide the ratio, not the code (95 against 51 for the same pair). */
export const SLICE_MS = 200;

/**
 * Of such a slice, on a busy machine: what else runs changes by the second, so both sides of a pair are to lie close together,
 * and the time has to suffice for more pairs. Their median outweighs that one slice tells less.
 */
const BUSY_SLICE_SHARE = 0.25;

/** Numbers of pairs whose interval is narrow for its cost; more is not better than a second run. */
const PAIRS = [15, 9, FEWEST_PAIRS];

/** Kept for what follows the slices: one message to the parent, closing pools and servers. */
const CLOSING_MS = 300;

/** The tools of every kind of measurement. */
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

/** The end of the run, and the time left until then. */
export interface Deadline {
  leftMs(): number;
  readonly limitMs: number;
}

/** From now on. */
export function deadlineIn(limitMs: number): Deadline {
  const end = performance.now() + limitMs;
  return { leftMs: () => end - performance.now() - CLOSING_MS, limitMs };
}

/** The run does not fit its time limit. */
export class TooLong extends Error {
  /** The limit that it needs, where there is such a limit; the message also contains it. */
  readonly neededSeconds: number | undefined;

  constructor(limitMs: number, neededSeconds: number, pairs = FEWEST_PAIRS) {
    const isAllowed = neededSeconds <= MOST_SECONDS;
    const remedy = isAllowed
      ? `--max-seconds ${neededSeconds} allows enough time`
      : `they need ${neededSeconds} s, and one benchmark may take at most ${MOST_SECONDS} s`;
    super(`${pairs} pairs of slices do not fit ${limitMs / 1_000} s; ${remedy}`);
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
  /** The longest that one slice of `ms` is expected to take, with all around it. */
  expectedMs(ms: number): number;
  /** Runs one slice of `ms`; returns milliseconds of the compared quantity, so that more is worse. */
  slice(ms: number): Promise<number>;
}

export interface Around {
  /** Before the first pair and after each. */
  between(): Promise<void>;
  /** What the iterations so far that ran undisturbed leave possible, where that shows. */
  undisturbed?(): Bounds;
  /** The time of work after the pairs, where they leave it. */
  readonly wishedMs?: number;
}

export interface Pair<T> {
  readonly flagged: T;
  readonly mended: T;
}

/** The slices of a run, and what kind of interval they have. */
export interface Pairs {
  readonly pairs: readonly Pair<number>[];
  /** Whether their number was fixed in advance; if not, the run has ended when its interval decided. */
  readonly isPlanned: boolean;
}

/** A probe of the machine, while neither side runs. */
export async function lookAround(instruments: Instruments): Promise<void> {
  await instruments.quiet.sample();
  await machineSample(instruments);
}

/** None on a busy machine: no closed form is compared with what runs alongside other programs. */
export async function machineSample({ quiet, machine }: Instruments): Promise<void> {
  if (!quiet.result().isBusy) await machine?.sample();
}

/** Slices of both sides in turns, in a way that suits the machine as it is. */
export async function runPairs(
  sides: Pair<PairedSide>,
  instruments: Instruments,
  around: Around,
): Promise<Pairs> {
  await around.between();
  const { isBusy } = instruments.quiet.result();
  return isBusy
    ? { pairs: await pairsUntilDecided(sides, instruments, around), isPlanned: false }
    : { pairs: await plannedPairs(sides, instruments, around), isPlanned: true };
}

/**
 * Slices in the order A B B A A B B A, so that a drift of the machine falls on both sides. Fewer
 * pairs than planned when the machine has become slower since, never fewer than the interval needs.
 */
async function plannedPairs(
  { flagged, mended }: Pair<PairedSide>,
  { deadline, isBrief, sliceMs, onProgress }: Instruments,
  { between, wishedMs = 0 }: Around,
): Promise<readonly Pair<number>[]> {
  const start = performance.now();
  await between();
  const betweenMs = performance.now() - start;
  const pairMs = flagged.expectedMs(sliceMs) + mended.expectedMs(sliceMs) + betweenMs;
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
    pairs.push(await pairOf({ flagged, mended }, sliceMs, pairs.length % 2 === 0));
    await between();
    onProgress(pairs.length / planned);
  }
  return pairs;
}

/**
 * On a busy machine: short slices, until their interval decides or the time is over. Which side of a pair comes first is
 * drawn: where both sides are the same code, each is then ahead in half of the pairs, whatever else runs (R. A. Fisher, "The
 * Design of Experiments", 1935, chapter 2), and that is all that the interval relies on.
 */
async function pairsUntilDecided(
  { flagged, mended }: Pair<PairedSide>,
  { deadline, sliceMs, onProgress }: Instruments,
  { between, undisturbed }: Around,
): Promise<readonly Pair<number>[]> {
  const ms = BUSY_SLICE_SHARE * sliceMs;
  const pairs: Pair<number>[] = [];
  let pairMs = flagged.expectedMs(ms) + mended.expectedMs(ms);
  const ratio = () => anytimeIntervalOf(pairs.map((it) => it.flagged / it.mended));
  while (!isDecided(ratio(), undisturbed?.())) {
    const missingMs = pairMs - deadline.leftMs();
    if (missingMs > 0) {
      if (pairs.length >= FEWEST_ANYTIME_PAIRS) break;
      const others = FEWEST_ANYTIME_PAIRS - 1 - pairs.length;
      throw tooLong(deadline, others * pairMs + missingMs, FEWEST_ANYTIME_PAIRS);
    }
    const start = performance.now();
    pairs.push(await pairOf({ flagged, mended }, ms, Math.random() < 0.5));
    await between();
    pairMs = (pairMs + performance.now() - start) / 2;
    onProgress(pairs.length / (pairs.length + Math.max(1, deadline.leftMs() / pairMs)));
  }
  return pairs;
}

async function pairOf(
  { flagged, mended }: Pair<PairedSide>,
  ms: number,
  isFlaggedFirst: boolean,
): Promise<Pair<number>> {
  const first = await (isFlaggedFirst ? flagged : mended).slice(ms);
  const second = await (isFlaggedFirst ? mended : flagged).slice(ms);
  return isFlaggedFirst ? { flagged: first, mended: second } : { flagged: second, mended: first };
}

function pairsWithin(deadline: Deadline, pairMs: number, restMs: number): number {
  const leftMs = deadline.leftMs() - restMs;
  const pairs = PAIRS.find((it) => it * pairMs <= leftMs);
  if (pairs !== undefined) return pairs;
  throw tooLong(deadline, FEWEST_PAIRS * pairMs - leftMs);
}

function tooLong({ limitMs }: Deadline, missingMs: number, pairs?: number): TooLong {
  return new TooLong(limitMs, Math.ceil((limitMs + missingMs) / 1_000) + 1, pairs);
}
