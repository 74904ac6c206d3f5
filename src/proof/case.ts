import type { Evidence } from '../../rules/define-rule.ts';
import type { RuleId } from '../../rules/index.ts';
import type { Outcome, ParameterValue, PredictionUnit, Tolerance, Unit } from './result.ts';

/** The code before and after the fix of one rule, or of one variant where the shapes differ. */
export interface BenchmarkCase<E extends Evidence = Evidence> {
  readonly ruleId: RuleId;
  /** Unique within the rule. */
  readonly variant: string;
  /** One line: "A worker that sleeps after each job". */
  readonly title: string;
  /** Of a case that counts, what it counts: "jobs that deadlock". */
  readonly counts?: string;
  readonly needs: Needs;
  readonly parameters: readonly ParameterSpec[];
  /**
   * The parameters in the evidence; undefined for evidence of a different variant. The evidence states of each where it comes
   * from: rules/origins.ts.
   */
  parametersOf(evidence: E): Partial<Values> | undefined;
  /** The closed form; undefined where there is none. Pure and fast: reports also evaluate it at values without a run. */
  predict?(parameters: Values, machine: MachineValues): Prediction | undefined;
  /** The numeric parameter that makes the argument when it is plotted: n, users, sleepMs. */
  readonly scalesWith?: string;
  /** Sentences about conclusions that the numbers do not support. */
  readonly doesNotShow: readonly string[];
  /**
   * Opens what both arms need, in the benchmark's own process. Load drivers in here with `import()`, because command lines
   * read this file too. Rejects with `MissingComponent` where something is not installed.
   */
  setUp(context: SetUpContext): Promise<SetUp>;
}

export interface Needs {
  /** Databases on which it runs, the preferred one first; absent when it needs none. */
  readonly databases?: readonly DatabaseKind[];
  /** Whether the simulated server shows the effect honestly; if not, it takes a real one. */
  readonly stub?: boolean;
  /** What it creates there, which the user of a server sees first: tables in its own schema, or a role. */
  readonly makes?: Making;
}

export type Making = 'tables' | 'role';

export type DatabaseKind = 'postgres' | 'mysql';

/** Values by parameter name; `setUp` and `predict` get one for each specification. */
export type Values = Readonly<Record<string, ParameterValue>>;

interface SpecBase {
  readonly name: string;
  readonly unit: Unit;
  /** What it means, for people: "how long the loop sleeps after a job". */
  readonly description: string;
  /**
   * `default` is a library's own, with the version it was read in; `assumed` is ours; `suggested` is ours, too, and what the
   * fix uses.
   */
  readonly source:
    | { readonly kind: 'default'; readonly verified: string }
    | { readonly kind: 'assumed' | 'suggested' };
}

export interface NumberSpec extends SpecBase {
  readonly unit: 'ms' | 'count' | 'share' | 'bytes';
  readonly default: number;
  readonly min: number;
  readonly max: number;
  /** The most that fits a run of five seconds; a larger value of the code is reduced to this, and the result notes that. */
  readonly longest?: number;
}

export interface WordSpec extends SpecBase {
  readonly unit: 'word';
  readonly default: string;
  readonly words: readonly string[];
}

export type ParameterSpec = NumberSpec | WordSpec;

/**
 * The measurements of this machine in between the slices, on average; the closed forms start from them. Each without the times
 * that the case's parameters set: a closed form adds those, so that it also holds where a parameter has a different value.
 */
export interface MachineValues {
  readonly cores: number;
  /** The case's own query. */
  readonly queryMs?: number;
  /** A query without work, from this process to the server and back. */
  readonly roundTripMs?: number;
  /** An HTTP request to a service that answers immediately. */
  readonly requestMs?: number;
  /** The time of a sleep on the server beyond the requested time and the round trip. */
  readonly serverLateMs?: number;
  /** How much later than asked a timer of Node.js fires. */
  readonly timerLateMs?: number;
  /** The time of the first query after a pause beyond that of the next ones. */
  readonly resumeMs?: number;
  readonly connectMs?: number;
  /** Round trips of opening and closing a connection: as many times a network adds its own. */
  readonly connectTrips?: number;
  readonly fsyncMs?: number;
  /** A turn of the event loop by setImmediate. */
  readonly loopTurnMs?: number;
  /** One piece of the case's work by itself. */
  readonly workMs?: number;
  /** What each further concurrent piece of work adds, until the last one is done: they share cores. */
  readonly besideMs?: number;
}

export interface Prediction {
  /** With the parameters' names: "queryMs + share · sleepMs". */
  readonly formula: string;
  readonly unit: PredictionUnit;
  readonly flagged: number;
  readonly mended: number;
  readonly tolerance?: Tolerance;
}

export interface SetUpContext {
  /** One value for each specification, checked against it. */
  readonly parameters: Values;
  /** Rejects with `MissingComponent` when there is none of the kinds that the case needs. */
  database(): Promise<DatabaseAccess>;
  readonly trace: Trace;
  /** Aborted when the run is over, for any reason. */
  readonly signal: AbortSignal;
}

