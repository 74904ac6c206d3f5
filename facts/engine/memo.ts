import { addReads, closeReads, type Ground, newGround, ownReads, type Reader } from './reads.ts';
import { type Edits, keptAnswers, NONE_KEPT } from './kept-answers.ts';

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
  /** Counts the edits of all files: answers of one may rest on what is in another. */
  edit: number;
  /** Gone with the next one. */
  noEdit: Ground;
}

/** Deeper than this a value is unknown: it bounds the stack (some five frames a question) on any source. */
const MAXIMUM_DEPTH = 200;
/** Beyond this, answers inside circles are kept at once: it bounds the time on circles of circles. */
const MAXIMUM_WORK = 10_000;

/** Where nobody asks what is read. */
const NOBODY: Reader = { reads: undefined, isNobody: true };

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
        reader: NOBODY,
        edit: 0,
        noEdit: newGround(),
      }),
    );
  }
  return questions;
}

/** Asks without a trace in the question that is open. */
export function onTheSide(questions: Questions, ask: () => void): true {
  const { reader, lowest, work } = questions;
  questions.reader = NOBODY;
  try {
    ask();
  } finally {
    Object.assign(questions, { reader, lowest, work });
  }
  return true;
}

interface Open<T> extends Reader {
  readonly depth: number;
  meanwhile: T;
}

export function answersOf(questions: Questions, edits?: Edits): Answers {
  const kept = keptAnswers(edits);
  const open = new Map<object, Open<unknown>>();
  const answers: Answers = {
    known(key) {
      const known = kept.read(key, questions.reader);
      return known === NONE_KEPT ? undefined : known;
    },
    get<T>(key: object, compute: (suppose: Suppose<T>) => T, meanwhile: T, tooDeep: T): T {
      const known = kept.read(key, questions.reader);
      if (known !== NONE_KEPT) return known as T;
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
        if (questions.lowest < depth && questions.work <= MAXIMUM_WORK) return answer;
        questions.lowest = Number.POSITIVE_INFINITY;
        const again = () =>
          !open.has(key) &&
          onTheSide(questions, () => answers.get(key, compute, meanwhile, tooDeep));
        return kept.keep(key, answer, own.reads, again);
      } finally {
        open.delete(key);
        closeReads(own);
        questions.reader = reader;
        // What is kept of the file as a whole says itself what it rests on.
        if (!edits || kept.read(key, reader) === NONE_KEPT) addReads(reader, own.reads);
        questions.depth = depth;
        questions.lowest = Math.min(questions.lowest, lowest);
      }
    },
  };
  return answers;
}
