import { Histogram } from '../histogram.ts';
import type { DriverClass, DriverMethod, DriverPlan } from '../plan.ts';
import type { RawDatabase, RawPool } from '../raw.ts';
import type { Entry } from './entry.ts';
import { PART } from '../parts.ts';
import type { Here, Recorder } from './recorder.ts';
import { Span } from './spans.ts';
import { fingerprintOf } from './statement.ts';

type Method = (this: object, ...args: unknown[]) => unknown;
type Within = <T>(entry: Entry, run: () => T) => T;

/** A connection that is checked out. */
interface Hold {
  readonly pool: PoolRecord;
  readonly sinceMs: number;
  readonly entry: Entry | undefined;
  /** How long statements ran on it. */
  busyMs: number;
  /** The statements that run on it. */
  running: number;
}

/** All pools that one place creates. */
class PoolRecord {
  readonly driver: string;
  readonly made: number | undefined;
  readonly size: number | undefined;
  readonly wait = new Histogram();
  readonly hold = new Histogram();
  readonly holds = new Set<Hold>();
  /** Calls without their connection. */
  pending = 0;
  mostWaiting = 0;
  mostHeld = 0;
  idleHoldMs = 0;

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
    const { driver, made, size, holds, idleHoldMs, mostHeld, mostWaiting } = this;
    return {
      ...{ driver, mostHeld, mostWaiting, idleHoldMs, open: holds.size },
      ...(made !== undefined && { made }),
      ...(size !== undefined && { size }),
      ...{ wait: this.wait.plain(), hold: this.hold.plain() },
      oldestOpenMs: Math.max(0, ...Array.from(holds, (it) => nowMs - it.sinceMs)),
    };
  }
}

/** A database that a driver reaches. */
interface DatabaseRecord {
  readonly time: Histogram;
  rejected: number;
}

/** Measures the calls of drivers, by wrapping the methods that the plan names. A call keeps its results and its errors. */
export class Drivers {
  readonly #recorder: Recorder;
  readonly #within: Within;
  readonly #wrapped = new WeakSet<object>();
  readonly #madeAt = new WeakMap<object, number>();
  readonly #poolOf = new WeakMap<object, PoolRecord>();
  readonly #pools = new Map<string, PoolRecord>();
  readonly #holds = new WeakMap<object, Hold>();
  readonly #databases = new Map<string, DatabaseRecord>();

  constructor(recorder: Recorder, within: Within) {
    this.#recorder = recorder;
    this.#within = within;
  }

  /** A pool was created at a place of the plan. */
  made<T>(place: number, pool: T): T {
    if (typeof pool === 'object' && pool !== null) this.#madeAt.set(pool, place);
    return pool;
  }

  /** Wraps what a package exports; what it lacks is left out. */
  instrument(exported: unknown, { driver, classes }: DriverPlan): void {
    for (const it of classes) {
      const own = it.export === 'default' ? exported : memberOf(exported, it.export);
      const prototype: unknown = typeof own === 'function' ? own.prototype : undefined;
      for (const method of it.methods) {
        if (typeof prototype === 'object' && prototype !== null)
          this.#wrap(prototype, method, driver, it);
      }
    }
  }

