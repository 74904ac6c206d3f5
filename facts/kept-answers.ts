import {
  addRead,
  addReads,
  type Ground,
  isStanding,
  type Reader,
  type Reads,
} from './effects/reads.ts';
import { isSame } from './same.ts';

/** No answer is kept. */
export const NONE_KEPT: unique symbol = Symbol('no answer is kept');

/** Answers, and what they rest on. */
export interface KeptAnswers {
  /** Whoever reads then rests on what the answer rests on. */
  read(key: object, reader: Reader): unknown;
  /** Returns the answer that is kept: the one before, where that says the same. `again` asks for it once more, and returns whether it can. */
  keep<T>(key: object, answer: T, reads: Reads | undefined, again: () => boolean): T;
}

/** For a file that is being edited. */
export interface Edits {
  /** Counts those of all files. */
  readonly edit: number;
  /** Whether an answer is about the file as a whole: most edits leave it as it is, so it is compared, and not what it rests on. */
  isOfWhole(key: object): boolean;
}

export function keptAnswers(edits?: Edits): KeptAnswers {
  const answers = new Map<object, unknown>();
  /** What those of them rest on that rest on something. */
  const reads = new Map<object, Reads>();
  const wholes = new Map<object, { readonly answer: unknown; readonly ground: Ground }>();
  const kept: KeptAnswers = {
    read(key, reader) {
      const answer = answers.get(key);
      if (answer === undefined && !answers.has(key)) return NONE_KEPT;
      if (reads.size === 0) return answer;
      const own = reads.get(key);
      if (own && edits && !isStanding(own, edits.edit)) {
        // Somebody may have asked meanwhile.
        if (reads.get(key) !== own) return kept.read(key, reader);
        answers.delete(key);
        reads.delete(key);
        return NONE_KEPT;
      }
      const whole = wholes.get(key);
      if (whole) addRead(reader, whole.ground);
      else addReads(reader, own);
      return answer;
    },
    keep(key, answer, own, again) {
      const known = edits?.isOfWhole(key) ? wholeFor(key, answer, again) : answer;
      answers.set(key, known);
      if (own) reads.set(key, own);
      return known;
    },
  };
  return kept;

  function wholeFor<T>(key: object, answer: T, again: () => boolean): T {
    const before = wholes.get(key);
    if (before && !before.ground.isGone && isSame(before.answer, answer)) return before.answer as T;
    if (before) before.ground.isGone = true;
    const ground: Ground = {
      isGone: false,
      refresh() {
        // no veto: what outlasts an edit is compared with facts made anew in test/edited-facts.test.ts.
        if (!again()) return false;
        if (!answers.has(key)) ground.isGone = true;
        return true;
      },
    };
    wholes.set(key, { answer, ground });
    return answer;
  }
}
