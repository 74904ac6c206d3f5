import { Histogram } from '../histogram.ts';
import { CATEGORIES, EVALUATING, GAP, PART } from '../parts.ts';
import type { PlannedSite } from '../plan.ts';
import type { Entry, EntrySite } from './entry.ts';
import type { Loops } from './passes.ts';
import { Span } from './spans.ts';

/** An await of the plan, and what was measured of it. */
export class SiteRecord {
  readonly id: number;
  readonly category: number;
  readonly depth: number;
  /** The number of the loop around it that begins entries; -1 for none. */
  readonly loop: number;
  readonly sleepMs: number | undefined;
  readonly run: PlannedSite['run'];
  readonly isRepeated: boolean;
  /** A synchronous call, which is no await: it computes, and nothing waits. */
  readonly isSync: boolean;
  /** The number of the first read of its run. */
  readonly firstOfRun: number;
  readonly time = new Histogram();
  rejected = 0;
  /** How often it ran without being measured. */
  unmeasured = 0;
  pool: Histogram | undefined;
  wire: Histogram | undefined;
  /** How many of its statements have made the database commit something. */
  commits = 0;
  /** By statement, how often it was sent. */
  statements: Map<string, number> | undefined;

  constructor(id: number, planned: PlannedSite, firsts: { site: number; source: number }) {
    this.id = id;
    this.category = CATEGORIES[planned.kind];
    this.depth = planned.depth;
    this.loop = planned.loop === undefined ? -1 : firsts.source + planned.loop;
    this.sleepMs = planned.sleepMs;
    this.run = planned.run;
    this.isRepeated = planned.isRepeated === true;
    this.isSync = planned.kind === 'blocking';
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
  /** Its awaits are only counted. */
  isPaused = false;

  /** Its loops that go on and whose passes are proved independent. */
  loops: Loops | undefined;

  /** The await that has called it. */
  readonly caller: SiteSpan | undefined;

  constructor(context: Context | undefined) {
    this.entry = this.outer = entryOf(context);
    if (!(context instanceof SiteSpan)) return;
    this.caller = context;
    context.running++;
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
  /** While its expression is evaluated in a context of its own: the context around it. */
  around: { readonly context: Context | undefined } | undefined;
  /** How many functions that it has called go on. */
  running = 0;
  isWaiting = false;
  isOver = false;

  constructor(
    site: SiteRecord,
    frame: Frame,
    { line, before }: { line: EntrySite | undefined; before: SiteSpan | undefined },
  ) {
    const isOpen = site.category === GAP || site.isSync;
    super(isOpen ? site.category : EVALUATING, 0, frame.entry, { line });
    this.site = site;
    this.frame = frame;
    this.below = frame.top;
    this.before = before;
  }
}

/** The caller that goes on, now that the function waits: those around the await are evaluated again after it. */
export function suspended(top: SiteSpan): SiteSpan | undefined {
  let caller: SiteSpan | undefined;
  for (let it: SiteSpan | undefined = top; it; it = it.below) {
    caller = it.before;
    it.before = undefined;
  }
  return caller;
}

/** What code runs for: an entry, or an await of one. */
export type Context = Entry | SiteSpan;

export function entryOf(context: Context | undefined): Entry | undefined {
  return context instanceof SiteSpan ? context.entry : context;
}

/** Whether a driver may send something for it. */
export function isOfDriver({ site: { category } }: SiteSpan): boolean {
  return category === PART.wire || category === PART.unexplained;
}
