import { basename, dirname } from 'node:path';
import { contains, type Files, isEntry, type Listing, within } from './files.ts';

/** The folders of a disk, each listed once until `forget`, and where their links lead. */
export class Folders {
  readonly #files: Files;
  readonly #lists = new Map<string, Listing | undefined>();
  readonly #real = new Map<string, string>();
  readonly #inside = new Map<string, boolean>();

  constructor(files: Files) {
    this.#files = files;
  }

  listing(directory: string): Listing | undefined {
    if (!this.#lists.has(directory)) {
      // A directory is listed only where its parent names it: most probes end at a missing parent.
      const parent = dirname(directory);
      const known = parent === directory ? undefined : this.#lists.get(parent)?.kinds;
      const isThere = !known || known.get(basename(directory)) === 'directory';
      this.#lists.set(directory, isThere ? this.#files.list(directory) : undefined);
    }
    return this.#lists.get(directory);
  }

  /** The path without links, of a file or folder of the repository at `root`. */
  real(path: string, root: string): string {
    return path === root ? this.#realFolder(root, root) : this.#realBelow(path, root);
  }

  /** Whether a path lies in the repository at `root` once links are followed. */
  isInside(path: string, root: string): boolean {
    if (!contains(root, path)) return false;
    const folder = dirname(path);
    const listing = contains(root, folder) ? this.listing(folder) : undefined;
    return isEntry(listing, basename(path))
      ? this.#isFolderInside(folder, root)
      : contains(this.#realFolder(root, root), this.#files.real(path));
  }

  forget(): void {
    this.#lists.clear();
    this.#real.clear();
    this.#inside.clear();
  }

  #realFolder(folder: string, root: string): string {
    let real = this.#real.get(folder);
    if (real === undefined) this.#real.set(folder, (real = this.#realBelow(folder, root)));
    return real;
  }

  #realBelow(path: string, root: string): string {
    const folder = dirname(path);
    const name = basename(path);
    // Files above the repository do not affect it, and listing a folder depends on all of its entries.
    const listing = contains(root, folder) ? this.listing(folder) : undefined;
    // The entries of a folder exist, unless one is a link: asking the disk for each path takes long.
    return isEntry(listing, name)
      ? within(this.#realFolder(folder, root), name)
      : this.#files.real(path);
  }

  #isFolderInside(folder: string, root: string): boolean {
    let isInside = this.#inside.get(folder);
    if (isInside === undefined) {
      isInside = contains(this.#realFolder(root, root), this.#realFolder(folder, root));
      this.#inside.set(folder, isInside);
    }
    return isInside;
  }
}
