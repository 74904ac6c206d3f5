import { Histogram } from '../histogram.ts';
import { CATEGORIES, PART } from '../parts.ts';
import type {
  AcquiringMethod,
  DriverClass,
  DriverPlan,
  End,
  MeasuredMethod,
  ReleasingMethod,
  SendingMethod,
} from '../plan.ts';
import type { RawDatabase, RawPool } from '../raw.ts';
import { Holds, PoolRecord } from './pools.ts';
import { Commits } from './commits.ts';
import type { Here, Recorder, Within } from './recorder.ts';
import { memberOf, sentBy, statementOf } from './sent.ts';
import { Span } from './spans.ts';
import { fingerprintOf } from './statement.ts';

type Method = (this: object, ...args: unknown[]) => unknown;

/** A database that a driver reaches. */
interface DatabaseRecord {
  readonly time: Histogram;
  rejected: number;
  /** Those that are only counted. */
  unmeasured: number;
  /** Of all statements. */
  commits: number;
}

/** Measures the calls of drivers, by wrapping the methods that the plan names. A call keeps its results and its errors. */
export class Drivers {
  readonly #recorder: Recorder;
  readonly #within: Within;
  readonly #holds: Holds;
  readonly #commits = new Commits();
  /** Wrappers of methods and of callbacks. */
  readonly #wrapped = new WeakSet<object>();
  /** What is or was sent, as far as its own methods end it: a driver may send it again. */
  readonly #sent = new WeakSet<object>();
  readonly #poolsIn = new Set<string>();
  readonly #madeAt = new WeakMap<object, number>();
  readonly #poolOf = new WeakMap<object, PoolRecord>();
  readonly #pools = new Map<string, PoolRecord>();
  readonly #databases = new Map<string, DatabaseRecord>();

  constructor(recorder: Recorder, within: Within) {
    this.#recorder = recorder;
    this.#within = within;
    this.#holds = new Holds(() => recorder.clock.now());
  }

  /** A pool was created at a place of the plan. */
  made<T>(place: number, pool: T): T {
    const inside = Array.from(this.#poolsIn, (name) => memberOf(pool, name));
    for (const it of [pool, ...inside]) {
      if (typeof it === 'object' && it !== null) this.#madeAt.set(it, place);
    }
    return pool;
  }

  /** Wraps what a module of a package exports; what it lacks is left out. */
  instrument(exported: unknown, plan: DriverPlan): void {
    if (plan.poolIn !== undefined) this.#poolsIn.add(plan.poolIn);
    for (const it of plan.classes) {
      const isWhole = it.export === 'default' && typeof exported === 'function';
      const own = isWhole ? exported : memberOf(exported, it.export);
      const prototype: unknown = typeof own === 'function' ? own.prototype : undefined;
      if (typeof prototype !== 'object' || prototype === null) continue;
      this.#recorder.followsWaits = true;
      for (const method of it.methods) this.#wrap(prototype, method, plan, it);
    }
  }

  plain(nowMs: number): {
    readonly pools: readonly RawPool[];
    readonly databases: readonly RawDatabase[];
  } {
    return {
      pools: Array.from(this.#pools.values(), (it) => it.plain(nowMs)),
      databases: Array.from(this.#databases)
        .filter(([, { time, unmeasured }]) => time.count + unmeasured > 0)
        .map(([driver, { time, ...counts }]) => ({ driver, ...counts, time: time.plain() })),
    };
  }

  #wrap(prototype: object, method: MeasuredMethod, plan: DriverPlan, of: DriverClass): void {
    // A subclass of the driver's own may inherit it.
    const owner = ownerOf(prototype, method.name);
    const descriptor = owner && Object.getOwnPropertyDescriptor(owner, method.name);
    const original: unknown = descriptor?.value;
    if (!owner || typeof original !== 'function' || !descriptor?.configurable) return;
    if (this.#wrapped.has(original)) return;
    const wrapper = this.#wrapper(original as Method, method, plan, of);
    for (const name of ['name', 'length'] as const) {
      Object.defineProperty(wrapper, name, { value: original[name], configurable: true });
    }
    this.#wrapped.add(wrapper);
    Object.defineProperty(owner, method.name, { ...descriptor, value: wrapper });
  }

  #wrapper(original: Method, method: MeasuredMethod, plan: DriverPlan, of: DriverClass): Method {
    switch (method.does) {
      case 'acquire':
        return this.#acquiring(original, method, plan, of);
      case 'release':
        return this.#releasing(original, method);
      case 'send':
        return this.#sending(original, method, plan);
    }
  }

  #acquiring(
    original: Method,
    { callback, releases }: AcquiringMethod,
    { driver }: DriverPlan,
    of: DriverClass,
  ): Method {
    return asMethod((owner, args) => {
      const at = callback?.at === 'last' ? args.length - 1 : (callback?.at ?? -1);
      const given = args[at];
      const isGiven = callback !== undefined && isCallback(given);
      // A pool may call itself for a callback that waits.
      if (isGiven && this.#wrapped.has(given)) return original.apply(owner, args);
      const here = this.#recorder.here();
      const pool = this.#recordOf(owner, driver, of);
      if (this.#isPaused(here)) {
        pool.unmeasured++;
        return original.apply(owner, args);
      }
      const span = this.#begin(PART.pool, here);
      pool.asked();
      const end = once((connection: unknown): void => {
        const ms = this.#end(span);
        pool.pending--;
        if (typeof connection !== 'object' || connection === null) return;
        const weight = here.entry?.weight;
        pool.wait.add(ms, weight);
        const site = here.span?.site;
        if (site) (site.pool ??= new Histogram()).add(ms, weight);
        const entry = here.entry?.isOver ? undefined : here.entry;
        this.#holds.begin(connection, pool, { entry, releases });
      });
      if (isGiven) {
        args[at] = this.#calling(given, here, (results) => {
          const connection = results[callback.connection];
          const release = releaseOf(connection, releases);
          end(connection);
          const isSame =
            callback.release !== undefined && results[callback.release] === release && release;
          if (isSame) results[callback.release] = releaseOf(connection, releases);
        });
      }
      return settled(() => original.apply(owner, args), end, isGiven);
    });
  }