  plain(nowMs: number): {
    readonly pools: readonly RawPool[];
    readonly databases: readonly RawDatabase[];
  } {
    return {
      pools: Array.from(this.#pools.values(), (it) => it.plain(nowMs)),
      databases: Array.from(this.#databases, ([driver, { rejected, time }]) => ({
        ...{ driver, rejected, time: time.plain() },
      })),
    };
  }

  #wrap(prototype: object, method: DriverMethod, driver: string, of: DriverClass): void {
    // A subclass of the driver's own may inherit it.
    const owner = ownerOf(prototype, method.name);
    const descriptor = owner && Object.getOwnPropertyDescriptor(owner, method.name);
    const original: unknown = descriptor?.value;
    if (!owner || typeof original !== 'function' || !descriptor?.configurable) return;
    if (this.#wrapped.has(original)) return;
    const wrapper =
      method.does === 'acquire'
        ? this.#acquiring(original as Method, method, driver, of)
        : this.#sending(original as Method, method, driver);
    for (const name of ['name', 'length'] as const) {
      Object.defineProperty(wrapper, name, { value: original[name], configurable: true });
    }
    this.#wrapped.add(wrapper);
    Object.defineProperty(owner, method.name, { ...descriptor, value: wrapper });
  }

  #acquiring(
    original: Method,
    { callback, releases }: Extract<DriverMethod, { does: 'acquire' }>,
    driver: string,
    of: DriverClass,
  ): Method {
    const call = (owner: object, args: unknown[]): unknown => {
      const here = this.#recorder.here();
      const pool = this.#recordOf(owner, driver, of);
      const span = this.#begin(PART.pool, here);
      pool.asked();
      const end = (connection: unknown): void => {
        const ms = this.#end(span);
        pool.pending--;
        if (typeof connection !== 'object' || connection === null) return;
        pool.wait.add(ms);
        const site = here.span?.site;
        if (site) (site.pool ??= new Histogram()).add(ms);
        this.#hold(connection, pool, here, releases);
      };
      const at = callback?.at === 'last' ? args.length - 1 : (callback?.at ?? -1);
      const given = args[at];
      if (callback && typeof given === 'function') {
        args[at] = asMethod((receiver, results) => {
          const connection = results[callback.connection];
          const release = releaseOf(connection, releases);
          end(connection);
          const isSame =
            callback.release !== undefined && results[callback.release] === release && release;
          if (isSame) results[callback.release] = releaseOf(connection, releases);
          return this.#for(here, () => given.apply(receiver, results) as unknown);
        });
      }
      return settled(() => original.apply(owner, args), end, typeof given === 'function');
    };
    return asMethod(call);
  }

  #sending(
    original: Method,
    { statement, text }: Extract<DriverMethod, { does: 'statement' }>,
    driver: string,
  ): Method {
    const call = (owner: object, args: unknown[]): unknown => {
      const here = this.#recorder.here();
      const span = this.#begin(PART.wire, here);
      const hold = this.#holds.get(owner);
      if (hold) this.#run(hold, 1, span.startMs);
      const end = (_: unknown, outcome: Outcome): void => {
        const ms = this.#end(span);
        if (hold) this.#run(hold, -1, span.startMs + ms);
        if (outcome === 'unseen') return;
        if (hold) hold.busyMs += ms;
        this.#count(driver, ms, outcome);
        this.#countAt(here, ms, textOf(args[statement], text));
      };
      const at = args.length - 1;
      const given = args[at];
      if (typeof given === 'function') {
        args[at] = asMethod((receiver, results) => {
          end(undefined, results[0] ? 'rejected' : 'done');
          return this.#for(here, () => given.apply(receiver, results) as unknown);
        });
      }
      return settled(() => original.apply(owner, args), end, typeof given === 'function');
    };
    return asMethod(call);
  }

  #for<T>(here: Here, run: () => T): T {
    return this.#recorder.runFor(here, run, this.#within);
  }

  #begin(part: number, { entry, span }: Here): Span {
    const owner = span?.isOver ? undefined : span;
    const line = entry && owner?.line;
    const begun = new Span(part, this.#recorder.clock.now(), entry, { line, owner });
    begun.isLoose = owner === undefined;
    this.#recorder.begin(begun);
    return begun;
  }

  /** In milliseconds. */
  #end(span: Span): number {
    const nowMs = this.#recorder.clock.now();
    this.#recorder.end(span, nowMs);
    return nowMs - span.startMs;
  }

  #recordOf(pool: object, driver: string, { pool: facts }: DriverClass): PoolRecord {
    const known = this.#poolOf.get(pool);
    if (known) return known;
    const made = this.#madeAt.get(pool);
    const options = facts && memberOf(pool, facts.options);
    const size = facts && (memberOf(options, facts.size) ?? facts.defaultSize);
    const number = typeof size === 'number' ? size : undefined;
    const key = `${driver} ${made} ${number}`;
    let record = this.#pools.get(key);
    if (!record) this.#pools.set(key, (record = new PoolRecord(driver, made, number)));
    this.#poolOf.set(pool, record);
    return record;
  }

  /** A driver puts the method that releases a connection on the connection itself, again for each checkout. */
  #hold(connection: object, pool: PoolRecord, here: Here, releases: readonly string[]): void {
    const { clock } = this.#recorder;
    const nowMs = clock.now();
    const entry = here.entry?.isOver ? undefined : here.entry;
    const hold: Hold = { pool, sinceMs: nowMs, entry, busyMs: 0, running: 0 };
    this.#holds.set(connection, hold);
    pool.holds.add(hold);
    pool.mostHeld = Math.max(pool.mostHeld, pool.holds.size);
    entry?.hold(1, nowMs);
    const release = () => {
      if (!pool.holds.delete(hold)) return;
      const endMs = clock.now();
      const ms = endMs - hold.sinceMs;
      pool.hold.add(ms);
      pool.idleHoldMs += Math.max(0, ms - hold.busyMs);
      if (hold.running === 0 && entry && !entry.isOver) entry.hold(-1, endMs);
    };
    for (const name of releases) {
      const original: unknown = Object.getOwnPropertyDescriptor(connection, name)?.value;
      if (typeof original !== 'function') continue;
      (connection as Record<string, unknown>)[name] = function (this: unknown, ...args: unknown[]) {
        release();
        return original.apply(this, args) as unknown;
      };
    }
  }

  /** A statement starts (1) or ends (-1) on a connection: meanwhile, that is not held without a use. */
  #run(hold: Hold, change: 1 | -1, nowMs: number): void {
    const { pool, entry } = hold;
    const before = hold.running;
    hold.running += change;
    if (before + hold.running !== 1 || !pool.holds.has(hold)) return;
    if (entry && !entry.isOver) entry.hold(change === 1 ? -1 : 1, nowMs);
  }

  #count(driver: string, ms: number, outcome: Outcome): void {
    let record = this.#databases.get(driver);
    if (!record) this.#databases.set(driver, (record = { time: new Histogram(), rejected: 0 }));
    record.time.add(ms);
    if (outcome === 'rejected') record.rejected++;
  }

  #countAt({ span, entry }: Here, ms: number, statement: string | undefined): void {
    if (!span) return;
    (span.site.wire ??= new Histogram()).add(ms);
    if (statement === undefined) return;
    const fingerprint = fingerprintOf(statement);
    span.site.countStatement(fingerprint);
    if (!entry || !span.line) return;
    const statements = (span.line.statements ??= new Map());
    statements.set(fingerprint, (statements.get(fingerprint) ?? 0) + 1);
  }
}

