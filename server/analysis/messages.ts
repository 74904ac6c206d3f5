import type { Overrides } from '../../src/scan/configuration.ts';
import type { TypeAnswers, TypeQuestions } from '../../src/project/type-memory.ts';
import type { Problem } from '../../src/scan/problem.ts';

/** A workspace folder and the editor's settings for it. */
export interface Folder {
  /** Absolute. */
  readonly path: string;
  readonly isEnabled: boolean;
  readonly overrides: Overrides;
  /** Patterns as in .gitignore. */
  readonly exclude: readonly string[];
  /** Whether a later message will answer `FileAnalysis.questions`. */
  readonly hasTypes: boolean;
  /** Whether configuration that is code is run. */
  readonly trustsConfiguration: boolean;
}

/** A path's unsaved text; undefined makes the disk valid for the path again. */
export type PathText = readonly [path: string, text: string | undefined];

/** An order to the analysis; `texts` are those that have changed since the last order. */
export type Order =
  | { readonly kind: 'configure'; readonly folders: readonly Folder[] }
  /** Stores the texts, and returns which results they invalidate. */
  | { readonly kind: 'synchronize' }
  /** Files without a watcher may have changed: this reads the disk again. */
  | { readonly kind: 'refresh' }
  | { readonly kind: 'changed'; readonly paths: readonly string[] }
  | { readonly kind: 'analyse'; readonly path: string }
  /** Analyses again where the answers change something; else it is `done`. */
  | {
      readonly kind: 'refine';
      readonly path: string;
      readonly questions: readonly TypeQuestions[];
      readonly answers: readonly TypeAnswers[];
    }
  | {
      readonly kind: 'scan';
      /** Files that are not analysed. */
      readonly leftOut: readonly string[];
      /** The number of further files that a scan has analysed. */
      readonly from: number;
    }
  | { readonly kind: 'configuration'; readonly path: string }
  | { readonly kind: 'timings' };

export interface Envelope {
  readonly id: number;
  readonly texts: readonly PathText[];
  readonly order: Order;
}

export interface FileAnalysis {
  readonly problems: readonly Problem[];
  /** The number of further findings, which the baseline hides. */
  readonly baselined: number;
  readonly notices: readonly string[];
  /** Problems of the configuration: each names its file and what to write instead. */
  readonly mistakes: readonly string[];
  readonly milliseconds: number;
  /** Questions about this file and the files that it imports: the findings may change once a type checker has answered. */
  readonly questions: readonly TypeQuestions[];
}

export interface FileProblems {
  readonly path: string;
  readonly problems: readonly Problem[];
  readonly baselined: number;
  /** Why the file, or a rule on it, was left out. */
  readonly leftOut: readonly string[];
}

/** One for each order, by its `id`; a scan sends others before it. */
export type Answer = {
  readonly id: number;
  /** Files with unsaved texts whose findings may be others now. */
  readonly stale: readonly string[];
} & (
  | { readonly kind: 'done' }
  | { readonly kind: 'analysed'; readonly analysis: FileAnalysis }
  /** A newer text has made it worthless. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'progress';
      readonly done: number;
      readonly of: number;
      readonly found: readonly FileProblems[];
    }
  | { readonly kind: 'scanned'; readonly files: number; readonly isCancelled: boolean }
);
