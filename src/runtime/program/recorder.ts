import { EVALUATING, PART } from '../parts.ts';
import type { Plan } from '../plan.ts';
import { Budget } from './budget.ts';
import { type Clock, Entry, Shared } from './entry.ts';
import { Kinds } from './kinds.ts';
import {
  type Context,
  entryOf,
  Frame,
  isOfDriver,
  SiteRecord,
  SiteSpan,
  suspended,
} from './sites.ts';
import { Loops } from './passes.ts';
import { OpenSpans, type Span } from './spans.ts';

/** Where the entry of the current code is kept, or the await that it is for: `AsyncLocalStorage` in a program. */
export interface Storage {
  getStore(): Context | undefined;
  enterWith(context: Context | undefined): void;
  /** Until the next `enterWith`, it costs nothing. */
  disable(): void;
}

export type Within = <T>(context: Context, run: () => T) => T;

/** Measures the awaits of a program; the inserted code calls it (`rewrite.ts`). Nothing here throws. */
export class Recorder {
  readonly clock: Clock;
  readonly sites: readonly SiteRecord[];
  readonly kinds = new Kinds();
  /** Spans without an entry. */
  readonly background = new OpenSpans();
  /** Those that go on. */
  readonly entries = new Set<Entry>();
  /** The program has a measured driver: where that is called after a wait of a library, its await is found by the context. */
  followsWaits = false;
  readonly #storage: Storage;
  readonly #shared: Shared;
  /** By the number of the source of work; that of requests is -1. */
  readonly #budgets = new Map<number, Budget>();
  /** Of the sources whose entries come too fast to measure all. */
  readonly #paused = new Set<Budget>();
  #lastEntry: Entry | undefined;
  /** The await whose expression runs at this moment, without a wait in between. */
  #evaluating: SiteSpan | undefined;
  /** The handler that has begun an entry, and has not waited since. */
  #starting: Frame | undefined;

  constructor({ files }: Pick<Plan, 'files'>, storage: Storage, clock: Clock) {
    this.#storage = storage;
    this.clock = clock;
    this.#shared = new Shared(clock);
    this.sites = files.flatMap(({ firstSite, firstSource, probes }) =>
      probes.sites.map((it, i) => {
        const first = it.run
          ? probes.sites.findIndex(({ run }) => run?.id === it.run!.id && run.at === 0)
          : i;
        return new SiteRecord(firstSite + i, it, { site: firstSite + first, source: firstSource });
      }),
    );
  }