  #releasing(original: Method, { connection }: ReleasingMethod): Method {
    return asMethod((owner, args) => {
      const released = args[connection];
      if (typeof released === 'object' && released !== null) this.#holds.of(released)?.release();
      return original.apply(owner, args);
    });
  }

  #sending(
    original: Method,
    { sent, ends, isOfPool }: SendingMethod,
    { driver, kind }: DriverPlan,
  ): Method {
    return asMethod((owner, args) => {
      const hold = this.#holds.of(owner);
      if (isOfPool && !hold) return original.apply(owner, args);
      const own = sentBy(sent, owner, args);
      const places = placesOf(ends, own, args);
      if (places.some((it) => it.of === own) && typeof own === 'object' && own !== null) {
        if (this.#sent.has(own)) return original.apply(owner, args);
        this.#sent.add(own);
      }
      const here = this.#recorder.here();
      const statement = statementOf(sent, owner, args);
      const database = this.#databaseOf(driver);
      // Where the object of the method is what is sent, its connection is not visible.
      const commits =
        sent.shape === 'text' &&
        sent.at !== 'this' &&
        statement !== undefined &&
        this.#commits.sends(owner, statement);
      if (!hold && this.#isPaused(here)) {
        database.unmeasured++;
        if (commits) database.commits++;
        return original.apply(owner, args);
      }
      const span = this.#begin(CATEGORIES[kind], here);
      hold?.begin();
      const end = once((_: unknown, outcome: Outcome): void => {
        const ms = this.#end(span);
        hold?.end();
        if (outcome === 'unseen') return;
        database.time.add(ms, here.entry?.weight);
        if (outcome === 'rejected') database.rejected++;
        const isCommit = commits && outcome === 'done';
        if (isCommit) database.commits++;
        this.#countAt(here, ms, { statement, commits: isCommit });
      });
      for (const { of, at, given, gets } of places) {
        of[at] = this.#calling(given, here, ([first]) => {
          const isError = gets === 'error' || (gets === 'error or result' && Boolean(first));
          end(undefined, isError ? 'rejected' : 'done');
        });
      }
      return settled(() => original.apply(owner, args), end, places.length > 0);
    });
  }

  /** In place of a callback of the driver: `before` sees, and may change, what it is called with. */
  #calling(given: Callback, here: Here, before: (results: unknown[]) => void): Method {
    const wrapper = asMethod((receiver, results) => {
      before(results);
      const run = (): unknown => given.apply(receiver, results) as unknown;
      return this.#recorder.runFor(here, run, this.#within);
    });
    this.#wrapped.add(wrapper);
    return wrapper;
  }

  #begin(part: number, { entry, span }: Here): Span {
    const begun = new Span(part, this.#recorder.clock.now(), entry, {
      line: entry && span?.line,
      owner: span,
    });
    begun.isLoose = span === undefined;
    this.#recorder.begin(begun);
    return begun;
  }

  /** In milliseconds. */
  #end(span: Span): number {
    const nowMs = this.#recorder.clock.now();
    this.#recorder.end(span, nowMs);
    return nowMs - span.startMs;
  }

  #recordOf(pool: object, driver: string, { size }: DriverClass): PoolRecord {
    const known = this.#poolOf.get(pool);
    if (known) return known;
    const made = this.#madeAt.get(pool);
    const own = size?.at.reduce<unknown>(memberOf, pool) ?? size?.otherwise;
    const number = typeof own === 'number' ? own : undefined;
    const key = `${driver} ${made} ${number}`;
    let record = this.#pools.get(key);
    if (!record) this.#pools.set(key, (record = new PoolRecord(driver, made, number)));
    this.#poolOf.set(pool, record);
    return record;
  }

  #isPaused({ span, entry }: Here): boolean {
    return !span && !entry && this.#recorder.isPaused();
  }

  #databaseOf(driver: string): DatabaseRecord {
    let record = this.#databases.get(driver);
    if (!record) {
      record = { time: new Histogram(), rejected: 0, unmeasured: 0, commits: 0 };
      this.#databases.set(driver, record);
    }
    return record;
  }

  #countAt({ span, entry }: Here, ms: number, { statement, commits }: Sending): void {
    if (!span) return;
    (span.site.wire ??= new Histogram()).add(ms, entry?.weight);
    if (commits) span.site.commits++;
    if (statement === undefined) return;
    const fingerprint = fingerprintOf(statement);
    span.site.countStatement(fingerprint);
    if (!entry || !span.line) return;
    const statements = (span.line.statements ??= new Map());
    statements.set(fingerprint, (statements.get(fingerprint) ?? 0) + 1);
  }
}

