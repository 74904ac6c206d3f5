import type { MeasuredMethod } from '../analysis/model/measured-methods.ts';
import type { RecordedFinding, SiteKind, SourceKind } from './recording.ts';

export type {
  AcquiringMethod,
  End,
  MeasuredMethod,
  ReleasingMethod,
  SendingMethod,
  Sent,
} from '../analysis/model/measured-methods.ts';

/** What the probes of a program are: written before it starts, and read inside of it. */
export interface Plan {
  readonly format: typeof PLAN_FORMAT;
  /** The folder in which the program is started; absolute. */
  readonly root: string;
  readonly files: readonly PlannedFile[];
  readonly drivers: readonly DriverPlan[];
}

export const PLAN_FORMAT = 3;

/** A file with probes; its sites have the numbers from `firstSite` on, and its sources of work and pools likewise. */
export interface PlannedFile {
  /** Absolute, without links. */
  readonly path: string;
  readonly firstSite: number;
  readonly firstSource: number;
  readonly firstPool: number;
  readonly probes: FileProbes;
  /** Of a compiled file, its source: the lines, and the findings, are those of that. */
  readonly of?: {
    /** Absolute. */
    readonly path: string;
    /** `keyOfText` of its text. */
    readonly text: string;
  };
}

/** Where probes are inserted into one text. Offsets count UTF-16 code units. */
export interface FileProbes {
  /** `keyOfText` of the text that the offsets belong to. */
  readonly text: string;
  readonly sites: readonly PlannedSite[];
  readonly frames: readonly PlannedFrame[];
  readonly sources: readonly PlannedSource[];
  readonly pools: readonly PlannedPool[];
  readonly findings: readonly PlannedFinding[];
}

/** A finding whose place is measured. */
export interface PlannedFinding extends Omit<RecordedFinding, 'sites' | 'pool'> {
  /** The places in `FileProbes.sites` of its awaits. */
  readonly sites: readonly number[];
  /** The place in `FileProbes.pools` of the pool that it is about. */
  readonly pool?: number;
}

/** An await, or what an async function returns: its caller awaits that; or a synchronous call with a finding. */
export interface PlannedSite {
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
  readonly kind: SiteKind;
  readonly function?: string;
  readonly code: string;
  /** How many awaits of the same function contain it. */
  readonly depth: number;
  /** It has no `await` of its own, so that the probe adds one. */
  readonly isReturned?: true;
  /** The innermost loop around it in the same function that begins entries: its place in `FileProbes.sources`. */
  readonly loop?: number;
  /** Of a `sleep` whose time is a constant. */
  readonly sleepMs?: number;
  /** The rules with a finding on its line. */
  readonly rules?: readonly string[];
  /** Of reads that are proved independent: the number of their run in the file, and its place in it. */
  readonly run?: { readonly id: number; readonly at: number; readonly of: number };
  /** In a loop of which a finding states that no pass needs another. */
  readonly isRepeated?: true;
}

/** A function with awaits, or a handler of a source of work: its body between two offsets, or the expression that is the body of an arrow function. */
export interface PlannedFrame {
  readonly kind: 'block' | 'expression' | 'module';
  readonly start: number;
  /** Of a module, the same as `start`: it has no end. */
  readonly end: number;
  /** A directive without a semicolon may precede `start`. */
  readonly isAfterDirective: boolean;
  /** Each run is an entry of this source: its place in `FileProbes.sources`. */
  readonly source?: number;
}

/** Where work begins, other than a request: a loop whose iterations are entries, or a function whose runs are. */
export interface PlannedSource {
  readonly kind: SourceKind;
  /** Of the loop, or of the function. */
  readonly line: number;
  /** Of a test, its file and its title; of others, the function, the queue or the time, or else what is around it. */
  readonly name: string;
  readonly loop?: PlannedLoop;
}

/** A loop that runs until the program ends, or over messages. */
export interface PlannedLoop {
  /** The body, without its braces where it has some. */
  readonly start: number;
  readonly end: number;
  readonly hasBraces: boolean;
  /** What it waits for between two iterations is no part of either: a loop over messages. */
  readonly endsWithBody: boolean;
}

/** An expression that creates a connection pool. */
export interface PlannedPool {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/** The classes in one file of a package whose calls are measured. */
export interface DriverPlan {
  /** From the folder that has the packages, with `/`: `pg/lib/index.js`. */
  readonly file: string;
  /** The driver whose connections these are: that of a pool in a package of its own. */
  readonly driver: string;
  /** What one of its calls is to an entry. */
  readonly kind: Extract<SiteKind, 'db' | 'network'>;
  /** The property with the pool, of the object that the program creates. */
  readonly poolIn?: string;
  readonly classes: readonly DriverClass[];
}

/** A class of a driver, by the name of its export; `default` is the whole export where that is a class. */
export interface DriverClass {
  readonly export: string;
  readonly methods: readonly MeasuredMethod[];
  /** Of a pool: the properties that lead to its size, and the size where they are absent. */
  readonly size?: { readonly at: readonly string[]; readonly otherwise?: number };
}

/** Differs for texts that differ. */
export function keyOfText(text: string, crc32: (text: string) => number): string {
  return `${text.length} ${crc32(text).toString(16)}`;
}
