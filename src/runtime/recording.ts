/**
 * What `.deadtime/run.json` holds: the measured waits of one run of a program. Everything is measured, in milliseconds of wall time,
 * unless a field states otherwise. It contains no values: of statements, texts without their literals.
 */
export interface Recording {
  /** A reader that finds a different number does not read the rest. */
  readonly format: typeof RECORDING_FORMAT;
  /** The program as it was started, without the values of its arguments after the file: `node server.js`. */
  readonly program: string;
  /** Of Node.js, without the `v`. */
  readonly node: string;
  /** When the first process started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** From the start of the first process to the end of the recording. */
  readonly durationMs: number;
  /** Processes with at least one recorded entry or site. */
  readonly processes: number;
  /** Those with most wall time come first. */
  readonly entries: readonly EntryKind[];
  /** Every line that ran at least once, or that is still open; those with most exclusive time come first. */
  readonly sites: readonly Site[];
  readonly pools: readonly Pool[];
  readonly databases: readonly Database[];
  /** Of requests, where connections of clients had more than one. */
  readonly clients?: Clients;
  readonly eventLoop: EventLoop;
  /** How long a small task, which is sent every 50 ms, waited for a thread of libuv's pool while the event loop was idle. */
  readonly threadPool: Distribution;
  /** Files of the program that ran without probes, and why. */
  readonly leftAlone: readonly LeftAlone[];
  /** Those that ran with probes: a reader finds by them what a finding has cost, also after an edit. */
  readonly files: readonly RecordedFile[];
}

export const RECORDING_FORMAT = 1;

/**
 * The times of all runs of one kind of entry: the requests of a route, the iterations of a worker's loop, the jobs of a consumer, the
 * runs of a schedule, or a test.
 */
export interface EntryKind {
  readonly kind: 'http' | SourceKind;
  /**
   * `GET /orders/:id`; of a worker, the name of the function around the loop; of a job or a schedule, that of the function, or else the
   * queue or the time; of a test, its file and its title: `orders.test.ts › lists orders`.
   */
  readonly name: string;
  /** Where the loop or the function starts; of `http`, absent. */
  readonly at?: Place;
  /** Those that ended and were measured. */
  readonly count: number;
  /** Those that were only counted, because more came than 200 a second; absent where all were measured. */
  readonly unmeasured?: number;
  /** Those that ended because the client closed the connection; not part of `count`. */
  readonly aborted: number;
  /** Those without an end when the recording ended; not part of `count`. */
  readonly open: number;
  /** From the start of the first that ended to the end of the last. */
  readonly spanMs: number;
  /** How long at least one of them was open; of several processes, the most. */
  readonly busyMs: number;
  /** Of those that were measured. Where others were only counted, its mean and quantiles, and all that follows here, represent those, too. */
  readonly time: Distribution;
  /** The same runs in the order of their ends, which shows how much their mean varies; those of several processes follow each other. */
  readonly slices: readonly Slice[];
  /** The sums over all measured runs; together they are `time.totalMs`. */
  readonly parts: Parts;
  /** The lines that ran in these entries; those with most exclusive time come first. */
  readonly sites: readonly EntrySite[];
}

/** How often, with and without being measured. */
export function timesOf({
  count,
  unmeasured = 0,
}: Pick<EntryKind, 'count' | 'unmeasured'>): number {
  return count + unmeasured;
}

/** How often all of these were only counted; empty where they never were. */
export function unmeasuredIn(of: readonly Pick<EntryKind, 'unmeasured'>[]): {
  readonly unmeasured?: number;
} {
  const unmeasured = of.reduce((sum, it) => sum + (it.unmeasured ?? 0), 0);
  return unmeasured > 0 ? { unmeasured } : {};
}

/** The sums over runs that ended successively. */
export interface Slice {
  readonly count: number;
  readonly totalMs: number;
  /** The dead time of them: asleep, waiting for a connection, in sequence and late timers. */
  readonly deadMs: number;
}

/**
 * What entries other than requests come from: `worker` a loop that runs until the program ends; `job` a consumer of a queue or of
 * messages; `schedule` a timer or a time of day; `test` a test runner.
 */
