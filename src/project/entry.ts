import { type Dependency, invalidateFile, newDependency } from '../engine/dependencies.ts';
import type { FileFacts } from '../analysis/file/file.ts';
import type { Source } from '../analysis/file/source.ts';
import type { Basis } from './basis.ts';
import type { Offered } from './barrels.ts';
import type { SpelledExports } from './exported-names.ts';
import type { NameKey } from './text-names.ts';

/** What is held of one file. */
export interface Entry extends Basis {
  readonly path: string;
  /** The facts of its earlier text (`ModulesOptions.earlier`). */
  readonly earlier: Basis | undefined;
  text: string | undefined;
  stamp: string | undefined;
  source: Source | undefined;
  previous: Source | undefined;
  isBroken: boolean;
  facts: FileFacts | undefined;
  /** Those of the text before an edit, which may outlast it. */
  before: FileFacts | undefined;
  /** What answers about other files rest on that have asked this one. */
  ground: Dependency;
  hash: string | undefined;
  /** What the text can export. */
  spelled: SpelledExports | 'nothing tells' | undefined;
  /** The same together with what is behind its `export *`; 'any' where not all of that is spelled. */
  offered: Offered | 'any' | undefined;
  /** Another file has imported it: the next one may as well. */
  isAsked: boolean;
  lastUse: number;
  /** Kept when the tree is dropped: others rest on it. */
  readonly asked: Map<string, string | undefined>;
  readonly naming: Map<NameKey, readonly string[] | undefined>;
  readonly versions: Map<string, string | undefined>;
  root: string | undefined;
  deployment: string | undefined;
  runsInBrowsers: boolean | undefined;
  isReadable: boolean | undefined;
}

/** Results that depend on the earlier file must be recomputed. */
export function renewGround(entry: Entry): void {
  invalidateFile(entry.ground);
  entry.ground = newDependency();
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
    before: undefined,
    ground: newDependency(),
    hash: undefined,
    spelled: undefined,
    offered: undefined,
    isAsked: false,
    lastUse: 0,
    asked: new Map(),
    naming: new Map(),
    versions: new Map(),
    root: undefined,
    deployment: undefined,
    runsInBrowsers: undefined,
    isReadable: undefined,
  };
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

/** Every file whose text the facts of `path` have been drawn from so far, without `path`. */
export function reachedFrom(entries: ReadonlyMap<string, Entry>, path: string): readonly string[] {
  const found = new Set([path]);
  for (const it of found) {
    const entry = entries.get(it);
    if (entry) for (const target of targetsOf(entry)) found.add(target);
  }
  found.delete(path);
  return [...found].sort();
}

function hasAsking(entries: ReadonlyMap<string, Entry>, paths: ReadonlySet<string>): boolean {
  for (const { asked, naming } of entries.values()) {
    for (const it of asked.values()) if (it !== undefined && paths.has(it)) return true;
    for (const them of naming.values()) if (them?.some((it) => paths.has(it))) return true;
  }
  return false;
}

/** The files, and those that have asked them, however far. */
export function askingOf(
  entries: ReadonlyMap<string, Entry>,
  paths: readonly string[],
): ReadonlySet<string> {
  const stale = new Set(paths);
  // Most edited files have no dependants.
  if (stale.size === 0 || !hasAsking(entries, stale)) return stale;
  const asking = new Map<string, string[]>();
  for (const entry of entries.values()) {
    for (const target of targetsOf(entry)) {
      const known = asking.get(target);
      if (known) known.push(entry.path);
      else asking.set(target, [entry.path]);
    }
  }
  for (const it of stale) for (const from of asking.get(it) ?? []) stale.add(from);
  return stale;
}

/** What it has asked is asked again. */
export function forgetAsked(entry: Entry): void {
  entry.asked.clear();
  entry.naming.clear();
  entry.versions.clear();
  entry.root = undefined;
  entry.deployment = undefined;
}

/** A file takes as much as so many characters more, however short it is: the facts of a finding some 60 kB (measured). */
const FOR_EACH_FILE = 600;

/** What a tree and its facts take, in characters of the text. */
export function weightOf({ text }: Source): number {
  return text.length + FOR_EACH_FILE;
}