  /** `source`: of a handler, whose run is an entry; within an entry that goes on, it is a part of that. */
  frame(source?: number): Frame {
    const frame = new Frame(this.#context());
    if (frame.outer && !frame.outer.isOver) return frame;
    const entry = source === undefined ? undefined : this.#beginFor(source);
    if (!entry) {
      frame.isPaused = source !== undefined || (!frame.caller && this.isPaused());
      return frame;
    }
    frame.entry = frame.outer = frame.own = entry;
    frame.mustEnter = true;
    this.#starting = frame;
    // It may wait first where no probe is.
    queueMicrotask(() => this.#hasStarted(frame));
    return frame;
  }

  leave(frame: Frame): void {
    this.iterated(frame);
    this.#endLoops(frame);
    this.#hasStarted(frame);
    if (frame.caller) frame.caller.running--;
    if (frame.own) this.endEntry(frame.own, {});
  }

  /** Undefined where the await is not measured, or a part of the pause that its caller awaits. */
  open(frame: Frame, id: number): SiteSpan | undefined {
    const site = this.sites[id]!;
    if (frame.isPaused) {
      site.unmeasured++;
      this.#note(undefined);
      return undefined;
    }
    this.#rejectFrom(frame, site.depth);
    if (frame.iteration && site.loop === -1) this.#endIteration(frame);
    const before = this.#evaluating;
    if (site.category === PART.asleep && before?.site.category === PART.asleep) return undefined;
    const entry = frame.entry?.isOver ? undefined : frame.entry;
    const line = entry?.siteOf(id);
    const span = new SiteSpan(site, frame, { line, before });
    span.entry = entry;
    if (entry && span.category === EVALUATING) {
      this.#note(entry);
      entry.evaluate(span);
    } else {
      span.startMs = this.clock.now();
      this.begin(span);
    }
    if (line) line.count++;
    frame.top = this.#evaluating = span;
    if (this.followsWaits && isOfDriver(span)) {
      span.around = { context: this.#storage.getStore() };
      this.#storage.enterWith(span);
    }
    return span;
  }

  evaluated<T>(frame: Frame, value: T): T {
    const { top } = frame;
    this.#hasStarted(frame);
    if (top && !top.isWaiting) {
      this.#evaluating = suspended(top);
      top.isWaiting = true;
      if (top.category === EVALUATING) this.#wait(top);
      if (top.around) return this.#awaited(top, value);
    }
    return value;
  }

  close<T>(span: SiteSpan | undefined, value: T): T {
    if (!span) return value;
    const { frame, site } = span;
    this.#rejectFrom(frame, site.depth + 1);
    this.#settle(span);
    if (site.isSync) {
      // The code goes on for the await that it ran for before.
      this.#evaluating = span.before;
      return value;
    }
    frame.hasWaited = true;
    if (frame.mustEnter) this.#enter(frame);
    // What is around it goes on to be evaluated, on its own.
    this.#evaluating = frame.top;
    if (frame.top) frame.top.before = undefined;
    return value;
  }

  /** An iteration of a loop begins; within an entry that goes on, it is a part of that. `hasWaited`: the function has, for this one. */
  iteration(frame: Frame, source: number, hasWaited = false): void {
    this.#rejectFrom(frame, 0);
    if (frame.outer && !frame.outer.isOver) return;
    this.#endIteration(frame);
    frame.entry = frame.iteration = this.#beginFor(source);
    frame.isPaused = !frame.iteration;
    frame.hasWaited ||= hasWaited;
    if (frame.hasWaited) this.#enter(frame);
    else frame.mustEnter = true;
  }

  /** The iteration that goes on ends, and the wait for the next one is no part of it. */
  iterated(frame: Frame): void {
    this.#rejectFrom(frame, 0);
    this.#endIteration(frame);
  }

  /** Undefined where it is not measured. */
  beginRequest(): Entry | undefined {
    return this.#begin(REQUESTS);
  }

  /** Entries come too fast to measure all, so that what runs for no measured one is only counted. */
  isPaused(): boolean {
    if (this.#paused.size === 0) return false;
    const nowMs = this.clock.now();
    for (const it of this.#paused) if (!it.isPaused(nowMs)) this.#paused.delete(it);
    return this.#paused.size > 0;
  }

  /** `name`: of a request; undefined where it was aborted before it had one. */
  endEntry(
    entry: Entry,
    { name, isAborted = false }: { name?: string; isAborted?: boolean },
  ): void {
    if (entry.isOver) return;
    const nowMs = this.clock.now();
    this.#note(entry);
    entry.finish(nowMs);
    this.entries.delete(entry);
    this.kinds.add(entry, nowMs - entry.startMs, { name, isAborted });
    for (const list of [entry.spans, entry.loose]) {
      for (const span of list) span.entry = undefined;
      moveAll(list, this.background);
    }
    this.#rest();
  }

  /** The await and the entry for which code runs at this moment. */
  here(): Here {
    const context = this.#context();
    const entry = entryOf(context);
    return {
      span: context instanceof SiteSpan && this.#isFor(context) ? context : undefined,
      entry: entry?.isOver ? undefined : entry,
    };
  }

  /** Runs a callback of a driver for the code that has called it. */
  runFor<T>({ span, entry }: Here, run: () => T, within: Within): T {
    const before = this.#evaluating;
    const open = span?.isOver ? undefined : span;
    this.#evaluating = open?.isWaiting || open === before ? open : undefined;
    const context = open ?? entry;
    try {
      return context ? within(context, run) : run();
    } finally {
      this.#evaluating = before;
    }
  }

  begin(span: Span): void {
    const { entry } = span;
    this.#note(entry);
    if (entry) entry.begin(span);
    else this.background.add(span);
  }

  end(span: Span, nowMs: number): void {
    const { entry } = span;
    this.#note(entry);
    if (entry) entry.end(span, nowMs);
    else this.background.remove(span);
  }

  /** Time counts from here on: what came before has computed, or has waited for an argument. */
  #wait(span: SiteSpan): void {
    const { site, entry } = span;
    span.startMs = this.clock.now();
    if (entry) entry.wait(span, site.category, span.startMs);
    else span.category = site.category;
  }

  /** Of the code that runs at this moment; it may be over. */
  #context(): Context | undefined {
    if (this.#evaluating) return this.#evaluating;
    return this.#starting ? this.#starting.own : this.#storage.getStore();
  }

  /** Whether an await waits for what code does now: after a wait, a function of the program that it has called may not be awaited by it. */
  #isFor(span: SiteSpan): boolean {
    return !span.isOver && (span === this.#evaluating || span.running === 0);
  }

  #beginFor(source: number): Entry | undefined {
    const entry = this.#begin(source);
    if (entry) this.kinds.start(entry, source);
    else this.kinds.count(source);
    return entry;
  }

  #begin(source: number): Entry | undefined {
    this.#shared.switches++;
    const nowMs = this.clock.now();
    let budget = this.#budgets.get(source);
    if (!budget) this.#budgets.set(source, (budget = new Budget()));
    const weight = budget.take(nowMs);
    if (weight === 0) {
      this.#paused.add(budget);
      this.#rest();
      return undefined;
    }
    const entry = new Entry(this.#shared, nowMs, weight);
    this.#lastEntry = entry;
    this.entries.add(entry);
    return entry;
  }

  /** Node.js 20 and 22 have a hook for each promise while a storage is enabled. */
  #rest(): void {
    if (this.#paused.size > 0 && this.entries.size === 0) this.#storage.disable();
  }

  #hasStarted(frame: Frame): void {
    if (this.#starting === frame) this.#starting = undefined;
  }

  #note(entry: Entry | undefined): void {
    if (entry === this.#lastEntry) return;
    this.#lastEntry = entry;
    this.#shared.switches++;
  }

  #settle(span: SiteSpan): void {
    const nowMs = this.clock.now();
    const { site, frame, entry } = span;
    // A call that throws has no wait.
    const ms = span.category === EVALUATING ? 0 : nowMs - span.startMs;
    this.end(span, nowMs);
    span.isOver = true;
    this.#leaveContext(span);
    frame.top = span.below;
    site.time.add(ms, entry?.weight);
    if (!entry) return;
    if (site.run) entry.read(site, site.run, ms);
    if (site.isRepeated) frame.loops ??= new Loops();
    frame.loops?.settled(site, ms, nowMs);
    if (site.sleepMs === undefined || entry.holds > 0) return;
    // Timers count in whole milliseconds.
    const lateMs = Math.min(ms - site.sleepMs - 1, span.exclusiveMs);
    if (lateMs > 0) entry.move(lateMs, PART.asleep, PART.lag);
  }

  /** An await of which the function has gone on without its result was rejected. */
  #rejectFrom(frame: Frame, depth: number): void {
    for (let span = frame.top; span && span.site.depth >= depth; span = frame.top) {
      this.#settle(span);
      span.site.rejected++;
      frame.hasWaited ||= span.isWaiting;
      this.#evaluating = span.isWaiting ? undefined : span.before;
    }
  }

  /** What is awaited in place of the value: a builder of statements sends in its own `then`, which is called later. */
  #awaited<T>(span: SiteSpan, value: T): T {
    this.#leaveContext(span);
    if (!isBuilder(value)) return value;
    const awaited: PromiseLike<unknown> = {
      then: (onFulfilled, onRejected) => {
        const around = this.#storage.getStore();
        this.#storage.enterWith(span);
        try {
          return value.then(onFulfilled, onRejected);
        } finally {
          this.#storage.enterWith(around);
        }
      },
    };
    return awaited as T;
  }

