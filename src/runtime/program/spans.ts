import type { Entry, EntrySite } from './entry.ts';

/** A wait that has begun: an await, or a call of a driver within it. */
export class Span {
  /** One of `CATEGORIES`, or of `PART`. */
  category: number;
  startMs: number;
  /** The entry that it belongs to, until that ends. */
  entry: Entry | undefined;
  /** The line that gets its time. */
  readonly line: EntrySite | undefined;
  /** Of a call of a driver, the await that waits for it. */
  readonly owner: Span | undefined;
  /** No await waits for it (any more), so it only explains what nothing else does. */
  isLoose = false;
  /** What of the entry's time it had, in milliseconds. */
  exclusiveMs = 0;
  /** Those that began before and after it, of the same list. */
  older: Span | undefined;
  newer: Span | undefined;

  constructor(
    category: number,
    startMs: number,
    entry: Entry | undefined,
    {
      line,
      owner,
    }: { readonly line?: EntrySite | undefined; readonly owner?: Span | undefined } = {},
  ) {
    this.category = category;
    this.startMs = startMs;
    this.entry = entry;
    this.line = line;
    this.owner = owner;
  }
}

/** Open spans in the order in which their awaits began; the last one is the innermost. */
export class OpenSpans {
  last: Span | undefined;

  /** A call of a driver comes directly after the await that waits for it: awaits that began since are within that one. */
  add(span: Span): void {
    const { owner } = span;
    let older = this.last;
    if (owner && owner.entry === span.entry && !span.isLoose) {
      older = owner;
      while (older.newer?.owner === owner) older = older.newer;
    }
    const newer = older?.newer;
    span.older = older;
    span.newer = newer;
    if (older) older.newer = span;
    if (newer) newer.older = span;
    else this.last = span;
  }

  remove(span: Span): void {
    const { older, newer } = span;
    if (older) older.newer = newer;
    if (newer) newer.older = older;
    else this.last = older;
    span.older = span.newer = undefined;
  }

  *[Symbol.iterator](): Generator<Span> {
    for (let it = this.last; it; it = it.older) yield it;
  }
}
