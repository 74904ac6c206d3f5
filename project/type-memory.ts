import type { CheckedType, Types } from '../facts/source.ts';

/** Expressions of a file whose types would decide something. */
export interface TypeQuestions {
  /** Absolute. */
  readonly path: string;
  /** Of the file's text, in UTF-16 code units. */
  readonly length: number;
  /** Another number for another text, for which the answers are worth nothing. */
  readonly version: number;
  readonly ranges: readonly (readonly [start: number, end: number])[];
}

/** In the order of the ranges; undefined for a type that leads to no library. */
export type TypeAnswers = readonly (CheckedType | undefined)[];

/** A type checker somewhere else. It never fails: what it cannot say in time has no answer. */
export interface TypeProvider {
  answersTo(questions: readonly TypeQuestions[]): Promise<readonly TypeAnswers[]>;
}

/** What a type checker has said of the files of a project. What it has not said yet is noted for a host that asks. */
export interface TypeMemory {
  /** Undefined for what no type checker reads. */
  typesOf(path: string, text: string): Types | undefined;
  /** What has been asked for in these files, or in any, and has no answer yet. */
  questions(paths?: readonly string[]): readonly TypeQuestions[];
  /** Returns the paths of files of which it knows more now. */
  learn(questions: readonly TypeQuestions[], answers: readonly TypeAnswers[]): readonly string[];
  /** What is known of these files may be something else now. Returns those of which something was asked. */
  forget(paths: readonly string[] | 'all'): readonly string[];
}

interface FileTypes {
  readonly text: string;
  readonly version: number;
  readonly known: Map<string, CheckedType | undefined>;
  readonly open: Map<string, readonly [number, number]>;
}

export function createTypeMemory(): TypeMemory {
  const files = new Map<string, FileTypes>();
  let versions = 0;
  return {
    typesOf(path, text) {
      if (!/\.[cm]?[jt]sx?$/.test(path)) return undefined;
      return {
        typeOf({ range: [start, end] }) {
          const { known, open } = fileFor(path, text);
          const key = keyOf(start, end);
          if (!known.has(key)) open.set(key, [start, end]);
          return known.get(key);
        },
      };
    },
    questions(paths = [...files.keys()]) {
      return paths.flatMap((path) => {
        const { text, version, open } = files.get(path) ?? NOTHING_ASKED;
        const ranges = [...open.values()];
        return ranges.length > 0 ? [{ path, length: text.length, version, ranges }] : [];
      });
    },
    learn(questions, answers) {
      return questions.flatMap(({ path, version, ranges }, i) => {
        const file = files.get(path);
        if (file?.version !== version) return [];
        for (const [j, [start, end]] of ranges.entries()) {
          const key = keyOf(start, end);
          file.known.set(key, answers[i]?.[j]);
          file.open.delete(key);
        }
        return answers[i]?.some((it) => it !== undefined) ? [path] : [];
      });
    },
    forget(paths) {
      return (paths === 'all' ? [...files.keys()] : paths).filter((it) => files.delete(it));
    },
  };

  function fileFor(path: string, text: string): FileTypes {
    let file = files.get(path);
    if (file?.text !== text) {
      file = { text, version: ++versions, known: new Map(), open: new Map() };
      files.set(path, file);
    }
    return file;
  }
}

const NOTHING_ASKED = { text: '', version: 0, open: new Map<string, readonly [number, number]>() };

function keyOf(start: number, end: number): string {
  return `${start}:${end}`;
}
