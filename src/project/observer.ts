import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import {
  type FileState,
  folderAt,
  folderState,
  hashOf,
  NO_STATE,
  signatureOf,
  stateAt,
  StateTable,
  statAt,
} from './file-state.ts';
import { regularFile } from '../system/regular-file.ts';
import {
  type Files,
  type Listed,
  listedIn,
  listingOf,
  orUndefined,
  type Ran,
  withoutMark,
} from './files.ts';

/**
 * What was read from disk besides the code: the conclusions of an analysis from it are valid as long as all of it is unchanged.
 */
export interface Surroundings {
  /** Folders, with hashes of their entries. */
  readonly lists: StateTable;
  /** Manifests, configurations and the like. */
  readonly documents: StateTable;
  readonly presence: ReadonlyMap<string, boolean>;
  /** The targets of paths with links in them. */
  readonly links: ReadonlyMap<string, string>;
  /** Hashes of the output of programs: their own reads are not recorded. */
  readonly programs: ReadonlyMap<string, string>;
}

/** The disk, and a note of all that is asked of it. */
export interface Observer {
  /** For files other than code. */
  readonly around: Files;
  /** For the code: its reads are in `texts`. */
  readonly files: Files;
  readonly texts: ReadonlyMap<string, FileState>;
  /** The text on disk. Throws where the file cannot be read. */
  read(path: string): string;
  /** For a search of files: throws where a folder cannot be read. */
  listing(folder: string): readonly Listed[];
  seen(): Surroundings;
  /** Whether nothing had changed when it was read again. */
  isSteady(): boolean;
}

/** `now` is when the first file is read, in milliseconds since 1970; `run` as in `Files`. */
export function observer(now: number, run?: Files['run']): Observer {
  const reads = new Reads(now);
  const around: Files = {
    read: (path) => orUndefined(() => withoutMark(reads.document(path))),
    list(directory) {
      const listing = orUndefined(() => reads.listing(directory));
      return listing && listingOf(listing);
    },
    real: (path) => reads.real(path),
    stamp: (path) => reads.stamp(path),
    ...(run && { run: (path: string) => reads.output(path, run(path)) }),
  };
  return {
    around,
    files: {
      ...around,
      read: (path) => orUndefined(() => withoutMark(reads.text(path))),
      stamp: (path) => stampOf(path, now),
    },
    texts: reads.texts,
    read: (path) => reads.text(path),
    listing: (folder) => reads.listing(folder),
    seen: () => reads.seen(),
    isSteady: () => reads.isSteady,
  };
}

/** Reads the disk, and records the states of all that it reads. */
class Reads {
  readonly texts = new Map<string, FileState>();
  isSteady = true;
  readonly #now: number;
  readonly #lists = new Map<string, FileState>();
  readonly #listings = new Map<string, readonly Listed[]>();
  readonly #names = new Map<string, ReadonlySet<string>>();
  readonly #documents = new Map<string, FileState>();
  readonly #presence = new Map<string, boolean>();
  readonly #links = new Map<string, string>();
  readonly #programs = new Map<string, string>();

  constructor(now: number) {
    this.#now = now;
  }

  text(path: string): string {
    return this.#readInto(this.texts, path);
  }

  document(path: string): string {
    return this.#readInto(this.#documents, path);
  }

  #readInto(states: Map<string, FileState>, path: string): string {
    // Before it is read: a text that is written meanwhile looks changed the next time.
    const stat = statAt(path);
    const signature = signatureOf(stat, this.#now);
    const known = states.get(path);
    let state: FileState = { signature, hash: '' };
    try {
      const bytes = regularFile(path);
      state = { signature, hash: hashOf(bytes) };
      return bytes.toString();
    } finally {
      if (known && known.hash !== state.hash) this.isSteady = false;
      states.set(path, known ?? state);
    }
  }

