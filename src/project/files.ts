import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { regularText } from '../system/regular-file.ts';
import type { Json } from './json.ts';

export type EntryKind = 'file' | 'directory';

/** The entries of a directory, links followed. */
export interface Listing {
  readonly kinds: ReadonlyMap<string, EntryKind>;
  /** The names that are links. */
  readonly links: ReadonlySet<string>;
}

/** The output of a program, or its failure, in words that follow its path. */
export type Ran = { readonly json: Json } | { readonly failure: string };

/** The file system as module resolution needs it: synchronous, and it never throws. Paths are absolute. */
export interface Files {
  /** Without a byte-order mark; undefined where there is no readable file. */
  read(path: string): string | undefined;
  /** Undefined where there is no such directory. */
  list(directory: string): Listing | undefined;
  /** The path without links. */
  real(path: string): string;
  /** Changes when the file does; undefined where there is none. */
  stamp(path: string): string | undefined;
  /** The content of a configuration that is code: its module is run for that. Lacking where no code of a project may run. */
  run?(path: string): Ran;
}

export const disk: Files = {
  read: (path) => orUndefined(() => withoutMark(regularText(path))),
  list(directory) {
    const listed = orUndefined(() => listedIn(directory));
    return listed && listingOf(listed);
  },
  real: (path) => orUndefined(() => realpathSync.native(path)) ?? path,
  stamp: (path) =>
    orUndefined(() => {
      const { mtimeMs, size } = statSync(path);
      return `${mtimeMs} ${size}`;
    }),
};

/** One entry of a directory; `kind` is that of what a link leads to. */
export interface Listed {
  readonly name: string;
  readonly kind: EntryKind | undefined;
  readonly isLink: boolean;
}

/** Throws where there is no such directory, or it is not readable. */
export function listedIn(directory: string): readonly Listed[] {
  return readdirSync(directory, { withFileTypes: true }).map((entry) => {
    const isLink = entry.isSymbolicLink();
    const target = isLink ? orUndefined(() => statSync(within(directory, entry.name))) : entry;
    return { name: entry.name, kind: target && kindOf(target), isLink };
  });
}

/** The path of an entry of a directory. Not `join`: that would be a tenth of a search. */
export function within(directory: string, name: string): string {
  return `${directory}${directory.endsWith(sep) ? '' : sep}${name}`;
}

export function contains(directory: string, path: string): boolean {
  return (
    path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
  );
}

/** Whether a directory lists something by that name that is no link. */
export function isEntry(listing: Listing | undefined, name: string): boolean {
  return listing !== undefined && listing.kinds.has(name) && !listing.links.has(name);
}

export function listingOf(listed: readonly Listed[]): Listing {
  const kinds = new Map<string, EntryKind>();
  for (const { name, kind } of listed) if (kind) kinds.set(name, kind);
  const links = listed.filter((it) => it.isLink).map((it) => it.name);
  return { kinds, links: links.length > 0 ? new Set(links) : NO_LINKS };
}

const NO_LINKS: ReadonlySet<string> = new Set();

/** The disk for one search and the scan after it: later changes are not visible to either. */
export interface DiskOfScan extends Files {
  /** For the search. Throws where there is no such directory, or it is not readable. */
  listing(directory: string): readonly Listed[];
  /** The text of a file that was read for other files, once; undefined where it was not. */
  taken(path: string): string | undefined;
}

/** Lists no directory twice, and keeps what was read of a file until it is scanned. */
export function diskOfScan(files: Files): DiskOfScan {
  const listings = new Map<string, Listing | undefined>();
  const texts = new Map<string, string>();
  const scanned = new Set<string>();
  return {
    ...files,
    read(path) {
      const text = texts.get(path) ?? files.read(path);
      if (text !== undefined && !scanned.has(path)) texts.set(path, text);
      return text;
    },
    list(directory) {
      if (!listings.has(directory)) listings.set(directory, files.list(directory));
      return listings.get(directory);
    },
    listing(directory) {
      const listed = listedIn(directory);
      listings.set(directory, listingOf(listed));
      return listed;
    },
    taken(path) {
      const text = texts.get(path);
      texts.delete(path);
      scanned.add(path);
      return text;
    },
  };
}

/**
 * The path as the disk spells it, where it differs only in capitals: without it one file would have two names on a file system
 * that ignores case. Links are not followed.
 */
export function spelledAsOnDisk(path: string, real: Files['real'] = disk.real): string {
  const found = real(path);
  return found.toLowerCase() === path.toLowerCase() ? found : path;
}

/** Without its byte-order mark, as ESLint counts offsets; a second one is a space in the code. */
export function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function kindOf(entry: Pick<Dirent, 'isFile' | 'isDirectory'>): EntryKind | undefined {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'directory' : undefined;
}

/** A file that cannot be read is, for analysis, a file that is not there. */
export function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
