import { Histogram } from '../histogram.ts';
import type { RawPool } from '../raw.ts';
import type { Entry } from './entry.ts';

/** A connection that is checked out. */
class Hold {
  readonly pool: PoolRecord;
  readonly sinceMs: number;
  readonly #now: () => number;
  readonly #entry: Entry | undefined;
  readonly #restore: () => void;
  /** Statements without an answer, since when there are some, and how long there were some before. */
  #sent = 0;
  #sentSinceMs = 0;
  #busyMs = 0;

  constructor(
    pool: PoolRecord,
    now: () => number,
    { entry, restore }: { entry: Entry | undefined; restore: () => void },
  ) {
    this.pool = pool;
    this.sinceMs = now();
    this.#now = now;
    this.#entry = entry;
    this.#restore = restore;
    pool.holds.add(this);
    pool.mostHeld = Math.max(pool.mostHeld, pool.holds.size);
    entry?.hold(1, this.sinceMs);
  }

  /** A statement is sent on it. */
  begin(): void {
    if (this.#sent++ > 0) return;
    this.#sentSinceMs = this.#now();
    this.#hold(-1, this.#sentSinceMs);
  }

  /** A statement has its answer. */
  end(): void {
    if (--this.#sent > 0) return;
    const nowMs = this.#now();
    this.#busyMs += nowMs - this.#sentSinceMs;
    this.#hold(1, nowMs);
  }

  /** Called again, it does nothing. */
  release(): void {
    const { pool } = this;
    if (!pool.holds.has(this)) return;
    this.#restore();
    const nowMs = this.#now();
    if (this.#sent === 0) this.#hold(-1, nowMs);
    pool.holds.delete(this);
    const ms = nowMs - this.sinceMs;
    // A driver may release a connection before it hands on the last answer.
    const busyMs = this.#busyMs + (this.#sent > 0 ? nowMs - this.#sentSinceMs : 0);
    pool.hold.add(ms, this.#entry?.weight);
    pool.idleHold.add(Math.max(0, ms - busyMs), this.#entry?.weight);
  }

  /** Without a statement, its entry holds it idle from now on (1), or no longer (-1). */
  #hold(change: 1 | -1, nowMs: number): void {
    if (this.#entry && !this.#entry.isOver && this.pool.holds.has(this))
      this.#entry.hold(change, nowMs);
  }
}

/** All pools that one place creates. */
export class PoolRecord {
  readonly driver: string;
  readonly made: number | undefined;
  readonly size: number | undefined;
  readonly wait = new Histogram();
  readonly hold = new Histogram();
  /** Of `hold`, without a statement. */
  readonly idleHold = new Histogram();
  readonly holds = new Set<Hold>();
  /** Calls without their connection. */
  pending = 0;
  mostWaiting = 0;
  mostHeld = 0;
  /** Calls that are only counted. */
  unmeasured = 0;

  constructor(driver: string, made: number | undefined, size: number | undefined) {
    this.driver = driver;
    this.made = made;
    this.size = size;
  }

  /** A call for a connection: it waits for a release where all are held, and else at most for a new connection. */
  asked(): void {
    this.pending++;
    const free = (this.size ?? Infinity) - this.holds.size;
    this.mostWaiting = Math.max(this.mostWaiting, this.pending - free);
  }

  plain(nowMs: number): RawPool {
    const { driver, made, size, holds, idleHold, mostHeld, mostWaiting, unmeasured } = this;
    return {
      ...{ driver, mostHeld, mostWaiting, unmeasured, open: holds.size },
      idleHoldMs: idleHold.plain().totalMs,
      ...(made !== undefined && { made }),
      ...(size !== undefined && { size }),
      ...{ wait: this.wait.plain(), hold: this.hold.plain() },
      oldestOpenMs: Math.max(0, ...Array.from(holds, (it) => nowMs - it.sinceMs)),
    };
  }
}

/** The connections that are checked out. */
export class Holds {
  readonly #now: () => number;
  readonly #holds = new WeakMap<object, Hold>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Of a connection that is checked out now. */
  of(connection: object): Hold | undefined {
    const hold = this.#holds.get(connection);
    return hold?.pool.holds.has(hold) ? hold : undefined;
  }

  /** `releases`: the methods on the connection itself that release it. */
  begin(
    connection: object,
    pool: PoolRecord,
    { entry, releases }: { entry: Entry | undefined; releases: readonly string[] },
  ): void {
    // A pool that lends a connection again has it back.
    this.of(connection)?.release();
    const restore = replaceOwn(connection, releases, () => hold.release());
    const hold = new Hold(pool, this.#now, { entry, restore });
    this.#holds.set(connection, hold);
  }
}

/** Has `before` called by methods of the object itself; the result puts them back. */
function replaceOwn(owner: object, names: readonly string[], before: () => void): () => void {
  const methods = owner as Record<string, unknown>;
  const replaced = names.flatMap((name) => {
    const original: unknown = Object.getOwnPropertyDescriptor(owner, name)?.value;
    if (typeof original !== 'function') return [];
    const wrapper = function (this: unknown, ...args: unknown[]): unknown {
      before();
      return original.apply(this, args) as unknown;
    };
    methods[name] = wrapper;
    return [{ name, original, wrapper }];
  });
  return () => {
    for (const { name, original, wrapper } of replaced) {
      if (methods[name] === wrapper) methods[name] = original;
    }
  };
}
