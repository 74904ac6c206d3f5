import { functionAround } from '../analysis/syntax/ast.ts';
import { endsAt, rangeOf, startsAt } from '../analysis/syntax/places.ts';
import type { CheckedType, Types } from '../analysis/file/source.ts';
import { differenceOf, type Range } from '../analysis/syntax/difference.ts';

/** Expressions of a file whose types would decide something. */
export interface TypeQuestions {
  /** Absolute. */
  readonly path: string;
  /** Of the file's text, in UTF-16 code units. */
  readonly length: number;
  /** Another number for another text, for which the answers are worth nothing. */
  readonly version: number;
  readonly ranges: readonly Range[];
}

/** In the order of the ranges; undefined for a type that leads to no library. */
export type TypeAnswers = readonly (CheckedType | undefined)[];

/** A type checker outside of the analysis. It never fails: without a timely result it has no answer. */
export interface TypeProvider {
  answersTo(questions: readonly TypeQuestions[]): Promise<readonly TypeAnswers[]>;
}

/**
 * The answers of a type checker about the files of a project. Missing answers are recorded for a host that asks. Until the
 * checker has answered for a new text, a type counts as unchanged, unless an edit has touched the function around it.
 */
export interface TypeMemory {
  /** Undefined for what no type checker reads. */
  typesOf(path: string, text: string): Types | undefined;
  /** The paths of files of which something has been asked for that has no answer yet. */
  asked(): readonly string[];
  /** What of these files has been asked for and has no answer yet. */
  questions(paths: readonly string[]): readonly TypeQuestions[];
  /** Returns the paths of the files with new answers. */
  learn(questions: readonly TypeQuestions[], answers: readonly TypeAnswers[]): readonly string[];
  /** The answers about these files may have changed, and are requested again. Returns the files with questions. */
  forget(paths: readonly string[] | 'all'): readonly string[];
}

interface FileTypes {
  readonly text: string;
  readonly version: number;
  readonly known: Map<string, Typed>;
  /** With the provisional answers. */
  readonly open: Map<string, Typed>;
  /** As it was before the edits. */
  readonly presumed: ReadonlyMap<string, Typed>;
  /** What has been written since the checker last answered. */
  readonly edits: readonly Range[];
}

interface Typed {
  readonly range: Range;
  readonly type: CheckedType | undefined;
}

export function createTypeMemory(): TypeMemory {
  const files = new Map<string, FileTypes>();
  let versions = 0;
  return {
    typesOf(path, text) {
      if (!/\.[cm]?[jt]sx?$/.test(path)) return undefined;
      return {
        typeOf(node) {
          const file = fileFor(path, text);
          const [start, end] = rangeOf(node);
          const key = keyOf(rangeOf(node));
          const known = file.known.get(key);
          if (known) return known.type;
          const type = isTouched(node, file.edits) ? undefined : file.presumed.get(key)?.type;
          file.open.set(key, { range: [start, end], type });
          return type;
        },
      };
    },
    asked: () => [...files].flatMap(([path, { open }]) => (open.size > 0 ? path : [])),
    questions(paths) {
      return paths.flatMap((path) => {
        const { text, version, open } = files.get(path) ?? NOTHING_ASKED;
        const ranges = Array.from(open.values(), ({ range }) => range);
        return ranges.length > 0 ? [{ path, length: text.length, version, ranges }] : [];
      });
    },
    learn(questions, answers) {
      return questions.flatMap(({ path, version, ranges }, i) => {
        const file = files.get(path);
        if (file?.version !== version) return [];
        let isNew = false;
        for (const [j, range] of ranges.entries()) {
          const key = keyOf(range);
          const type = answers[i]?.[j];
          isNew ||= JSON.stringify(type) !== JSON.stringify(file.open.get(key)?.type);
          file.known.set(key, { range, type });
          file.open.delete(key);
        }
        return isNew ? [path] : [];
      });
    },
    forget(paths) {
      return (paths === 'all' ? [...files.keys()] : paths).filter((path) => {
        const file = files.get(path);
        if (file) renew(path, file.text, file);
        return file !== undefined;
      });
    },
  };

  function fileFor(path: string, text: string): FileTypes {
    const file = files.get(path);
    return file?.text === text ? file : renew(path, text, file);
  }

  function renew(path: string, text: string, before: FileTypes | undefined): FileTypes {
    const presumptions = before ? presumedOf(before, text) : { presumed: new Map(), edits: [] };
    const file = { text, version: ++versions, known: new Map(), open: new Map(), ...presumptions };
    files.set(path, file);
    return file;
  }
}

/** The answers and assumptions about a text, at the places that an edit has not touched. */
function presumedOf(file: FileTypes, text: string): Pick<FileTypes, 'presumed' | 'edits'> {
  const [start, end] = differenceOf(file.text, text);
  const by = text.length - file.text.length;
  const isAnswered = file.known.size > 0 && file.open.size === 0;
  const presumed = new Map<string, Typed>();
  for (const { range, type } of [
    ...(isAnswered ? [] : file.presumed.values()),
    ...file.known.values(),
  ]) {
    const [from, to] = range;
    // no veto: the edited part is asked about again.
    if (!type || (from <= end && start <= to)) continue;
    const moved: Range = from > end ? [from + by, to + by] : range;
    presumed.set(keyOf(moved), { range: moved, type });
  }
  let written: Range = [start, end + by];
  const edits: Range[] = [];
  for (const [from, to] of isAnswered ? [] : file.edits) {
    if (to < start) edits.push([from, to]);
    else if (from > end) edits.push([from + by, to + by]);
    else written = [Math.min(from, written[0]), Math.max(to + by, written[1])];
  }
  return { presumed, edits: text === file.text ? edits : [...edits, written] };
}

function isTouched(node: Parameters<typeof functionAround>[0], edits: readonly Range[]): boolean {
  const fn = functionAround(node);
  return fn !== undefined && edits.some(([start, end]) => startsAt(fn) < end && start < endsAt(fn));
}

const NOTHING_ASKED = { text: '', version: 0, open: new Map<string, Typed>() };

function keyOf([start, end]: Range): string {
  return `${start}:${end}`;
}
