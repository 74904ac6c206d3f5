import { filesOf, type FilesOptions, type FoundFiles, type SearchedDisk } from '../files.ts';

const MOST_SEARCHES = 8;

/** The files that the last searches have found, by what was asked for: the newest last. */
export class Searches {
  readonly #found: Map<string, readonly string[]>;

  constructor(found: Iterable<readonly [asked: string, files: readonly string[]]> | undefined) {
    this.#found = new Map(found);
  }

  get size(): number {
    return this.#found.size;
  }

  /** As `filesOf`, which searches only what was not asked for before. */
  search(
    paths: readonly string[],
    options: Omit<FilesOptions, 'disk'>,
    disk: SearchedDisk,
  ): FoundFiles {
    const asked = JSON.stringify([paths, options]);
    const kept = this.#found.get(asked);
    if (kept) {
      this.#found.delete(asked);
      this.#found.set(asked, kept);
      return { files: kept, named: new Set(), missing: [], notices: [] };
    }
    const found = filesOf(paths, { ...options, disk });
    const { files, named, missing, notices } = found;
    if (named.size + missing.length + notices.length === 0) this.#found.set(asked, files);
    return found;
  }

  /** The last of those whose files are all cached. */
  lastOf(isCached: (path: string) => boolean): ReadonlyMap<string, readonly string[]> {
    const whole = [...this.#found].filter(([, files]) => files.every(isCached));
    return new Map(whole.slice(-MOST_SEARCHES));
  }
}