/** The interface of a server for a case; `src/proof/servers` implements it. */
export interface DatabaseAccess {
  readonly kind: DatabaseKind;
  readonly url: string;
  /** "PostgreSQL 18.4 (embedded)". */
  readonly label: string;
  readonly origin: 'embedded' | 'path' | 'url' | 'stub';
  /** The limits on a server of the user's; absent on one of ours. */
  readonly loan?: Loan;
  /**
   * The same server behind a proxy that holds every message back; the round trip in milliseconds, 0 to count only. It does
   * not delay the TCP handshake. `traffic` is exact: connections and round trips since the proxy was opened.
   */
  delayed(roundTripMs: number): Promise<{
    readonly url: string;
    traffic(): Promise<{ readonly connections: number; readonly roundTrips: number }>;
    close(): Promise<void>;
  }>;
  /**
   * Running totals of the server, by name; a total that it does not keep is absent. Exact when all open connections that did
   * the work are passed in: a backend reports its counters on request, or when it ends.
   */
  counters(connections?: readonly Countable[]): Promise<Readonly<Record<string, number>>>;
}

/** The limits of a run on a server that others use, too. */
export interface Loan {
  /** The name of the created schema and role. */
  readonly name: string;
  /** The schema for tables; throws `MissingComponent` where this user may make none. */
  schema(): string;
  /** Before the first connection: looks how many are free. Rejects with `MissingComponent` where others are at work. */
  begin(): Promise<void>;
  /** Throws `MissingComponent` where that many connections more are not to be had. */
  take(connections: number): void;
  giveBack(connections: number): void;
  /** A connection has failed: where the server has none left, the run has no result. */
  note(error: unknown): void;
  /** Throws `MissingComponent` where a connection was refused, by us or by the server. */
  assertKept(): void;
  /** Rejects with `MissingComponent` where others are at work. */
  assertQuiet(): Promise<void>;
}

/** A connection that can be asked to hand in its counts: a client of `pg`, a connection of `mysql2`. */
export interface Countable {
  query(text: string): Promise<unknown>;
}

/** Records the timeline of one run; while nothing is recorded it only calls `work`. */
export interface Trace {
  call<T>(label: string, work: () => Promise<T>): Promise<T>;
  /** Waiting that the fix removes: a sleep, a turn, a checkout. */
  dead<T>(label: string, work: () => Promise<T>): Promise<T>;
  /** From now on `label`'s next call could run: until it starts, its line is dead time. */
  ready(label: string): void;
}

/** Ready to run. Every arm must bear being run again and again, and being run on both sides. */
export type SetUp = (LatencySetUp | LoadSetUp | VictimSetUp | CountSetUp) & {
  /**
   * Measured in this process for `predict`. Called in between the slices, or before and after a load: neither a disk nor a
   * core is as fast in one second as in the next.
   */
  measure?(): Promise<Partial<MachineValues>>;
  close(): Promise<void>;
};

/** Sequential iterations, in turns of equal time for both arms. */
export interface LatencySetUp {
  readonly kind: 'latency';
  readonly flagged: Arm;
  readonly mended: Arm;
}

export interface Arm {
  /** A phrase about this side: "sleeps 20 ms after each job". */
  readonly label: string;
  /**
   * Runs ONE iteration, the `i`th since the set-up; branches go by `i`, never by chance. Returns undefined where nothing was
   * awaited, so that the harness adds no await of its own.
   */
  iteration(i: number): Promise<unknown> | undefined;
  /** How many iterations make one sample (1): a whole period of the branches, or many where one takes microseconds. */
  readonly iterationsPerSample?: number;
  /** Running totals, by name, read around a pass of `countedIterations`: round trips, loop turns, fsyncs. */
  counters?(): Promise<Readonly<Record<string, number>>>;
  /** Iterations of the counted pass (50). */
  readonly countedIterations?: number;
  /** Iterations of the timeline (1); under load they start together. */
  readonly tracedIterations?: number;
}

/** A closed loop of users, for capacity: `iteration(i)` is one request, and a user thinks before the next. */
export interface LoadSetUp {
  readonly kind: 'load';
  readonly flagged: LoadArm;
  readonly mended: LoadArm;
  readonly users: number;
  readonly thinkMs: number;
  /** The longest time of one request without others: it cuts off ramp and drain. */
  readonly requestMs: number;
}

export interface LoadArm extends Omit<Arm, 'iterationsPerSample'> {
  /** Sampled while the load runs: `{ waiting: pool.waitingCount }`. */
  gauges?(): Readonly<Record<string, number>>;
}

/** Work that may starve other work: the result is how long a concurrent, unrelated call takes. */
export interface VictimSetUp {
  readonly kind: 'victim';
  readonly flagged: Arm;
  readonly mended: Arm;
  /** Started every `everyMs`, whether or not the last one is done, and timed from when it should have started. */
  readonly victim: {
    readonly label: string;
    readonly everyMs: number;
    call(): Promise<unknown>;
  };
}

/** Nothing to time: the result is a count. */
export interface CountSetUp {
  readonly kind: 'count';
  readonly flagged: CountArm;
  readonly mended: CountArm;
}

export interface CountArm {
  /** A phrase about this side: "releases only when the query succeeds". */
  readonly label: string;
  /** From a fresh start, however often it is called; ends by itself within `signal`'s life. */
  run(): Promise<Omit<Outcome, 'label' | 'of'>>;
}

/** A component is not installed or cannot run here: the result is `unavailable`, not a failure. */
export class MissingComponent extends Error {
  readonly needs: readonly { readonly what: string; readonly command?: string }[];

  constructor(needs: readonly { readonly what: string; readonly command?: string }[]) {
    super(needs.map(({ what }) => what).join('; '));
    this.name = 'MissingComponent';
    this.needs = needs;
  }
}
