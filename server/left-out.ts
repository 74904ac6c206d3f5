import type { ThreadEnd } from '../src/watch/thread.ts';

/** Texts over which the analysis has ended: a new thread would end over them again. */
export interface LeftOut {
  /** Notes that it has ended over the present text of `path`. */
  add(path: string, end: ThreadEnd): void;
  /** Why the present text is not analysed; undefined where it is. */
  reasonFor(path: string): string | undefined;
  /** The paths of all that are not analysed. */
  paths(): readonly string[];
  /** Tries all of them again, because more than their texts has changed. */
  forget(): void;
}

interface Entry {
  readonly text: string;
  readonly ends: number;
  readonly message: string;
}

/** `textOf` returns the present text of a path; `onAdded` is called once for each text that is ignored from then on. */
export function leftOutTexts(
  textOf: (path: string) => string | undefined,
  onAdded: (path: string, message: string) => void,
): LeftOut {
  const entries = new Map<string, Entry>();

  const entryFor = (path: string) => {
    const entry = entries.get(path);
    if (!entry || entry.text === textOf(path)) return entry;
    entries.delete(path);
    return undefined;
  };
  const it: LeftOut = {
    add(path, end) {
      const text = textOf(path);
      if (text === undefined) return;
      // Memory is also taken by what was analysed before: in a new thread the same text may fit.
      const ends = (entryFor(path)?.ends ?? 0) + (end.reason === 'time' ? MOST_ENDS : 1);
      const message = `${end.message}, and is ignored until it changes`;
      entries.set(path, { text, ends, message });
      if (ends >= MOST_ENDS) onAdded(path, message);
    },
    reasonFor(path) {
      const entry = entryFor(path);
      return entry && entry.ends >= MOST_ENDS ? entry.message : undefined;
    },
    paths: () => [...entries.keys()].filter((path) => it.reasonFor(path) !== undefined),
    forget: () => entries.clear(),
  };
  return it;
}

/** So often the analysis ends over one text at most, unless it has taken too long: that costs too much to be tried again. */
const MOST_ENDS = 2;
