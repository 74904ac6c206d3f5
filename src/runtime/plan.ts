import type { SiteKind } from './recording.ts';

/** What the probes of a program are: written before it starts, and read inside of it. */
export interface Plan {
  readonly format: typeof PLAN_FORMAT;
  /** The folder in which the program is started; absolute. */
  readonly root: string;
  readonly files: readonly PlannedFile[];
  readonly drivers: readonly DriverPlan[];
}

export const PLAN_FORMAT = 1;

/** A file with probes; its sites have the numbers from `firstSite` on, and its loops and pools likewise. */
export interface PlannedFile {
  /** Absolute, without links. */
  readonly path: string;
  readonly firstSite: number;
  readonly firstLoop: number;
  readonly firstPool: number;
  readonly probes: FileProbes;
}

/** Where probes are inserted into one text. Offsets count UTF-16 code units. */
export interface FileProbes {
  /** `keyOfText` of the text that the offsets belong to. */
  readonly text: string;
  readonly sites: readonly PlannedSite[];
  readonly frames: readonly PlannedFrame[];
  readonly loops: readonly PlannedLoop[];
  readonly pools: readonly PlannedPool[];
}

/** An await. */
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
  /** The innermost worker's loop around it in the same function: its place in `FileProbes.loops`. */
  readonly loop?: number;
  /** Of a `sleep` whose time is a constant. */
  readonly sleepMs?: number;
  /** The rules with a finding on its line. */
  readonly rules?: readonly string[];
  /** Of reads that are proved independent: the number of their run in the file, and its place in it. */
  readonly run?: { readonly id: number; readonly at: number; readonly of: number };
}

/** A function with awaits: its body between two offsets, or the expression that is the body of an arrow function. */
export interface PlannedFrame {
  readonly kind: 'block' | 'expression' | 'module';
  readonly start: number;
  /** Of a module, the same as `start`: it has no end. */
  readonly end: number;
  /** A directive without a semicolon may precede `start`. */
  readonly isAfterDirective: boolean;
}

/** A loop that runs until the program ends: each iteration is one entry. */
export interface PlannedLoop {
  readonly line: number;
  /** The name of the function around it; of a loop at module level, that of the file. */
  readonly name: string;
  /** The body, without its braces where it has some. */
  readonly start: number;
  readonly end: number;
  readonly hasBraces: boolean;
}

/** An expression that creates a connection pool. */
export interface PlannedPool {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/** The methods of a package whose calls are measured. */
export interface DriverPlan {
  readonly package: string;
  /** The driver whose connections these are: that of a pool in a package of its own. */
  readonly driver: string;
  readonly classes: readonly DriverClass[];
}

/** A class of a driver, by the name of its export; `default` is the whole export. */
export interface DriverClass {
  readonly export: string;
  readonly methods: readonly DriverMethod[];
  /** Of a pool: the property with its options, and the option with its size. */
  readonly pool?: {
    readonly options: string;
    readonly size: string;
    readonly defaultSize: number;
  };
}

export type DriverMethod =
  | {
      readonly does: 'acquire';
      readonly name: string;
      /** The methods of the connection that release it. */
      readonly releases: readonly string[];
      /** The index of the callback, or `last`, and of its parameters those that are the connection and its release. */
      readonly callback?: {
        readonly at: number | 'last';
        readonly connection: number;
        readonly release?: number;
      };
    }
  | {
      readonly does: 'statement';
      readonly name: string;
      /** The index of the argument with the statement: a text, or an object with it in the property `text`. */
      readonly statement: number;
      readonly text: string;
    };

/** Differs for texts that differ. */
export function keyOfText(text: string, crc32: (text: string) => number): string {
  return `${text.length} ${crc32(text).toString(16)}`;
}