type Callback = (this: unknown, ...results: unknown[]) => unknown;

function isCallback(it: unknown): it is Callback {
  return typeof it === 'function';
}

/** A function that passes its `this` on as an argument. */
function asMethod(call: (receiver: object, args: unknown[]) => unknown): Method {
  return function (...args) {
    return call(this, args);
  };
}

function once<A extends unknown[]>(run: (...args: A) => void): (...args: A) => void {
  let isDone = false;
  return (...args) => {
    if (isDone) return;
    isDone = true;
    run(...args);
  };
}

/** A function that the driver calls at the end, and where it finds it. */
interface EndPlace {
  readonly of: Record<string | number, unknown>;
  readonly at: string | number;
  readonly given: Callback;
  readonly gets: End['gets'];
}

function placesOf(ends: readonly End[], own: unknown, args: unknown[]): readonly EndPlace[] {
  return ends.flatMap((end) => {
    const isMethod = 'method' in end;
    const of = (isMethod ? own : args) as EndPlace['of'];
    const at = isMethod ? end.method : end.argument === 'last' ? args.length - 1 : end.argument;
    const given = memberOf(of, at);
    return isCallback(given) ? [{ of, at, given, gets: end.gets }] : [];
  });
}

interface Sending {
  readonly statement: string | undefined;
  /** The database commits something with it. */
  readonly commits: boolean;
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
    end(undefined, 'rejected');
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

function releaseOf(connection: unknown, releases: readonly string[]): unknown {
  return releases[0] === undefined ? undefined : memberOf(connection, releases[0]);
}

function ownerOf(prototype: object, name: string): object | undefined {
  for (let it: object | null = prototype; it; it = Object.getPrototypeOf(it) as object | null) {
    if (Object.hasOwn(it, name)) return it;
  }
  return undefined;
}