/** A function that passes its `this` on as an argument. */
function asMethod(call: (receiver: object, args: unknown[]) => unknown): Method {
  return function (...args) {
    return call(this, args);
  };
}

/** `unseen`: the driver answers in a way that is not measured. */
type Outcome = 'done' | 'rejected' | 'unseen';

/** The result of the call; `end` is called once it is settled, unless a callback does that. */
function settled(
  call: () => unknown,
  end: (value: unknown, outcome: Outcome) => void,
  hasCallback: boolean,
): unknown {
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    // With a callback, it may have been called before.
    if (!hasCallback) end(undefined, 'rejected');
    throw error;
  }
  if (hasCallback) return result;
  if (!(result instanceof Promise)) {
    end(undefined, 'unseen');
    return result;
  }
  // Its user awaits this one, so an unhandled rejection stays one.
  return result.then(
    (value: unknown) => {
      end(value, 'done');
      return value;
    },
    (error: unknown) => {
      end(undefined, 'rejected');
      throw error;
    },
  );
}

function textOf(argument: unknown, property: string): string | undefined {
  const text = typeof argument === 'object' ? memberOf(argument, property) : argument;
  return typeof text === 'string' ? text : undefined;
}

function releaseOf(connection: unknown, releases: readonly string[]): unknown {
  return releases[0] === undefined ? undefined : memberOf(connection, releases[0]);
}

function memberOf(owner: unknown, name: string): unknown {
  const isObject = (typeof owner === 'object' && owner !== null) || typeof owner === 'function';
  return isObject ? (owner as Readonly<Record<string, unknown>>)[name] : undefined;
}

function ownerOf(prototype: object, name: string): object | undefined {
  for (let it: object | null = prototype; it; it = Object.getPrototypeOf(it) as object | null) {
    if (Object.hasOwn(it, name)) return it;
  }
  return undefined;
}
