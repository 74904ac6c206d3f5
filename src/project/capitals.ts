import { basename, dirname, join, sep } from 'node:path';
import { contains, type EntryKind, type Files } from './files.ts';
import type { Folders } from './folders.ts';

/** Of code or a declaration. */
const EXTENSION = /(?:\.d)?\.[cm]?[jt]sx?$/;

/** How paths are spelled on a file system that ignores case, with the folders listed by `folders`. */
export class Capitals {
  readonly #folders: Folders;
  readonly #files: Pick<Files, 'stamp'>;
  readonly #spelled = new Map<string, ReadonlyMap<string, Spelled>>();

  constructor(folders: Folders, files: Pick<Files, 'stamp'>) {
    this.#folders = folders;
    this.#files = files;
  }

  /** Whether the folders up to the repository's root are spelled as those above list them. */
  isListed(directory: string, root: string): boolean {
    for (let it = directory; it !== root && it !== dirname(it); it = dirname(it)) {
      if (this.#folders.listing(dirname(it))?.kinds.has(basename(it)) === false) return false;
    }
    return true;
  }

  /** The path as its folders list it; undefined where that is no other, or the file system does not ignore case. */
  spelled(path: string, root: string): string | undefined {
    if (!contains(root, path)) return undefined;
    let found = root;
    const segments = path.slice(root.length).split(sep).filter(Boolean);
    for (const [i, segment] of segments.entries()) {
      const entries = this.#folders.listing(found)?.kinds;
      if (!entries) return undefined;
      // An import may leave an extension out, or write another than the source has.
      const stem = i < segments.length - 1 ? segment : segment.replace(EXTENSION, '');
      const wanted = [segment.toLowerCase(), stem.toLowerCase()];
      const listed = entries.has(segment) ? segment : this.#first(found, entries, wanted);
      if (listed === undefined || !this.#isSame(found, listed, segment, entries)) return undefined;
      found = join(found, listed.slice(0, stem.length) + segment.slice(stem.length));
    }
    return found === path ? undefined : found;
  }

  forget(): void {
    this.#spelled.clear();
  }

  /** The first entry of a folder that is one of these names in lower case, with its extension or without. */
  #first(
    folder: string,
    entries: ReadonlyMap<string, EntryKind>,
    wanted: readonly string[],
  ): string | undefined {
    let its = this.#spelled.get(folder);
    if (!its) this.#spelled.set(folder, (its = spelledIn(entries)));
    const found = wanted.map((it) => its.get(it)).filter((it) => it !== undefined);
    return found.sort((a, b) => a.order - b.order)[0]?.name;
  }

  /** Whether an entry is there by another name as well, which its folder does not list. */
  #isSame(
    folder: string,
    listed: string,
    name: string,
    entries: ReadonlyMap<string, EntryKind>,
  ): boolean {
    if (listed === name) return true;
    const upper = listed.toUpperCase();
    const other = upper === listed ? listed.toLowerCase() : upper;
    return !entries.has(other) && this.#files.stamp(join(folder, other)) !== undefined;
  }
}

/** An entry, and how many its folder lists before it. */
interface Spelled {
  readonly name: string;
  readonly order: number;
}

/** By their names in lower case, with their extensions and without; of several the first. */
function spelledIn(entries: ReadonlyMap<string, EntryKind>): ReadonlyMap<string, Spelled> {
  const spelled = new Map<string, Spelled>();
  for (const name of entries.keys()) {
    const lower = name.toLowerCase();
    const order = spelled.size;
    for (const it of [lower, lower.replace(EXTENSION, '')]) {
      if (!spelled.has(it)) spelled.set(it, { name, order });
    }
  }
  return spelled;
}
