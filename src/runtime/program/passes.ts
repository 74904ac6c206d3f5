import { PART } from '../parts.ts';
import type { DoneRun } from './entry.ts';
import { togetherMsOf } from './together.ts';

/** An await of the program. */
interface Site {
  readonly id: number;
  readonly category: number;
  /** In a loop whose passes are proved independent. */
  readonly isRepeated: boolean;
  /** What its calls of drivers have taken. */
  readonly wire: unknown;
}

/** The passes of a loop, by one await in it. */
interface Passes {
  count: number;
  /** From the wait of the first pass to the end of the last one. */
  readonly startMs: number;
  endMs: number;
  /** Their waits. */
  waitedMs: number;
  longestMs: number;
  /** The loop awaits nothing else. */
  isAlone: boolean;
}

/** The loops of one run of a function whose passes are proved independent. */
export class Loops {
  readonly #passes = new Map<Site, Passes>();

  /** An await of the function is over, after `ms`. */
  settled(site: Site, ms: number, nowMs: number): void {
    for (const [own, passes] of this.#passes) passes.isAlone &&= own === site;
    if (!site.isRepeated) return;
    const passes = this.#passes.get(site);
    if (!passes) {
      const first = { startMs: nowMs - ms, endMs: nowMs, waitedMs: ms, longestMs: ms };
      this.#passes.set(site, { ...first, count: 1, isAlone: true });
      return;
    }
    passes.count++;
    passes.endMs = nowMs;
    passes.waitedMs += ms;
    passes.longestMs = Math.max(passes.longestMs, ms);
  }

  /** Those with more than one pass: how long they took, and estimated, how long without the sequence. */
  done(): readonly DoneRun[] {
    return Array.from(this.#passes)
      .filter(([, { count }]) => count > 1)
      .map(([site, passes]) => ({ first: site.id, ...timesOf(site, passes) }));
  }
}

/** One statement, or one command, may ask for all; the calls of a service run together. */
function timesOf({ category, wire }: Site, passes: Passes): Omit<DoneRun, 'first'> {
  const { count, startMs, endMs, waitedMs, longestMs, isAlone } = passes;
  const isOfDriver = category === PART.wire || wire !== undefined;
  const threadMs = category === PART.threadPool ? waitedMs : 0;
  if (!isOfDriver) return { totalMs: waitedMs, togetherMs: togetherMsOf({ longestMs, threadMs }) };
  const totalMs = isAlone ? endMs - startMs : waitedMs;
  return { totalMs, togetherMs: totalMs / count };
}
