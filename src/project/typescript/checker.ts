import type { TypeAnswers, TypeQuestions } from '../type-memory.ts';

/** A loaded TypeScript with either API. Its methods may throw; a question that throws has no answer. */
export interface Checker {
  /** Before each batch: what has changed since the last one. */
  update(change: Change): void;
  /** Undefined for a file that no tsconfig.json includes, or that has changed by now. */
  answersTo(questions: TypeQuestions): TypeAnswers | undefined;
  end(): void;
}

export interface Change {
  /** Unsaved texts: they win over the disk. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files whose unsaved text has changed or is gone. */
  readonly edited: readonly string[];
  /** On the disk. */
  readonly changed: readonly string[] | 'all';
  /** What is about to be asked for. */
  readonly asked: readonly string[];
}
