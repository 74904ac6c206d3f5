import { dirname, relative, sep } from 'node:path';
import type { NameKind } from '../analysis/file/source.ts';
import { isExcludedName } from './excluded-names.ts';
import { type EntryKind, type Files, within } from './files.ts';
import { isAsked, kindOf, NAME_KINDS, type NameKey, namesIn, NO_NAMES } from './text-names.ts';
import { contains, type Tree } from './tree.ts';

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
  /** Of the files that have been asked about. */
  known(): Iterable<readonly [path: string, names: ReadonlySet<NameKey>]>;
}

interface Known {
  /** Undefined for one that was not read here. */
  readonly stamp: string | undefined;
  readonly names: ReadonlySet<NameKey>;
  /** Those of which it has the names: looking for each takes its time. */
  readonly kinds: readonly NameKind[];
}

/** A folder with a manifest, without the packages inside of it. */
interface Package {
  readonly directory: string;
  readonly files: Set<string>;
  /** How many. */
  readonly folders: number;
  readonly inner: readonly string[];
  readonly byName: Map<NameKey, Set<string>>;
  /** The files in `byName`, because a question has asked for their names. */
  kinds: readonly NameKind[];
}

const CODE = /(?<!\.min)\.[cm]?[jt]sx?$/;
const FOREIGN = /^(?:\..*|node_modules|bower_components|vendors?|third[-_]party)$/;
/** What is built, and what only browsers get. */
const WRITTEN = /^(?:dist|build|out|coverage|public|static)$/;

/** Files and folders. */
const MOST_ENTRIES = 20_000;
/** A name in more files than this has little meaning. */
const MOST_NAMING = 24;
/** At one look. */
const LOOKS = { files: 256, folders: 64 };

export interface TextIndexOptions {
  /** The names in the text of a file, without reading it, where cached. */
  readonly earlier?: ((path: string) => ReadonlySet<NameKey> | undefined) | undefined;
  /** Names of all kinds will be asked for, to be kept. */
  readonly isKept?: boolean | undefined;
  /** Whether only browsers run the file at a path: what it makes of a type, nothing else is given. */
  readonly isBrowsers?: (path: string) => boolean;
}

