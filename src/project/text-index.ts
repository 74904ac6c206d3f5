import { dirname } from 'node:path';
import type { NameKind } from '../analysis/file/source.ts';
import type { Files } from './files.ts';
import { type NamesOptions, NamesOfTexts } from './names-of-texts.ts';
import { isAsked, kindOf, type NameKey } from './text-names.ts';
import { isCodeOf, type Package, TextPackages } from './text-packages.ts';
import type { Tree } from './tree.ts';

/**
 * Which files contain a name: create something of a type, in the repository (named-types.ts), assign to an object of a
 * different file under it, in the package (put-names.ts), or define the model with that name (model-names.ts). Nothing is read
 * before the first question. Tests and copies of code create nothing that the project runs with.
 */
export interface TextIndex {
  /** In order of their paths; undefined where they are too many, or there are too many files to search. */
  filesNaming(kind: NameKind, name: string, from: string): readonly string[] | undefined;
  /**
   * The text of a file has changed, or the file was added or removed: the names for which the list of other files has changed.
   */
  update(path: string): readonly NameKey[];
  /** Folders or packages came or went. */
  forgetFolders(): void;
  /**
   * Files that have changed since they were read. Checks so few of them per call that an editor's user does not notice, each
   * time the next ones; forgets the folders where one of them has changed.
   */
  stale(): readonly string[];
  /** The names in a file, for every question. */
  namesOf(path: string): ReadonlySet<NameKey>;
  /** The names in the files that have been asked about. */
  known(): Iterable<readonly [path: string, names: ReadonlySet<NameKey>]>;
}

/** A name in more files than this has little meaning. */
const MOST_NAMING = 24;
/** At one look. */
const LOOKS = { files: 256, folders: 64 };

export interface TextIndexOptions extends NamesOptions {
  /** Whether only browsers run the file at a path: other code does not use the types that it creates. */
  readonly isBrowsers?: (path: string) => boolean;
}

export function textIndexOf(files: Files, tree: Tree, options: TextIndexOptions = {}): TextIndex {
  return new IndexOfTexts(files, tree, options);
}

class IndexOfTexts implements TextIndex {
  readonly #files: Files;
  readonly #tree: Tree;
  readonly #options: TextIndexOptions;
  readonly #names: NamesOfTexts;
  readonly #packages: TextPackages;
  readonly #answers = new Map<string, Map<NameKey, readonly string[] | undefined>>();

  constructor(files: Files, tree: Tree, options: TextIndexOptions) {
    this.#files = files;
    this.#tree = tree;
    this.#options = options;
    this.#names = new NamesOfTexts(files, tree, options);
    this.#packages = new TextPackages(files, tree);
  }

  filesNaming(kind: NameKind, name: string, from: string): readonly string[] | undefined {
    const scope = isAsked(kind, name) ? this.#scopeOf(kind, dirname(from)) : undefined;
    if (scope === undefined) return undefined;
    const key: NameKey = `${kind} ${name}`;
    let its = this.#answers.get(scope);
    if (!its) this.#answers.set(scope, (its = new Map()));
    if (!its.has(key)) its.set(key, this.#answerIn(kind, scope, key));
    return its.get(key);
  }

  #scopeOf(kind: NameKind, directory: string): string | undefined {
    return kind === 'type' ? this.#tree.markedRootOf(directory) : this.#packageOf(directory);
  }

  #packageOf(directory: string): string {
    return this.#tree.packageOf(directory) ?? this.#tree.rootOf(directory);
  }

  #answerIn(kind: NameKind, scope: string, key: NameKey): readonly string[] | undefined {
    const all = kind === 'type' ? this.#packages.ofRepository(scope) : this.#packages.at(scope);
    const found =
      all && [all].flat().flatMap((it) => [...(this.#byNameIn(it, kind).get(key) ?? [])]);
    return found && found.length <= MOST_NAMING ? found.sort() : undefined;
  }

  #byNameIn(its: Package, kind: NameKind): ReadonlyMap<NameKey, ReadonlySet<string>> {
    if (its.kinds.includes(kind)) return its.byName;
    its.kinds = [...its.kinds, kind];
    for (const path of its.files)
      for (const name of this.#namesThatCount(path, [kind])) add(its.byName, name, path);
    return its.byName;
  }

  #namesThatCount(path: string, kinds: readonly NameKind[]): readonly NameKey[] {
    const isBrowsers = this.#options.isBrowsers?.(path) ?? false;
    const counted = isBrowsers ? kinds.filter((it) => it !== 'type') : kinds;
    if (counted.length === 0) return [];
    return [...this.#names.of(path, counted)].filter((it) => counted.includes(kindOf(it)));
  }

  update(path: string): readonly NameKey[] {
    const before = this.#names.forget(path);
    const packages = this.#packages;
    const its = packages.isEmpty ? undefined : packages.listed(this.#packageOf(dirname(path)));
    if (!its || !isCodeOf(its, path)) return [];
    const text = this.#files.read(path);
    if (text === undefined) its.files.delete(path);
    else its.files.add(path);
    if (its.kinds.length === 0) return [];
    const after = new Set(text === undefined ? [] : this.#namesThatCount(path, its.kinds));
    const gone = [...before].filter((it) => !after.has(it));
    const come = [...after].filter((it) => !before.has(it));
    for (const it of gone) its.byName.get(it)?.delete(path);
    for (const it of come) add(its.byName, it, path);
    const changed = [...gone, ...come];
    for (const answered of this.#answers.values()) for (const it of changed) answered.delete(it);
    return changed;
  }

  forgetFolders(): void {
    this.#packages.forget();
    this.#answers.clear();
  }

  stale(): readonly string[] {
    if (this.#packages.hasStale(LOOKS.folders)) this.forgetFolders();
    return this.#names.stale(LOOKS.files);
  }

  namesOf(path: string): ReadonlySet<NameKey> {
    return this.#names.of(path);
  }

  *known(): Iterable<readonly [path: string, names: ReadonlySet<NameKey>]> {
    for (const path of this.#names.paths()) yield [path, this.#names.of(path)];
  }
}

function add(byName: Map<NameKey, Set<string>>, name: NameKey, path: string): void {
  const found = byName.get(name);
  if (found) found.add(path);
  else byName.set(name, new Set([path]));
}
