import { relative, sep } from 'node:path';
import type { NameKind } from '../analysis/file/source.ts';
import { isExcludedName } from './excluded-names.ts';
import { type EntryKind, type Files, within } from './files.ts';
import { inTurns } from './in-turns.ts';
import type { NameKey } from './text-names.ts';
import { contains, type Tree } from './tree.ts';

/** A folder with a manifest, without the packages inside of it. */
export interface Package {
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
/** The packages of repositories and the code in them, each folder listed once until `forget`. */
export class TextPackages {
  readonly #files: Files;
  readonly #tree: Tree;
  readonly #packages = new Map<string, Package | undefined>();
  /** The packages of a repository. */
  readonly #repositories = new Map<string, readonly Package[] | undefined>();
  readonly #listings = new Map<string, ReadonlyMap<string, EntryKind> | undefined>();
  readonly #next = inTurns(this.#listings);

  constructor(files: Files, tree: Tree) {
    this.#files = files;
    this.#tree = tree;
  }

  get isEmpty(): boolean {
    return this.#packages.size === 0;
  }

  /** That of a directory, if it has been listed. */
  listed(directory: string): Package | undefined {
    return this.#packages.get(directory);
  }

  /** Whether one of the next folders, at most so many, has changed since it was listed. */
  hasStale(most: number): boolean {
    return this.#next(most).some(
      ([folder, listing]) => !isSameListing(listing, this.#files.list(folder)?.kinds),
    );
  }

  forget(): void {
    this.#packages.clear();
    this.#repositories.clear();
    this.#listings.clear();
  }

  /** Those of the repository at `root`; undefined where they have too many files. */
  ofRepository(root: string): readonly Package[] | undefined {
    if (!this.#repositories.has(root)) this.#repositories.set(root, this.#from(root));
    return this.#repositories.get(root);
  }

  #from(root: string): readonly Package[] | undefined {
    const found: Package[] = [];
    const open = [root];
    const visited = new Set<string>();
    let count = 0;
    for (let it = open.pop(); it !== undefined; it = open.pop()) {
      const real = this.#tree.real(it, root);
      if (visited.has(real)) continue;
      visited.add(real);
      const its = this.at(it);
      if (!its) return undefined;
      count += its.files.size + its.folders;
      if (count > MOST_ENTRIES) return undefined;
      found.push(its);
      open.push(...its.inner);
    }
    return found;
  }

  /** Undefined where it has too many files. */
  at(directory: string): Package | undefined {
    if (!this.#packages.has(directory)) this.#packages.set(directory, this.#in(directory));
    return this.#packages.get(directory);
  }

  #in(directory: string): Package | undefined {
    const found = new Set<string>();
    const inner: string[] = [];
    const visited = new Set<string>();
    const root = this.#tree.rootOf(directory);
    const top = this.#tree.real(root, root);
    const open = [{ folder: directory, isSource: false }];
    for (let it = open.pop(); it !== undefined; it = open.pop()) {
      const { folder } = it;
      // A link may lead around in circles.
      const real = this.#tree.real(folder, root);
      if (visited.has(real) || !contains(top, real)) continue;
      visited.add(real);
      const listing = this.#tree.list(folder);
      if (folder !== directory && listing?.get('package.json') === 'file') {
        inner.push(folder);
        continue;
      }
      this.#listings.set(folder, listing);
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

/** Whether a file below its folder is searched. */
export function isCodeOf({ directory }: Package, path: string): boolean {
  const folders = relative(directory, path).split(sep);
  const name = folders.pop()!;
  const isFound = (folder: string, i: number) =>
    !isOther(folder, folders.slice(0, i).includes('src'));
  return isCode(name) && folders.every(isFound);
}

function isSameListing(
  a: ReadonlyMap<string, EntryKind> | undefined,
  b: ReadonlyMap<string, EntryKind> | undefined,
): boolean {
  return a?.size === b?.size && [...(a ?? [])].every(([name, kind]) => b?.get(name) === kind);
}