  listing(folder: string): readonly Listed[] {
    let listing = this.#listings.get(folder);
    if (listing) return listing;
    const signature = signatureOf(statAt(folder), this.#now);
    this.#lists.set(folder, NO_STATE);
    listing = listedIn(folder);
    this.#lists.set(folder, folderState(listing, folder, signature));
    this.#listings.set(folder, listing);
    this.#names.set(folder, new Set(listing.map((it) => it.name)));
    return listing;
  }

  real(path: string): string {
    const found = realPath(path);
    if (found !== path) this.#links.set(path, found ?? '');
    return found ?? path;
  }

  stamp(path: string): string | undefined {
    const stamp = stampOf(path, this.#now);
    this.#presence.set(path, stamp !== undefined);
    return stamp;
  }

  output(path: string, ran: Ran): Ran {
    this.#programs.set(path, hashOfRun(ran));
    return ran;
  }

  seen(): Surroundings {
    // That a name is not there is in the list of its folder.
    const isListed = (path: string) =>
      this.#names.get(dirname(path))?.has(basename(path)) === false;
    const documents = [...this.#documents].filter(([path, it]) => it.hash || !isListed(path));
    return {
      lists: StateTable.of(this.#lists),
      documents: StateTable.of(documents),
      presence: new Map([...this.#presence].filter(([path, it]) => it || !isListed(path))),
      ...{ links: this.#links, programs: this.#programs },
    };
  }
}

/** The unchanged part, with present signatures; undefined where anything has changed. Programs run again, after all else. */
export function unchanged(
  seen: Surroundings,
  now: number,
  run?: Files['run'],
): { readonly surroundings: Surroundings; readonly isRefreshed: boolean } | undefined {
  const lists = refreshed(seen.lists, now, folderAt);
  if (!lists) return undefined;
  for (const [path, isPresent] of seen.presence) {
    if ((statAt(path) !== undefined) !== isPresent) return undefined;
  }
  for (const [path, target] of seen.links) {
    if ((realPath(path) ?? '') !== target) return undefined;
  }
  const documents = refreshed(seen.documents, now, stateAt);
  if (!documents) return undefined;
  for (const [path, hash] of seen.programs) {
    if (!run || hashOfRun(run(path)) !== hash) return undefined;
  }
  const isRefreshed = lists !== seen.lists || documents !== seen.documents;
  return { surroundings: { ...seen, lists, documents }, isRefreshed };
}

/** With present signatures, and the same object where all are unchanged; undefined where anything else has changed. */
function refreshed(
  known: StateTable,
  now: number,
  stateNow: (path: string, state: FileState, now: number) => FileState,
): StateTable | undefined {
  const moved = new Map<string, FileState>();
  const { paths } = known.columns;
  for (let row = 0; row < paths.length; row++) {
    const path = paths[row]!;
    if (known.isSigned(row, signatureOf(statAt(path), now))) continue;
    const state = known.at(row);
    const next = stateNow(path, state, now);
    if (next.hash !== state.hash) return undefined;
    if (next !== state && next.signature) moved.set(path, next);
  }
  return moved.size === 0 ? known : StateTable.of(new Map([...known, ...moved]));
}

/** Undefined where the two contradict each other: something has changed in between. */
export function merged(a: Surroundings, b: Surroundings): Surroundings | undefined {
  const [lists, documents] = [together(a.lists, b.lists), together(a.documents, b.documents)];
  const isBoth = <T>(one: ReadonlyMap<string, T>, other: ReadonlyMap<string, T>) =>
    [...other].every(([path, it]) => !one.has(path) || one.get(path) === it);
  const same =
    isBoth(a.presence, b.presence) && isBoth(a.links, b.links) && isBoth(a.programs, b.programs);
  if (!lists || !documents || !same) return undefined;
  return {
    ...{ lists, documents },
    presence: new Map([...a.presence, ...b.presence]),
    links: new Map([...a.links, ...b.links]),
    programs: new Map([...a.programs, ...b.programs]),
  };
}

/** Mostly `a` itself: an edit adds few reads. */
function together(a: StateTable, b: StateTable): StateTable | undefined {
  const others = new Map(b);
  for (const [row, path] of a.columns.paths.entries()) {
    const other = others.get(path);
    if (!other) continue;
    if (other.hash !== a.at(row).hash) return undefined;
    others.delete(path);
  }
  return others.size === 0 ? a : StateTable.of([...others, ...a]);
}

/** As in `Files`; empty where the next look may find something else that looks the same. */
function stampOf(path: string, now: number): string | undefined {
  const stat = statAt(path);
  return stat && (signatureOf(stat, now)?.join(' ') ?? '');
}

function realPath(path: string): string | undefined {
  return orUndefined(() => realpathSync.native(path));
}

function hashOfRun(ran: Ran): string {
  return hashOf(JSON.stringify(ran));
}