export type SourceKind = 'worker' | 'job' | 'schedule' | 'test';

/**
 * The wall time of an entry, split without overlap: at each moment the innermost open probe has it, so calls that run concurrently
 * share their union. In milliseconds.
 */
export interface Parts {
  /** In a pause whose time the code chooses. */
  readonly asleepMs: number;
  /** Waiting for a connection of a pool. */
  readonly poolMs: number;
  /** Waiting for the answer of a database, a server or another service. */
  readonly wireMs: number;
  /** Waiting for anything but the database while a connection of a pool is checked out and runs no statement. */
  readonly heldMs: number;
  /** Of reads and passes of loops that are proved independent, what they waited on the wire for longer than together. */
  readonly inSequenceMs: number;
  /** Timers that fired more than 1 ms late because the event loop was busy, and turns of it that the code yields. */
  readonly lagMs: number;
  /** Waiting for work of libuv's thread pool: files, compression, hashing. */
  readonly threadPoolMs: number;
  /** Between two probes without a turn of the event loop in which it was idle or ran other entries. */
  readonly computingMs: number;
  /** The rest: waits without a probe, and waits that the analysis does not resolve. */
  readonly unexplainedMs: number;
}

/** What one line did within the entries of one kind. */
export interface EntrySite {
  /** The place in `Recording.sites`. */
  readonly site: number;
  /** How often it ran. */
  readonly count: number;
  /** The most often that it ran in one entry. */
  readonly most: number;
  /** In how many of the entries it ran. */
  readonly entries: number;
  /** Its part of the entries' wall time, without overlap. */
  readonly exclusiveMs: number;
  /** Only of the first of a run of reads that is proved independent, or of an await in a loop whose passes are. */
  readonly sequence?: Sequence;
}

/** Reads in sequence that are proved independent, by the lines that the recording has; of a loop, it is one line. */
export interface Sequence {
  /** The places in `Recording.sites`, in their order in the code. */
  readonly sites: readonly number[];
  /** How often the run was completed, or the loop had more than one pass, over all entries. */
  readonly count: number;
  /** The sum of the reads, over all of these. Of a loop over a database, from its first wait to its last. */
  readonly totalMs: number;
  /**
   * Estimated from these measured parts, over all of these: the longest read of each run. Of a loop over a database, a pass, as if one
   * statement asked for all rows; of a different loop, its longest pass.
   */
  readonly togetherMs: number;
}

/** An await of the program. */
export interface Site {
  readonly at: Place;
  /** The name of the function around it; absent at module level. */
  readonly function?: string;
  readonly kind: SiteKind;
  /** The code of the awaited call, without its arguments: `pool.query`. */
  readonly code: string;
  /** How often it settled, `rejected` included. */
  readonly count: number;
  /** How often it ran besides, in entries that were only counted; absent where it never did. */
  readonly unmeasured?: number;
  readonly rejected: number;
  /** Awaits without an end when the recording ended. */
  readonly open: number;
  /** The age of the oldest of these. */
  readonly oldestOpenMs?: number;
  /**
   * From when the awaited promise is there to its end, also where it ran concurrently with others; of `calls`, from the start of the
   * call.
   */
  readonly time: Distribution;
  /** What the time was spent on, where drivers are measured. */
  readonly driver?: {
    /** Calls that waited for a connection, and how long. */
    readonly pool?: Distribution;
    /** Statements sent, and how long until their answer. */
    readonly wire?: Distribution;
    /** How many of these made the database commit something; absent where none did. */
    readonly commits?: number;
    /** By their most frequent. */
    readonly statements: readonly StatementCount[];
  };
  /** The rules with a finding on this line. */
  readonly rules: readonly string[];
  /** A worker's loop awaits it itself, so it may wait for the next piece of work. */
  readonly isInLoop?: true;
}

/**
 * What the static analysis resolves of it: `sleep` a pause; `yield` a turn of the event loop; `db`, `network`, `thread-pool` a call of that kind; `calls` a function of the
 * program whose own awaits are measured; `blocking` a synchronous call with a finding, which is no await; `unresolved` anything, or
 * concurrent calls of several kinds.
 */