export function textIndexOf(
  files: Files,
  tree: Tree,
  { earlier, isKept = false, isBrowsers = () => false }: TextIndexOptions = {},
): TextIndex {
  const known = new Map<string, Known>();
  const packages = new Map<string, Package | undefined>();
  /** The packages of a repository. */
  const repositories = new Map<string, readonly Package[] | undefined>();
  const answers = new Map<string, Map<NameKey, readonly string[] | undefined>>();
  const listings = new Map<string, ReadonlyMap<string, EntryKind> | undefined>();
  const nextFile = inTurns(known);
  const nextFolder = inTurns(listings);

  return {
    filesNaming(kind, name, from) {
      const scope = isAsked(kind, name) ? scopeOf(kind, dirname(from)) : undefined;
      if (scope === undefined) return undefined;
      const key: NameKey = `${kind} ${name}`;
      let its = answers.get(scope);
      if (!its) answers.set(scope, (its = new Map<NameKey, readonly string[] | undefined>()));
      if (!its.has(key)) its.set(key, answerIn(kind, scope, key));
      return its.get(key);
    },
    update(path) {
      const before = known.get(path)?.names ?? NO_NAMES;
      known.delete(path);
      const directory = dirname(path);
      const its = packages.size > 0 ? packages.get(packageOf(directory)) : undefined;
      if (!its || !isCodeOf(its, path)) return [];
      const text = files.read(path);
      if (text === undefined) its.files.delete(path);
      else its.files.add(path);
      if (its.kinds.length === 0) return [];
      const after = new Set(text === undefined ? [] : namesThatCount(path, its.kinds));
      const gone = [...before].filter((it) => !after.has(it));
      const come = [...after].filter((it) => !before.has(it));
      for (const it of gone) its.byName.get(it)?.delete(path);
      for (const it of come) add(its.byName, it, path);
      const changed = [...gone, ...come];
      for (const answered of answers.values()) for (const it of changed) answered.delete(it);
      return changed;
    },
    forgetFolders,
    stale() {
      for (const [folder, listing] of nextFolder(LOOKS.folders)) {
        if (isSameListing(listing, files.list(folder)?.kinds)) continue;
        forgetFolders();
        break;
      }
      return nextFile(LOOKS.files).flatMap(([path, { stamp }]) =>
        stamp === files.stamp(path) ? [] : [path],
      );
    },
    namesOf: (path) => namesAt(path, NAME_KINDS),
    *known() {
      for (const path of [...known.keys()]) yield [path, namesAt(path, NAME_KINDS)];
    },
  };

  function forgetFolders(): void {
    packages.clear();
    repositories.clear();
    answers.clear();
    listings.clear();
  }

  function scopeOf(kind: NameKind, directory: string): string | undefined {
    return kind === 'type' ? tree.markedRootOf(directory) : packageOf(directory);
  }

  function packageOf(directory: string): string {
    return tree.packageOf(directory) ?? tree.rootOf(directory);
  }

  function answerIn(kind: NameKind, scope: string, key: NameKey): readonly string[] | undefined {
    const all = kind === 'type' ? repositoryAt(scope) : packageAt(scope);
    const found = all && [all].flat().flatMap((it) => [...(byNameIn(it, kind).get(key) ?? [])]);
    return found && found.length <= MOST_NAMING ? found.sort() : undefined;
  }

  function byNameIn(its: Package, kind: NameKind): ReadonlyMap<NameKey, ReadonlySet<string>> {
    if (its.kinds.includes(kind)) return its.byName;
    its.kinds = [...its.kinds, kind];
    for (const path of its.files)
      for (const name of namesThatCount(path, [kind])) add(its.byName, name, path);
    return its.byName;
  }

  function namesThatCount(path: string, kinds: readonly NameKind[]): readonly NameKey[] {
    const counted = isBrowsers(path) ? kinds.filter((it) => it !== 'type') : kinds;
    if (counted.length === 0) return [];
    return [...namesAt(path, counted)].filter((it) => counted.includes(kindOf(it)));
  }

  function namesAt(path: string, wanted: readonly NameKind[]): ReadonlySet<NameKey> {
    const it = known.get(path);
    const missing = wanted.filter((kind) => !it?.kinds.includes(kind));
    if (it && missing.length === 0) return it.names;
    const kinds = isKept ? NAME_KINDS : missing;
    const before = it ? undefined : earlier?.(path);
    // Before it is read: what is written meanwhile looks stale.
    const stamp = it ? it.stamp : before ? undefined : files.stamp(path);
    const found = before ?? namesIn(readable(path), path, kinds);
    const names = it ? new Set([...it.names, ...found]) : found;
    known.set(path, {
      stamp,
      names,
      kinds: before ? NAME_KINDS : [...(it?.kinds ?? []), ...kinds],
    });
    return names;
  }

  function readable(path: string): string {
    return (tree.isInside(path) ? files.read(path) : undefined) ?? '';
  }

  function repositoryAt(root: string): readonly Package[] | undefined {
    if (!repositories.has(root)) repositories.set(root, packagesFrom(root));
    return repositories.get(root);
  }

  function packagesFrom(root: string): readonly Package[] | undefined {
    const found: Package[] = [];
    const open = [root];
    const visited = new Set<string>();
    let count = 0;
    for (let it = open.pop(); it !== undefined; it = open.pop()) {
      const real = tree.real(it, root);
      if (visited.has(real)) continue;
      visited.add(real);
      const its = packageAt(it);
      if (!its) return undefined;
      count += its.files.size + its.folders;
      if (count > MOST_ENTRIES) return undefined;
      found.push(its);
      open.push(...its.inner);
    }
    return found;
  }

  function packageAt(directory: string): Package | undefined {
    if (!packages.has(directory)) packages.set(directory, packageIn(directory));
    return packages.get(directory);
  }

  function packageIn(directory: string): Package | undefined {
    const found = new Set<string>();
    const inner: string[] = [];
    const visited = new Set<string>();
    const root = tree.rootOf(directory);
    const top = tree.real(root, root);
    const open = [{ folder: directory, isSource: false }];
    for (let it = open.pop(); it !== undefined; it = open.pop()) {
      const { folder } = it;
      // A link may lead around in circles.
      const real = tree.real(folder, root);
      if (visited.has(real) || !contains(top, real)) continue;
      visited.add(real);
      const listing = tree.list(folder);
      if (folder !== directory && listing?.get('package.json') === 'file') {
        inner.push(folder);
        continue;
      }
      listings.set(folder, listing);
      for (const [name, kind] of listing ?? []) {
        if (kind === 'file' ? !isCode(name) : isOther(name, it.isSource)) continue;
        const path = within(folder, name);
        if (kind === 'file') found.add(path);
        else open.push({ folder: path, isSource: it.isSource || name === 'src' });
      }
      if (found.size + visited.size > MOST_ENTRIES) return undefined;
    }
    return {
      ...{ directory, files: found, folders: visited.size, inner },
      ...{ byName: new Map<NameKey, Set<string>>(), kinds: [] },
    };
  }
}

function isCode(name: string): boolean {
  return CODE.test(name) && !isExcludedName(name);
}

/** Whether a folder holds nothing that was written for what the project runs. */
function isOther(name: string, isSource: boolean): boolean {
  return FOREIGN.test(name) || isExcludedName(name) || (!isSource && WRITTEN.test(name));
}

function isCodeOf({ directory }: Package, path: string): boolean {
  const folders = relative(directory, path).split(sep);
  const name = folders.pop()!;
  const isFound = (folder: string, i: number) =>
    !isOther(folder, folders.slice(0, i).includes('src'));
  return isCode(name) && folders.every(isFound);
}

function add(byName: Map<NameKey, Set<string>>, name: NameKey, path: string): void {
  const found = byName.get(name);
  if (found) found.add(path);
  else byName.set(name, new Set([path]));
}

function isSameListing(
  a: ReadonlyMap<string, EntryKind> | undefined,
  b: ReadonlyMap<string, EntryKind> | undefined,
): boolean {
  return a?.size === b?.size && [...(a ?? [])].every(([name, kind]) => b?.get(name) === kind);
}

/** The next entries of a map at each call, from its beginning once all had their turn. */
function inTurns<T>(
  entries: ReadonlyMap<string, T>,
): (most: number) => readonly (readonly [string, T])[] {
  let left: Iterator<[string, T], undefined> | undefined;
  return (most) => {
    const found: (readonly [string, T])[] = [];
    left ??= entries.entries();
    while (found.length < most) {
      const next = left.next();
      if (next.done) {
        left = undefined;
        break;
      }
      found.push(next.value);
    }
    return found;
  };
}
