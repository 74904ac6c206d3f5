import type { FileFacts } from '../facts/file.ts';
import type { Source } from '../facts/source.ts';
import type { Basis } from './basis.ts';
import { exportedNames } from './exported-names.ts';
import { MAXIMUM_FILE, type NameKey } from './text-names.ts';

/** What is held of one file. */
export interface Entry extends Basis {
  readonly path: string;
  /** What is known of it from before (`ModulesOptions.earlier`). */
  readonly earlier: Basis | undefined;
  text: string | undefined;
  stamp: string | undefined;
  source: Source | undefined;
  previous: Source | undefined;
  isBroken: boolean;
  facts: FileFacts | undefined;
  hash: string | undefined;
  /** The names that the text can export; 'any' where it does not spell them all. */
  offered: ReadonlySet<string> | 'any' | undefined;
  /** Another file has imported it: the next one may as well. */
  isAsked: boolean;
  lastUse: number;
  /** Kept when the tree is dropped: others rest on it. */
  readonly asked: Map<string, string | undefined>;
  readonly naming: Map<NameKey, readonly string[] | undefined>;
  readonly versions: Map<string, string | undefined>;
  root: string | undefined;
  deployment: string | undefined;
  isReadable: boolean | undefined;
}

export function newEntry(path: string, earlier: Basis | undefined): Entry {
  return {
    path,
    earlier,
    text: undefined,
    stamp: undefined,
    source: undefined,
    previous: undefined,
    isBroken: false,
    facts: undefined,
    hash: undefined,
    offered: undefined,
    isAsked: false,
    lastUse: 0,
    asked: new Map(),
    naming: new Map(),
    versions: new Map(),
    root: undefined,
    deployment: undefined,
    isReadable: undefined,
  };
}

/** Reading is cheap, parsing is not: behind `export *` of a hundred files, one exports the name. */
export function mayExport(entry: Entry, name: string | undefined): boolean {
  if (entry.text === undefined) return false;
  // Refused before it is parsed.
  if (entry.text.length > MAXIMUM_FILE) return true;
  if (name === undefined || !/^(?!(?:default|require)$)[\w$]+$/.test(name)) return true;
  entry.offered ??= exportedNames(entry.text) ?? 'any';
  return entry.offered === 'any' || entry.offered.has(name);
}

/** As it was answered before, else as `ask` answers. */
export function answerOf<Question, Answer>(
  earlier: ReadonlyMap<Question, Answer> | undefined,
  question: Question,
  ask: () => Answer,
): Answer {
  return earlier?.has(question) ? (earlier.get(question) as Answer) : ask();
}

/** The paths of the files that the facts of this one have been drawn from, without those that they rest on in turn. */
export function targetsOf({ asked, naming }: Pick<Basis, 'asked' | 'naming'>): readonly string[] {
  const found = [...asked.values(), ...[...naming.values()].flatMap((it) => it ?? [])];
  return found.filter((it) => it !== undefined);
}

export function isSameList(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): boolean {
  return a === b || (a?.length === b?.length && (a ?? []).every((it, i) => it === b?.[i]));
}
