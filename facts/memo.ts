import { addReads, closeReads, type Reader, type Reads, ownReads } from './effects/reads.ts';

/**
 * Answers to questions that may come back to themselves: a recursive function, two files that import each other.
 * While a question is open it is answered with what adds nothing; an answer that rests on that is kept only for the
 * question that opened the circle, so that what is known does not depend on what was asked first.
 */
export interface Answers {
  /** An answer that was given before; undefined where there is none, or where it is undefined. */
  known(key: object): unknown;
  /**
   * The answer; `tooDeep` where the source nests without end, `meanwhile` inside a circle, or what `compute` supposes once it
   * knows more.
   */
  get<T>(key: object, compute: (suppose: Suppose<T>) => T, meanwhile: T, tooDeep: T): T;
}

/** From now on, whoever asks within the circle is answered with that. */
export type Suppose<T> = (meanwhile: T) => void;

/** One for all files that ask each other: depth and circles run through them. */
export interface Questions {
  depth: number;
  /** The lowest depth whose open question the current one has come back to. */
  lowest: number;
  /** Answers computed since the outermost question. */
  work: number;
  /** Of the innermost question that is open. */
  reader: Reader;
}

/** Deeper than this a value is unknown: it bounds the stack (some five frames a question) on any source. */
const MAXIMUM_DEPTH = 200;
/** Beyond this, answers inside circles are kept at once: it bounds the time on circles of circles. */
const MAXIMUM_WORK = 10_000;

const byOwner = new WeakMap<object, Questions>();

/** The questions of all that share `owner`: the project, or a file on its own. */
export function questionsOf(owner: object): Questions {
  let questions = byOwner.get(owner);
  if (!questions) {
    byOwner.set(
      owner,
      (questions = {
        depth: 0,
        lowest: Number.POSITIVE_INFINITY,
        work: 0,
        reader: { reads: undefined },
      }),
    );
  }
  return questions;
}

interface Open<T> extends Reader {
  readonly depth: number;
  meanwhile: T;
}

export function answersOf(questions: Questions): Answers {
  const kept = new Map<object, unknown>();
  /** What those of them rest on that rest on other files. */
  const reads = new Map<object, Reads>();
  const open = new Map<object, Open<unknown>>();
  return {
    known(key) {
      if (reads.size > 0) addReads(questions.reader, reads.get(key));
      return kept.get(key);
    },
    get<T>(key: object, compute: (suppose: Suppose<T>) => T, meanwhile: T, tooDeep: T): T {
      const known = kept.get(key);
      if (known !== undefined || kept.has(key)) {
        if (reads.size > 0) addReads(questions.reader, reads.get(key));
        return known as T;
      }
      const asked = open.get(key);
      if (asked) {
        questions.lowest = Math.min(questions.lowest, asked.depth);
        addReads(questions.reader, ownReads(asked));
        return asked.meanwhile as T;
      }
      const { depth, lowest, reader } = questions;
      if (depth >= MAXIMUM_DEPTH) {
        questions.lowest = 0;
        return tooDeep;
      }
      if (depth === 0) questions.work = 0;
      questions.work++;
      questions.depth = depth + 1;
      questions.lowest = Number.POSITIVE_INFINITY;
      const own: Open<unknown> = { depth, meanwhile, reads: undefined };
      questions.reader = own;
      open.set(key, own);
      try {
        const computed = compute((it) => {
          own.meanwhile = it;
        });
        // A question whose only answer is itself has none.
        const answer = questions.lowest === depth && computed === meanwhile ? tooDeep : computed;
        if (questions.lowest >= depth || questions.work > MAXIMUM_WORK) {
          questions.lowest = Number.POSITIVE_INFINITY;
          kept.set(key, answer);
          if (own.reads) reads.set(key, own.reads);
        }
        return answer;
      } finally {
        open.delete(key);
        closeReads(own);
        questions.reader = reader;
        addReads(reader, own.reads);
        questions.depth = depth;
        questions.lowest = Math.min(questions.lowest, lowest);
      }
    },
  };
}
