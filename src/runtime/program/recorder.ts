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
  /** The number of the worker's loop around it; -1 for none. */
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

  constructor(id: number, planned: PlannedSite, firsts: { site: number; loop: number }) {
    this.id = id;
    this.category = CATEGORIES[planned.kind];
    this.depth = planned.depth;
    this.loop = planned.loop === undefined ? -1 : firsts.loop + planned.loop;
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

  constructor({ files }: Pick<Plan, 'files'>, storage: Storage, clock: Clock) {
    this.#storage = storage;
    this.clock = clock;
    this.#shared = new Shared(clock);
    this.sites = files.flatMap(({ firstSite, firstLoop, probes }) =>
      probes.sites.map((it, i) => {
        const first = it.run ? i - it.run.at : i;
        return new SiteRecord(firstSite + i, it, { site: firstSite + first, loop: firstLoop });
      }),
    );
  }

  frame(): Frame {
    const caller = this.#evaluating;
    return new Frame(caller ? caller.entry : this.#storage.getStore());
  }

  leave(frame: Frame): void {
    this.#rejectFrom(frame, 0);
    this.#endIteration(frame);
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

  evaluated<T>({ top }: Frame, value: T): T {
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

  /** An iteration of a worker's loop begins; within a request, or a different worker's iteration, it is a part of that. */
  iteration(frame: Frame, loop: number): void {
    this.#rejectFrom(frame, 0);
    if (frame.outer && !frame.outer.isOver) return;
    this.#endIteration(frame);
    const entry = this.beginEntry();
    this.kinds.startLoop(entry, loop);
    frame.entry = frame.iteration = entry;
    if (frame.hasWaited) this.#enter(frame);
    else frame.mustEnter = true;
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
    const span = this.#evaluating;
    const entry = span ? span.entry : this.#storage.getStore();
    return { span, entry: entry?.isOver ? undefined : entry };
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
    if (frame.iteration) this.#storage.enterWith(frame.iteration);
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