export type SiteKind =
  'sleep' | 'yield' | 'db' | 'network' | 'thread-pool' | 'calls' | 'blocking' | 'unresolved';

export interface StatementCount {
  /** The text without its literals, at most 200 characters. */
  readonly statement: string;
  readonly count: number;
  /** The most often that it was sent from this line in one entry. */
  readonly most: number;
}

/** A place in the text as it is on disk. */
export interface Place {
  /** From the folder in which the program was started, with `/`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** Times of the same kind. The quantiles have an error of at most 6 %, from the histogram. */
export interface Distribution {
  readonly count: number;
  readonly totalMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  /**
   * Of each bucket that is not empty: where it starts in ms, and how many are in it. Buckets are those of a logarithm to base 2, each
   * divided into eight of equal width.
   */
  readonly histogram: readonly (readonly [fromMs: number, count: number])[];
}

/** A connection pool of the program. */
export interface Pool {
  /** The package: `pg`. */
  readonly driver: string;
  /** Where the program creates it, where that is resolved. */
  readonly at?: Place;
  /** How many processes have it; absent for one. */
  readonly processes?: number;
  /** Its largest size, where the driver states it. */
  readonly size?: number;
  /** The most connections that were checked out concurrently. */
  readonly mostHeld: number;
  /** The most calls that waited concurrently for the release of a connection. */
  readonly mostWaiting: number;
  /** From the call to its connection, which may have to be opened first. */
  readonly wait: Distribution;
  readonly hold: Distribution;
  /** Of the hold, how long no statement ran on the connection. */
  readonly idleHoldMs: number;
  /** Checkouts that were only counted; absent where there were none. */
  readonly unmeasured?: number;
  /** Checkouts without a release when the recording ended. */
  readonly open: number;
  readonly oldestOpenMs?: number;
}

/** What was sent to the databases of one driver. */
export interface Database {
  readonly driver: string;
  /** Those that were only counted included. */
  readonly statements: number;
  readonly rejected: number;
  /**
   * How many of them made the database commit something: a write outside of a transaction, or the COMMIT of one that has written. Absent
   * where none did, and of a driver whose statements are not SQL or do not name their connection.
   */
  readonly commits?: number;
  readonly time: Distribution;
}

/** What sends the requests, as far as its connections stay open. */
export interface Clients {
  /** From the end of a response to the next request of the same connection, also of those that were only counted. */
  readonly between: Distribution;
}

export interface EventLoop {
  /** How late a timer of 10 ms fired: `monitorEventLoopDelay`, without the 10 ms. */
  readonly lagP50Ms: number;
  readonly lagP99Ms: number;
  readonly lagMaxMs: number;
  /** Between 0 and 1: the share of time in which the loop was not idle, of the busiest process. */
  readonly utilisation: number;
}

export interface LeftAlone {
  /** From the folder in which the program was started. */
  readonly file: string;
  /**
   * Its text differs from the scanned one: it was `changed`, or `generated` by a loader. `failed`: the probes could not be inserted.
   * `required`: an ES module imports it that `require()` has loaded, and Node.js before 22.15 calls no hook for it.
   */
  readonly reason: 'changed' | 'generated' | 'failed' | 'required';
}

export interface RecordedFile {
  /** From the folder in which the program was started. */
  readonly file: string;
  /** `keyOfText` of its text at the time of the run. */
  readonly text: string;
  /** Those at whose places something is measured. */
  readonly findings: readonly RecordedFinding[];
}

/** A finding of the scan before the run. */
export interface RecordedFinding {
  /** The same as long as the rule and the code of the function are the same. */
  readonly fingerprint: string;
  /** Its place in that function: the characters of words and numbers in front of it. */
  readonly words: number;
  /** The same code is also elsewhere in the file: once that has changed, the copies cannot be distinguished. */
  readonly isCopied?: true;
  /** The places in `Recording.sites` of its awaits that ran; empty where none did. */
  readonly sites: readonly number[];
  /** The place in `Recording.pools` of the pool that it is about. */
  readonly pool?: number;
}
