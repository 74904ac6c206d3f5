import { factsOf, forgetFacts as forgetFactsAt } from '../analysis/facts.ts';
import type { Source } from '../analysis/file/source.ts';
import { askingOf, type Entry, forgetAsked, newEntry, renewGround, weightOf } from './entry.ts';
import type { Files } from './files.ts';
import type { ModulesOptions } from './modules-options.ts';
import type { Tree } from './tree.ts';

/** Some 100,000 lines. With it, scanning a monorepo of 680,000 lines takes 300 MB at most. */
const MAXIMUM_TEXT = 3_500_000;
/** What stays at the limit, so that not every file after it has others dropped. */
const KEPT_SHARE = 0.8;

interface EntriesOptions {
  readonly files: Files;
  readonly tree: Tree;
  /** The texts of an editor, by path. */
  readonly overlays: ReadonlyMap<string, string>;
  readonly earlier: ModulesOptions['earlier'];
  readonly maximumText: number | undefined;
}

/** The states of the files of a project: their texts, trees and facts, within the limit of what may be held. */
export class Entries {
  readonly #options: EntriesOptions;
  readonly #all = new Map<string, Entry>();
  readonly #maximumText: number;
  #parsedText = 0;
  /** Of it, what has been parsed since the last `trim`. */
  #freshText = 0;
  #uses = 0;

  constructor(options: EntriesOptions) {
    this.#options = options;
    this.#maximumText = options.maximumText ?? MAXIMUM_TEXT;
  }

  /** Those that exist so far. */
  get all(): ReadonlyMap<string, Entry> {
    return this.#all;
  }

  at(path: string): Entry {
    let entry = this.#all.get(path);
    if (!entry) {
      entry = newEntry(path, this.#options.earlier?.(path));
      this.#all.set(path, entry);
    }
    return entry;
  }

  /** With its text, where the file may be read. */
  read(path: string): Entry {
    const entry = this.at(path);
    if (entry.text !== undefined || entry.source) return entry;
    entry.isReadable = entry.earlier?.isReadable ?? this.isReadable(path);
    if (entry.isReadable) {
      const { files } = this.#options;
      entry.stamp = files.stamp(path);
      entry.text = files.read(path);
    }
    return entry;
  }

  isReadable(path: string): boolean {
    const { overlays, tree } = this.#options;
    return overlays.has(path) || tree.isInside(path);
  }

  /** As `read`; `trim` drops what was used last at the end. */
  use(path: string): Entry {
    const entry = this.read(path);
    entry.lastUse = ++this.#uses;
    return entry;
  }

  /** A host has parsed the file. */
  adopt(source: Source): void {
    const entry = this.at(source.path);
    this.#drop(entry);
    entry.text = source.text;
    entry.stamp = this.#options.files.stamp(source.path);
    this.hold(entry, source);
  }

  hold(entry: Entry, source: Source): void {
    entry.source = source;
    const { before } = entry;
    entry.before = undefined;
    // What it has asked is asked again, and what others know of it is computed again, unless its facts have outlasted the edit.
    if (before && factsOf(source) !== before) {
      forgetAsked(entry);
      this.#forgetAsking(entry);
    }
    entry.previous = undefined;
    this.#parsedText += weightOf(source);
    this.#freshText += weightOf(source);
  }

  /** The text cannot be parsed. */
  leaveBroken(entry: Entry): void {
    entry.isBroken = true;
    if (entry.before) this.#forgetAsking(entry);
  }

  /** Forgets the facts of those that have asked the file: they rest on earlier facts of it. */
  #forgetAsking(entry: Entry): void {
    const asking = new Set(askingOf(this.#all, [entry.path]));
    asking.delete(entry.path);
    this.#forgetFacts(asking);
    renewGround(entry);
  }

  #drop(entry: Entry): void {
    if (entry.before) entry.facts = undefined;
    else forgetFactsOf(entry);
    if (entry.source) this.#parsedText -= weightOf(entry.source);
    entry.source = undefined;
    entry.previous = undefined;
    entry.isBroken = false;
    entry.text = undefined;
    entry.hash = undefined;
    entry.spelled = undefined;
    entry.offered = undefined;
  }

  /** Forgets the texts of files, and the facts of those that have asked them or are among `others`, however far. Returns all their paths. */
  forget(paths: readonly string[], others: readonly string[]): ReadonlySet<string> {
    const stale = this.forgetAround([...paths, ...others]);
    this.letGo(paths);
    return stale;
  }

  /**
   * As `forget`, after an edit of a file: its facts may outlast it, unless it is among `others`, and with them what rests on them.
   * Returns the paths of all that may depend on the edit.
   */
  edit(path: string, others: readonly string[]): ReadonlySet<string> {
    const entry = this.at(path);
    const stale = askingOf(this.#all, [path, ...others]);
    if (entry.source) entry.before = factsOf(entry.source);
    const lasts = entry.before !== undefined && !others.includes(path);
    // What others know of a broken file is that it is broken.
    const isKnown = lasts && !entry.isBroken;
    const forgotten = new Set(isKnown ? askingOf(this.#all, others) : stale);
    if (lasts) forgotten.delete(path);
    this.#forgetFacts(forgotten);
    this.letGo([path]);
    return stale;
  }

  /** Forgets the facts of files and of those that have asked them. Returns all their paths. */
  forgetAround(paths: readonly string[]): ReadonlySet<string> {
    const stale = askingOf(this.#all, paths);
    this.#forgetFacts(stale);
    return stale;
  }

  /** Forgets all facts, and not what they were drawn from: that has not changed. */
  computeAgain(): void {
    for (const it of this.#all.values()) forgetFactsOf(it);
  }

  /** Forgets the facts of files alone. */
  #forgetFacts(paths: Iterable<string>): void {
    for (const it of paths) {
      const entry = this.#all.get(it);
      if (!entry) continue;
      forgetFactsOf(entry);
      forgetAsked(entry);
    }
  }

  /** The texts must be read again. */
  letGo(paths: readonly string[]): void {
    for (const entry of paths.flatMap((it) => this.#all.get(it) ?? [])) {
      const isOpen = this.#options.overlays.has(entry.path);
      const previous = isOpen ? (entry.source ?? entry.previous) : undefined;
      this.#drop(entry);
      entry.previous = previous;
      entry.stamp = undefined;
    }
  }

  /** Drops trees once there are too many. */
  trim(): void {
    if (this.#freshText <= this.#maximumText / 8 && this.#parsedText <= this.#maximumText) return;
    this.#freshText = 0;
    const parsed = [...this.#all.values()].filter((it) => it.source);
    // Most hosts do not ask for a file scanned before, and no requested file depends on an unrequested one.
    for (const it of parsed)
      if (!it.isAsked && !this.#options.overlays.has(it.path)) this.#drop(it);
    if (this.#parsedText <= this.#maximumText) return;
    // No facts stay: those of one file keep alive the trees of the files that it has asked.
    const asked = parsed.filter((it) => it.source).sort((a, b) => a.lastUse - b.lastUse);
    for (const entry of asked) forgetFactsOf(entry);
    for (const entry of asked) {
      if (this.#parsedText <= this.#maximumText * KEPT_SHARE) return;
      this.#drop(entry);
    }
  }
}

function forgetFactsOf(entry: Entry): void {
  const source = entry.source ?? entry.previous;
  if (source) forgetFactsAt(source.ast);
  entry.facts = undefined;
  entry.before = undefined;
  entry.offered = undefined;
  renewGround(entry);
}
