import { Histogram } from '../histogram.ts';
import type { Plan, PlannedSite } from '../plan.ts';
import { type Clock, Entry, type EntrySite, Shared } from './entry.ts';
import { Kinds } from './kinds.ts';
import { CATEGORIES, EVALUATING, GAP, PART } from '../parts.ts';
import { OpenSpans, Span } from './spans.ts';

/** Where the entry of the current code is kept: `AsyncLocalStorage` in a program. */
export interface Storage {
  getStore(): Entry | undefined;
  enterWith(entry: Entry): void;
}

/** An await of the plan, and what was measured of it. */
export class SiteRecord {
  readonly id: number;
  readonly category: number;
  readonly depth: number;
  /** The number of the loop around it that begins entries; -1 for none. */
  readonly loop: number;
  readonly sleepMs: number | undefined;
  readonly run: PlannedSite['run'];
  /** The number of the first read of its run. */
  readonly firstOfRun: number;
  readonly time = new Histogram();
  rejected = 0;
  pool: Histogram | undefined;
  wire: Histogram | undefined;
  /** By statement, how often it was sent. */
  statements: Map<string, number> | undefined;

  constructor(id: number, planned: PlannedSite, firsts: { site: number; source: number }) {
    this.id = id;
    this.category = CATEGORIES[planned.kind];
    this.depth = planned.depth;
    this.loop = planned.loop === undefined ? -1 : firsts.source + planned.loop;
    this.sleepMs = planned.sleepMs;
    this.run = planned.run;
    this.firstOfRun = firsts.site;
  }

  countStatement(statement: string): void {
    const statements = (this.statements ??= new Map());
    const count = statements.get(statement);
    if (count !== undefined || statements.size < MOST_STATEMENTS)
      statements.set(statement, (count ?? 0) + 1);
  }
}

/** Of one line: a builder of statements must not fill the memory. */
const MOST_STATEMENTS = 20;

/** A run of a function with awaits. */
export class Frame {
  entry: Entry | undefined;
  /** The iteration of its own loop that goes on. */
  iteration: Entry | undefined;
  /** The entry around that loop. */
  outer: Entry | undefined;
  /** The entry that it is itself, as the handler of a source of work. */
  own: Entry | undefined;
  /** Its open awaits, the innermost: those of one function contain each other. */
  top: SiteSpan | undefined;
  /** Code after the first wait runs on its own: a change of the storage does not reach the caller. */
  hasWaited = false;
  mustEnter = false;

  constructor(entry: Entry | undefined) {
    this.entry = this.outer = entry;
  }
}

/** An open await. */
export class SiteSpan extends Span {
  readonly site: SiteRecord;
  readonly frame: Frame;
  /** That of the same function around it. */
  readonly below: SiteSpan | undefined;
  /** What was being evaluated when it began: its caller, as long as the code runs without a wait. */
  before: SiteSpan | undefined;
  isWaiting = false;
  isOver = false;

  constructor(
    site: SiteRecord,
    frame: Frame,
    { line, before }: { line: EntrySite | undefined; before: SiteSpan | undefined },
  ) {
    super(site.category === GAP ? GAP : EVALUATING, 0, frame.entry, { line });
    this.site = site;
    this.frame = frame;
    this.below = frame.top;
    this.before = before;
  }
}

