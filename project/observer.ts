import { hash } from 'node:crypto';
import { readFileSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import {
  type Files,
  type Listed,
  listedIn,
  listingOf,
  orUndefined,
  type Ran,
  regularFile,
  withoutMark,
} from './files.ts';

/** One state of a file or a folder. Both are empty where there is none that can be read. */
export interface FileState {
  /** Of another state it is another, and it takes no reading; empty where that cannot be relied on. */
  readonly signature: string;
  /** Of the bytes; of a folder, of the names and kinds of its entries. */
  readonly hash: string;
}

/** What was seen of the disk beside the code: what an analysis concluded from it holds as long as all of it is the same. */
export interface Surroundings {
  /** Folders, with hashes of their entries. */
  readonly lists: States;
  /** Manifests, configurations and the like. */
  readonly documents: States;
  readonly presence: ReadonlyMap<string, boolean>;
  /** Where paths with links in them lead. */
  readonly links: ReadonlyMap<string, string>;
  /** Hashes of what programs said: what they read in turn is not known. */
  readonly programs: ReadonlyMap<string, string>;
}

/** By paths, each once. */
export type States = Iterable<readonly [path: string, state: FileState]>;

/** The disk, and a note of all that is asked of it. */
export interface Observer {
  /** For what stands beside the code. */
  readonly around: Files;
  /** For the code: what is read is in `texts`. */
  readonly files: Files;
  readonly texts: ReadonlyMap<string, FileState>;
  /** As it is on disk. Throws where the file cannot be read. */
  read(path: string): string;
  /** For a search of files: throws where a folder cannot be read. */
  listing(folder: string): readonly Listed[];
  seen(): Surroundings;
  /** Whether nothing was another when it was read again. */
  isSteady(): boolean;
}

/**
 * Clocks of file systems stand still for up to 2 s (FAT): what was written as lately as that, in milliseconds before it is
 * looked at, may be written again and look the same.
 */
const UNSETTLED_MS = 3_000;

/** `now` is when the first file is looked at, in milliseconds since 1970; `run` as in `Files`. */
export function observer(now: number, run?: Files['run']): Observer {
  const lists = new Map<string, FileState>();
  const listings = new Map<string, readonly Listed[]>();
  const names = new Map<string, ReadonlySet<string>>();
  const documents = new Map<string, FileState>();
  const presence = new Map<string, boolean>();
  const links = new Map<string, string>();
  const programs = new Map<string, string>();
  const texts = new Map<string, FileState>();
  let isSteady = true;

  const readInto = (states: Map<string, FileState>, path: string): string => {
    // Before it is read: a text that is written meanwhile looks changed the next time.
    const found = signatureOf(path, now);
    const signature = found ?? '';
    const known = states.get(path);
    let state: FileState = { signature, hash: '' };
    try {
      const bytes = found === undefined ? regularFile(path) : readFileSync(path);
      state = { signature, hash: hashOf(bytes) };
      return bytes.toString();
    } finally {
      if (known && known.hash !== state.hash) isSteady = false;
      states.set(path, known ?? state);
    }
  };
  const real = (path: string) => {
    const found = realPath(path);
    if (found !== path) links.set(path, found ?? '');
    return found ?? path;
  };
  const read = (path: string) => readInto(texts, path);
  const listed = (folder: string): readonly Listed[] => {
    let listing = listings.get(folder);
    if (listing) return listing;
    const signature = signatureOf(folder, now) ?? '';
    lists.set(folder, { signature: '', hash: '' });
    listing = listedIn(folder);
    lists.set(folder, stateOf(listing, folder, signature));
    listings.set(folder, listing);
    names.set(folder, new Set(listing.map((it) => it.name)));
    return listing;
  };
  const around: Files = {
    read: (path) => orUndefined(() => withoutMark(readInto(documents, path))),
    list(directory) {
      const listing = orUndefined(() => listed(directory));
      return listing && listingOf(listing);
    },
    real,
    stamp(path) {
      const signature = signatureOf(path, now);
      presence.set(path, signature !== undefined);
      return signature;
    },
    ...(run && {
      run(path) {
        const ran = run(path);
        programs.set(path, hashOfRun(ran));
        return ran;
      },
    }),
  };
  return {
    around,
    files: {
      ...around,
      read: (path) => orUndefined(() => withoutMark(read(path))),
      stamp: (path) => signatureOf(path, now),
    },
    texts,
    read,
    listing: listed,
    seen() {
      // That a name is not there is in the list of its folder.
      const isListed = (path: string) => names.get(dirname(path))?.has(basename(path)) === false;
      return {
        lists,
        documents: new Map([...documents].filter(([path, it]) => it.hash || !isListed(path))),
        presence: new Map([...presence].filter(([path, it]) => it || !isListed(path))),
        ...{ links, programs },
      };
    },
    isSteady: () => isSteady,
  };
}

/** What is still the same, with signatures of now; undefined where anything is another. Programs are run again, after all else. */
export function unchanged(
  seen: Surroundings,
  now: number,
  run?: Files['run'],
): { readonly surroundings: Surroundings; readonly isRefreshed: boolean } | undefined {
  const lists = refreshed(seen.lists, (path, it) => folderAt(path, it, now));
  if (!lists) return undefined;
  for (const [path, isPresent] of seen.presence) {
    if ((signatureOf(path, now) !== undefined) !== isPresent) return undefined;
  }
  for (const [path, target] of seen.links) {
    if ((realPath(path) ?? '') !== target) return undefined;
  }
  const documents = refreshed(seen.documents, (path, it) => stateAt(path, it, now));
  if (!documents) return undefined;
  for (const [path, hash] of seen.programs) {
    if (!run || hashOfRun(run(path)) !== hash) return undefined;
  }
  const isRefreshed = lists !== seen.lists || documents !== seen.documents;
  return { surroundings: { ...seen, lists, documents }, isRefreshed };
}

/** With the signatures of now, and the same where all are what they were; undefined where anything else is another. */
function refreshed(
  known: States,
  stateNow: (path: string, state: FileState) => FileState,
): States | undefined {
  const moved = new Map<string, FileState>();
  for (const [path, state] of known) {
    const next = stateNow(path, state);
    if (next.hash !== state.hash) return undefined;
    if (next.signature !== state.signature) moved.set(path, next);
  }
  return moved.size === 0 ? known : new Map([...known, ...moved]);
}

/** Undefined where the two contradict each other: something has changed in between. */
export function merged(a: Surroundings, b: Surroundings): Surroundings | undefined {
  const [lists, documents] = [new Map(a.lists), new Map(a.documents)];
  const isBoth = <T>(
    one: ReadonlyMap<string, T>,
    other: Iterable<readonly [string, T]>,
    of: (it: T) => unknown,
  ) => [...other].every(([path, it]) => !one.has(path) || of(one.get(path)!) === of(it));
  const same =
    isBoth(lists, b.lists, (it) => it.hash) &&
    isBoth(documents, b.documents, (it) => it.hash) &&
    isBoth(a.presence, b.presence, (it) => it) &&
    isBoth(a.links, b.links, (it) => it) &&
    isBoth(a.programs, b.programs, (it) => it);
  if (!same) return undefined;
  return {
    lists: new Map([...b.lists, ...lists]),
    documents: new Map([...b.documents, ...documents]),
    presence: new Map([...a.presence, ...b.presence]),
    links: new Map([...a.links, ...b.links]),
    programs: new Map([...a.programs, ...b.programs]),
  };
}

/** The state of a file now: it is read only where its signature does not tell that it is the known one. */
export function stateAt(path: string, known: FileState, now: number): FileState {
  const signature = signatureOf(path, now);
  if (signature === undefined) return { signature: '', hash: '' };
  if (signature !== '' && signature === known.signature) return known;
  const bytes = orUndefined(() => readFileSync(path));
  return { signature, hash: bytes ? hashOf(bytes) : '' };
}

/** Undefined where there is neither a file nor a folder: a pipe that nobody writes to would be read for ever. */
function signatureOf(path: string, now: number): string | undefined {
  const stat = orUndefined(() => statSync(path, { throwIfNoEntry: false }));
  if (!stat?.isFile() && !stat?.isDirectory()) return undefined;
  // Programs may set the time of writing as they like, but not that of the change of its record.
  const { ino, size, mtimeMs, ctimeMs } = stat;
  const isSettled = Math.max(mtimeMs, ctimeMs) < now - UNSETTLED_MS;
  // Mostly the two are the same, and thousands of numbers are not spelled for nothing.
  const times = mtimeMs === ctimeMs ? `${ctimeMs}` : `${mtimeMs} ${ctimeMs}`;
  return isSettled ? `${ino} ${size} ${times}` : '';
}

/** The state of a folder now: it is listed only where its signature does not tell that it is the known one. */
function folderAt(path: string, known: FileState, now: number): FileState {
  const signature = signatureOf(path, now);
  if (signature === undefined) return { signature: '', hash: '' };
  if (signature !== '' && signature === known.signature) return known;
  const listing = orUndefined(() => listedIn(path));
  return listing ? stateOf(listing, path, signature) : { signature: '', hash: '' };
}

function stateOf(listing: readonly Listed[], path: string, signature: string): FileState {
  // No name holds a NUL.
  const lines = listing.map(
    ({ name, kind = '', isLink }) => `${name}\0${kind}${isLink ? '@' : ''}`,
  );
  // What a link leads to changes elsewhere.
  const isTold = listing.every((it) => !it.isLink) && marksChanges(path);
  return { signature: isTold ? signature : '', hash: hashOf(lines.sort().join('\0\0')) };
}

/**
 * ext2 to ext4, XFS, Btrfs, F2FS, ZFS, tmpfs and overlays of them, by their numbers in Linux: a folder's time changes whenever an
 * entry comes, goes or is renamed. Elsewhere (FAT, what a network or a virtual machine shares) that is not certain.
 */
const markingFileSystems: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0x01021994, 0x794c7630,
]);

function marksChanges(folder: string): boolean {
  if (process.platform !== 'linux') return false;
  return markingFileSystems.has(orUndefined(() => statfsSync(folder).type) ?? 0);
}

function realPath(path: string): string | undefined {
  return orUndefined(() => realpathSync.native(path));
}

function hashOfRun(ran: Ran): string {
  return hashOf(JSON.stringify(ran));
}

/** Of `FileState.hash`, in letters of six bits each. */
export const HASH_LENGTH = 22;

function hashOf(data: string | Buffer): string {
  return hash('sha256', data, 'base64').slice(0, HASH_LENGTH);
}
