import type { NameKind } from '../analysis/file/source.ts';
import type { Files } from './files.ts';
import { inTurns } from './in-turns.ts';
import { NAME_KINDS, type NameKey, namesIn, NO_NAMES } from './text-names.ts';
import type { Tree } from './tree.ts';

/** How the names of texts are read. */
export interface NamesOptions {
  /** The names in the text of a file, without reading it, where cached. */
  readonly earlier?: ((path: string) => ReadonlySet<NameKey> | undefined) | undefined;
  /** Names of all kinds will be asked for, to be kept. */
  readonly isKept?: boolean | undefined;
}

interface Known {
  /** Undefined for one that was not read here. */
  readonly stamp: string | undefined;
  readonly names: ReadonlySet<NameKey>;
  /** Those of which it has the names: looking for each takes its time. */
  readonly kinds: readonly NameKind[];
}

/** The names in the texts of files, which are read when they are first asked for. */
export class NamesOfTexts {
  readonly #files: Files;
  readonly #tree: Tree;
  readonly #options: NamesOptions;
  readonly #known = new Map<string, Known>();
  readonly #next = inTurns(this.#known);

  constructor(files: Files, tree: Tree, options: NamesOptions) {
    this.#files = files;
    this.#tree = tree;
    this.#options = options;
  }

  /** At least those of the wanted kinds. */
  of(path: string, wanted: readonly NameKind[] = NAME_KINDS): ReadonlySet<NameKey> {
    const it = this.#known.get(path);
    const missing = wanted.filter((kind) => !it?.kinds.includes(kind));
    if (it && missing.length === 0) return it.names;
    const kinds = this.#options.isKept ? NAME_KINDS : missing;
    const before = it ? undefined : this.#options.earlier?.(path);
    // Before it is read: what is written meanwhile looks stale.
    const stamp = it ? it.stamp : before ? undefined : this.#files.stamp(path);
    const found = before ?? namesIn(this.#readable(path), path, kinds);
    const names = it ? new Set([...it.names, ...found]) : found;
    this.#known.set(path, {
      stamp,
      names,
      kinds: before ? NAME_KINDS : [...(it?.kinds ?? []), ...kinds],
    });
    return names;
  }

  #readable(path: string): string {
    return (this.#tree.isInside(path) ? this.#files.read(path) : undefined) ?? '';
  }

  /** Returns the names of the text so far. */
  forget(path: string): ReadonlySet<NameKey> {
    const names = this.#known.get(path)?.names ?? NO_NAMES;
    this.#known.delete(path);
    return names;
  }

  /** Of the next files, at most so many: those that have changed since they were read. */
  stale(most: number): readonly string[] {
    return this.#next(most).flatMap(([path, { stamp }]) =>
      stamp === this.#files.stamp(path) ? [] : [path],
    );
  }

  /** The files that have been asked about. */
  paths(): readonly string[] {
    return [...this.#known.keys()];
  }
}
