import { addReads, addWhole, isStanding, type Reader, type Reads, type Whole } from './reads.ts';
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
  /** Whether an answer rests on much, of which most edits leave it as it is: so it is compared, and not what it rests on. */
  isCompared(key: object): boolean;
}

/** An answer that rests on something: most of a scan do not, and are kept as they are. */
class Resting {
  readonly answer: unknown;
  readonly reads: Reads;
  readonly whole: Whole | undefined;

  constructor(answer: unknown, reads: Reads, whole: Whole | undefined) {
    this.answer = answer;
    this.reads = reads;
    this.whole = whole;
  }
}

export function keptAnswers(edits?: Edits): KeptAnswers {
  const answers = new Map<object, unknown>();
  const wholes = new Map<object, { readonly answer: unknown; readonly whole: Whole }>();
  const kept: KeptAnswers = {
    read(key, reader) {
      const known = answers.get(key);
      if (known === undefined && !answers.has(key)) return NONE_KEPT;
      if (!(known instanceof Resting)) return known;
      const { answer, reads, whole } = known;
      if (edits && !isStanding(reads, edits.edit)) {
        // Somebody may have asked meanwhile.
        if (answers.get(key) !== known) return kept.read(key, reader);
        answers.delete(key);
        return NONE_KEPT;
      }
      if (whole) addWhole(reader, whole);
      else addReads(reader, reads);
      return answer;
    },
    keep(key, given, reads, again) {
      // What is said in a word, too.
      const isCompared = edits && reads && (edits.isCompared(key) || Object(given) !== given);
      const { answer, whole } = isCompared ? wholeFor(key, given, again) : { answer: given };
      if (!isCompared) leaveWhole(key);
      answers.set(key, reads ? new Resting(answer, reads, whole) : answer);
      return answer;
    },
  };
  return kept;

  function leaveWhole(key: object): void {
    const before = wholes.get(key);
    // no veto: nothing rests on it.
    if (!before) return;
    before.whole.isGone = true;
    wholes.delete(key);
  }

  function wholeFor<T>(key: object, answer: T, again: () => boolean) {
    const before = wholes.get(key);
    if (before && !before.whole.isGone && isSame(before.answer, answer)) {
      return { answer: before.answer as T, whole: before.whole };
    }
    leaveWhole(key);
    const whole: Whole = {
      isGone: false,
      refresh() {
        // no veto: what outlasts an edit is compared with facts made anew in test/edited-facts.test.ts.
        if (!again()) return false;
        if (!answers.has(key)) whole.isGone = true;
        return true;
      },
    };
    wholes.set(key, { answer, whole });
    return { answer, whole };
  }
}