  #leaveContext(span: SiteSpan): void {
    if (!span.around) return;
    this.#storage.enterWith(span.around.context);
    // What goes on in its context must not keep all contexts before it.
    span.around = undefined;
  }

  #endLoops(frame: Frame): void {
    const { loops, entry } = frame;
    frame.loops = undefined;
    if (!loops || !entry || entry.isOver) return;
    for (const it of loops.done()) entry.ran(it);
  }

  #enter(frame: Frame): void {
    frame.mustEnter = false;
    const entry = frame.iteration ?? frame.own;
    if (entry) this.#storage.enterWith(entry);
  }

  #endIteration(frame: Frame): void {
    const { iteration } = frame;
    if (!iteration) return;
    this.#endLoops(frame);
    this.endEntry(iteration, {});
    frame.iteration = undefined;
    frame.entry = frame.outer;
  }
}

/** In place of the number of a source. */
const REQUESTS = -1;

/** For whom code runs. */
export interface Here {
  readonly span: SiteSpan | undefined;
  readonly entry: Entry | undefined;
}

/** Whether an await calls its `then`, as it does not for a promise of the language. */
function isBuilder(value: unknown): value is PromiseLike<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Promise && value.constructor === Promise) return false;
  return typeof (value as { readonly then?: unknown }).then === 'function';
}

function moveAll(from: OpenSpans, to: OpenSpans): void {
  if (!from.last) return;
  for (const span of [...from].reverse()) {
    from.remove(span);
    to.add(span);
  }
}
