import { EVALUATING, GAP, PART, PART_COUNT, partOf } from '../parts.ts';
import { OpenSpans, type Span } from './spans.ts';
import { togetherMsOf } from './together.ts';

/** Its idle time distinguishes computing from an unmeasured wait. */
export interface Clock {
  /** In milliseconds, from any start. */
  now(): number;
  /** How long the event loop has been idle since it started, in milliseconds. */
  idle(): number;
}

/** How long an answer about the idle time is good for, in milliseconds: the question costs as much as a probe. */
const FRESH_MS = 0.02;

/** What all entries of a process share. */
export class Shared {
  /** How often the probes of one entry came after those of a different one. */
  switches = 0;
  readonly clock: Clock;
  #idleMs = 0;
  #askedMs = -Infinity;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** How long the event loop has been idle, in milliseconds. */
  idle(nowMs: number): number {
    if (nowMs - this.#askedMs < FRESH_MS) return this.#idleMs;
    this.#askedMs = nowMs;
    return (this.#idleMs = this.clock.idle());
  }
}

/** What one line did in one entry. */
export class EntrySite {
  readonly id: number;
  count = 0;
  exclusiveMs = 0;
  /** By statement, how often it was sent. */
  statements: Map<string, number> | undefined;

  constructor(id: number) {
    this.id = id;
  }
}

/** The reads of a run that are done, while it goes on. */
interface Run {
  next: number;
  totalMs: number;
  longestMs: number;
  /** Of the reads that are work of the thread pool. */
  threadMs: number;
}

/** One read of a run, which the number of the first identifies. */
interface ReadSite {
  readonly firstOfRun: number;
  readonly category: number;
}

interface RunPlace {
  readonly at: number;
  readonly of: number;
}

/** A run of reads or a loop that is over: how long its reads took, and estimated, what they take together. */
export interface DoneRun {
  readonly first: number;
  readonly totalMs: number;
  readonly togetherMs: number;
}

/** An array of this length costs less than a `Float64Array`, which has its memory elsewhere. */
const NO_TIME: readonly number[] = Array.from({ length: PART_COUNT }, () => 0.5).fill(0);

/** Idle times shorter than this are not asked for: the question costs more than the answer is worth. */
const SHORT_MS = 0.05;

/** A request, an iteration of a loop, a job, a run or a test: splits its time among its open spans. */
export class Entry {
  readonly startMs: number;
  /** How many entries it represents, with those that are not measured. */
  readonly weight: number;
  readonly parts = NO_TIME.slice();
  readonly spans = new OpenSpans();
  /** Calls of drivers for which no await waits. */
  readonly loose = new OpenSpans();
  readonly sites = new Map<number, EntrySite>();
  /** The connections of pools that are checked out for it and run no statement. */
  holds = 0;
  isOver = false;
  runs: DoneRun[] | undefined;
  readonly #shared: Shared;
  #lastMs: number;
  /** When the current gap began: the idle time of the event loop, and the switches. */
  #idleMs: number;
  #switches: number;
  #openRuns: Map<number, Run> | undefined;

  constructor(shared: Shared, startMs: number, weight: number) {
    this.#shared = shared;
    this.weight = weight;
    this.startMs = this.#lastMs = startMs;
    this.#idleMs = shared.idle(startMs);
    this.#switches = shared.switches;
  }

  siteOf(id: number): EntrySite {
    let site = this.sites.get(id);
    if (!site) this.sites.set(id, (site = new EntrySite(id)));
    return site;
  }

  begin(span: Span): void {
    this.#charge(span.startMs);
    this.#listOf(span).add(span);
    this.#rest();
  }

  /** The expression of an await runs; where no other wait is open, the gap goes on, without a reading of the clock. */
  evaluate(span: Span): void {
    if (this.#isGap()) {
      span.startMs = this.#lastMs;
      this.spans.add(span);
    } else {
      span.startMs = this.#shared.clock.now();
      this.begin(span);
    }
  }

  /** The expression has its value, and the wait begins. */
  wait(span: Span, category: number, nowMs: number): void {
    if (this.spans.last === span) this.#charge(nowMs);
    span.category = category;
  }

  end(span: Span, nowMs: number): void {
    this.#charge(nowMs);
    this.#loosen(span);
    this.#listOf(span).remove(span);
    this.#rest();
  }

  /** A connection is held without a statement from now on (1), or no longer (-1). */
  hold(change: 1 | -1, nowMs: number): void {
    this.#charge(nowMs);
    this.holds = Math.max(0, this.holds + change);
    this.#rest();
  }

  /** Moves time from one part to a different one, as far as the first has some; returns how much that was. */
  move(ms: number, from: number, to: number): number {
    const moved = Math.min(ms, this.parts[from]!);
    this.parts[from]! -= moved;
    this.parts[to]! += moved;
    return moved;
  }

  /** No more time counts; what is still open belongs to no entry. */
  finish(nowMs: number): void {
    this.#charge(nowMs);
    this.isOver = true;
  }

  /** One read of a run is done; the reads come in their order, or the run is incomplete. */
  read({ firstOfRun: first, category }: ReadSite, { at, of }: RunPlace, ms: number): void {
    const runs = (this.#openRuns ??= new Map());
    if (at === 0) runs.set(first, { next: 0, totalMs: 0, longestMs: 0, threadMs: 0 });
    const run = runs.get(first);
    if (run?.next !== at) return;
    run.next++;
    run.totalMs += ms;
    run.longestMs = Math.max(run.longestMs, ms);
    if (category === PART.threadPool) run.threadMs += ms;
    if (run.next < of) return;
    runs.delete(first);
    this.ran({ first, totalMs: run.totalMs, togetherMs: togetherMsOf(run) });
  }

  /** Reads that could run together have run sequentially. */
  ran(run: DoneRun): void {
    (this.runs ??= []).push(run);
    const savedMs = run.totalMs - run.togetherMs;
    const leftMs = savedMs - this.move(savedMs, PART.wire, PART.inSequence);
    this.move(leftMs, PART.threadPool, PART.inSequence);
  }

  #charge(nowMs: number): void {
    const ms = nowMs - this.#lastMs;
    this.#lastMs = nowMs;
    const { last } = this.spans;
    if (last && last.category !== EVALUATING) {
      last.exclusiveMs += ms;
      if (last.line) last.line.exclusiveMs += ms;
    }
    if (!last || this.#isGap()) return this.#chargeGap(ms);
    const part = partOf(last.category, this.holds > 0);
    if (part === PART.unexplained) return this.#chargeUnexplained(ms);
    // A statement that was sent before its await has its own wait for a connection.
    const isSent = last.category === PART.wire && last.owner === undefined;
    this.parts[(isSent && this.loose.last?.category) || part]! += ms;
  }

  #chargeGap(ms: number): void {
    const isAlone = this.#shared.switches === this.#switches;
    const idleMs = ms < SHORT_MS ? 0 : Math.min(ms, this.#shared.idle(this.#lastMs) - this.#idleMs);
    // What others computed meanwhile cannot be told from what this entry did.
    const unexplainedMs = isAlone || ms < SHORT_MS ? idleMs : ms;
    this.#chargeUnexplained(unexplainedMs);
    this.parts[PART.computing]! += ms - unexplainedMs;
  }

  /** A statement that runs meanwhile explains it. */
  #chargeUnexplained(ms: number): void {
    const part = statementIn(this.spans) ?? statementIn(this.loose) ?? PART.unexplained;
    this.parts[part]! += ms;
  }

  /** What a race leaves running: no await waits for it any more. */
  #loosen(owner: Span): void {
    for (let it = owner.newer, next = it?.newer; it; it = next, next = it?.newer) {
      if (it.owner !== owner) continue;
      this.spans.remove(it);
      it.isLoose = true;
      this.loose.add(it);
    }
  }

  #listOf({ isLoose }: Span): OpenSpans {
    return isLoose ? this.loose : this.spans;
  }

  #isGap(): boolean {
    const category = this.spans.last?.category ?? GAP;
    return category === GAP || category === EVALUATING;
  }

  #rest(): void {
    if (!this.#isGap()) return;
    this.#idleMs = this.#shared.idle(this.#lastMs);
    this.#switches = this.#shared.switches;
  }
}

/** The part of the innermost open call of a driver. */
function statementIn({ last }: OpenSpans): number | undefined {
  for (let it = last; it; it = it.older) {
    if (it.category === PART.wire || it.category === PART.pool) return it.category;
  }
  return undefined;
}
