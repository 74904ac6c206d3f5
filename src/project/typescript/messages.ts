import type { TypeAnswers, TypeQuestions } from '../type-memory.ts';

/** A path's unsaved text; undefined makes the disk valid again. */
export type PathText = readonly [path: string, text: string | undefined];

/** What the process with the type checker is asked. */
export interface TypeOrder {
  readonly id: number;
  /** Those that are others than at the last order. */
  readonly texts: readonly PathText[];
  /** Files that have changed on disk since the last order; `all` where they are not recorded. */
  readonly changed: readonly string[] | 'all';
  readonly questions: readonly TypeQuestions[];
}

export interface TypeReply {
  readonly id: number;
  readonly answers: readonly TypeAnswers[];
  /** Why there are none for some files, each once. */
  readonly failures: readonly string[];
}
