import type { Overrides } from '../../src/scan/configuration.ts';
import type { TypeAnswers, TypeQuestions } from '../../src/project/type-memory.ts';
import type { Problem } from '../../src/scan/problem.ts';

/** A workspace folder and what the editor's settings say about it. */
export interface Folder {
  /** Absolute. */
  readonly path: string;
  readonly isEnabled: boolean;
  readonly overrides: Overrides;
  /** Patterns as in .gitignore. */
  readonly exclude: readonly string[];
  /** Whether somebody will answer `FileAnalysis.questions`. */
  readonly hasTypes: boolean;
  /** Whether configuration that is code is run. */
  readonly trustsConfiguration: boolean;
}

/** A path's unsaved text; undefined gives the path back to the disk. */
export type PathText = readonly [path: string, text: string | undefined];

/** What the analysis is asked for; `texts` are those that have changed since the last order. */
export type Order =
  | { readonly kind: 'configure'; readonly folders: readonly Folder[] }
  /** Takes the texts, and says what they make stale. */
  | { readonly kind: 'synchronize' }
  /** What nobody watches may have changed: the disk is asked. */
  | { readonly kind: 'refresh' }
  | { readonly kind: 'changed'; readonly paths: readonly string[] }
  | { readonly kind: 'analyse'; readonly path: string }
  /** Analyses again where the answers say something; else it is `done`. */
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
      /** So many files another scan has looked at. */
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
  readonly notices: readonly string[];
  /** Of the configuration: each names its file and says what to write instead. */
  readonly mistakes: readonly string[];
  readonly milliseconds: number;
  /** In this file and in those that it imports: the findings may be others once a type checker has answered. */
  readonly questions: readonly TypeQuestions[];
}

export interface FileProblems {
  readonly path: string;
  readonly problems: readonly Problem[];
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