/** Measures the awaits of a program; the inserted code calls it (`rewrite.ts`). Nothing here throws. */
export class Recorder {
  readonly clock: Clock;
  readonly sites: readonly SiteRecord[];
  readonly kinds = new Kinds();
  /** Spans without an entry. */
  readonly background = new OpenSpans();
  /** Those that go on. */
  readonly entries = new Set<Entry>();
  readonly #storage: Storage;
  readonly #shared: Shared;
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
        const first = it.run ? i - it.run.at : i;
        return new SiteRecord(firstSite + i, it, { site: firstSite + first, source: firstSource });
      }),
    );
  }

  /** `source`: of a handler, whose run is an entry; within an entry that goes on, it is a part of that. */
  frame(source?: number): Frame {
    const frame = new Frame(this.#entry());
    if (source === undefined || (frame.outer && !frame.outer.isOver)) return frame;
    frame.entry = frame.outer = frame.own = this.#beginFor(source);
    frame.mustEnter = true;
    this.#starting = frame;
    // It may wait first where no probe is.
    queueMicrotask(() => this.#hasStarted(frame));
    return frame;
  }

  leave(frame: Frame): void {
    this.iterated(frame);
    this.#hasStarted(frame);
    if (frame.own) this.endEntry(frame.own, {});
  }

  /** Undefined where the await is a part of the pause that its caller awaits. */
  open(frame: Frame, id: number): SiteSpan | undefined {
    const site = this.sites[id]!;
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
    return span;
  }

  evaluated<T>(frame: Frame, value: T): T {
    const { top } = frame;
    this.#hasStarted(frame);
    if (top && !top.isWaiting) {
      this.#evaluating = suspended(top);
      top.isWaiting = true;
      if (top.category === EVALUATING) this.#wait(top);
    }
    return value;
  }

  close<T>(span: SiteSpan | undefined, value: T): T {
    if (!span) return value;
    const { frame, site } = span;
    this.#rejectFrom(frame, site.depth + 1);
    this.#settle(span);
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
    frame.hasWaited ||= hasWaited;
    if (frame.hasWaited) this.#enter(frame);
    else frame.mustEnter = true;
  }

  /** The iteration that goes on ends, and the wait for the next one is no part of it. */
  iterated(frame: Frame): void {
    this.#rejectFrom(frame, 0);
    this.#endIteration(frame);
  }

  beginEntry(): Entry {
    this.#shared.switches++;
    const entry = new Entry(this.#shared, this.clock.now());
    this.#lastEntry = entry;
    this.entries.add(entry);
    return entry;
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
  }

  /** The await and the entry for which code runs at this moment. */
  here(): Here {
    const entry = this.#entry();
    return { span: this.#evaluating, entry: entry?.isOver ? undefined : entry };
  }

  /** Runs a callback of a driver for the code that has called it. */
  runFor<T>({ span, entry }: Here, run: () => T, within: (entry: Entry, run: () => T) => T): T {
    const before = this.#evaluating;
    this.#evaluating = span?.isWaiting && !span.isOver ? span : undefined;
    try {
      return entry ? within(entry, run) : run();
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

  /** That of the code that runs at this moment; it may be over. */
  #entry(): Entry | undefined {
    if (this.#evaluating) return this.#evaluating.entry;
    return this.#starting ? this.#starting.own : this.#storage.getStore();
  }

  #beginFor(source: number): Entry {
    const entry = this.beginEntry();
    this.kinds.start(entry, source);
    return entry;
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
    frame.top = span.below;
    site.time.add(ms);
    if (!entry) return;
    if (site.run) entry.read(site.firstOfRun, site.run, ms);
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

  #enter(frame: Frame): void {
    frame.mustEnter = false;
    const entry = frame.iteration ?? frame.own;
    if (entry) this.#storage.enterWith(entry);
  }

  #endIteration(frame: Frame): void {
    const { iteration } = frame;
    if (!iteration) return;
    this.endEntry(iteration, {});
    frame.iteration = undefined;
    frame.entry = frame.outer;
  }
}

/** The caller that goes on, now that the function waits: those around the await are evaluated again after it. */
function suspended(top: SiteSpan): SiteSpan | undefined {
  let caller: SiteSpan | undefined;
  for (let it: SiteSpan | undefined = top; it; it = it.below) {
    caller = it.before;
    it.before = undefined;
  }
  return caller;
}

/** For whom code runs. */
export interface Here {
  readonly span: SiteSpan | undefined;
  readonly entry: Entry | undefined;
}

function moveAll(from: OpenSpans, to: OpenSpans): void {
  if (!from.last) return;
  for (const span of [...from].reverse()) {
    from.remove(span);
    to.add(span);
  }
}
