import { statfsSync, type Stats, statSync } from 'node:fs';
import { regularFile } from '../system/regular-file.ts';
import { type Listed, listedIn, orUndefined } from './files.ts';

/** One state of a file or a folder. */
export interface FileState {
  /**
   * A different state has a different value, without reading the file; undefined where the file system is not reliable enough.
   */
  readonly signature: Signature | undefined;
  /** Of the bytes; of a folder, of the names and kinds of its entries. Empty where there is none that can be read. */
  readonly hash: string;
}

/** Programs may set the time of writing as they like, but not that of the change of its record. In milliseconds since 1970. */
export type Signature = readonly [
  inode: number,
  size: number,
  writtenMs: number,
  changedMs: number,
];

/** Where there is nothing that can be read. */
export const NO_STATE: FileState = { signature: undefined, hash: '' };

/**
 * Clocks of file systems have a resolution of up to 2 s (FAT): a file written within that time before the read, in
 * milliseconds, may change again with the same time.
 */
const UNSETTLED_MS = 3_000;

/** Undefined where there is neither a file nor a folder: reading a pipe without a writer would never end. */
export function statAt(path: string): Stats | undefined {
  const stat = orUndefined(() => statSync(path, { throwIfNoEntry: false }));
  return stat?.isFile() || stat?.isDirectory() ? stat : undefined;
}

/** `now` is when the first file is read, in milliseconds since 1970. */
export function signatureOf(stat: Stats | undefined, now: number): Signature | undefined {
  if (!stat) return undefined;
  const { ino, size, mtimeMs, ctimeMs } = stat;
  const isSettled = Math.max(mtimeMs, ctimeMs) < now - UNSETTLED_MS;
  return isSettled ? [ino, size, mtimeMs, ctimeMs] : undefined;
}

/** The present state of a file: it is read only where its signature has changed. */
export function stateAt(path: string, known: FileState, now: number): FileState {
  return stateNow(statAt(path), known, now, (signature) => {
    const bytes = orUndefined(() => regularFile(path));
    return { signature, hash: bytes ? hashOf(bytes) : '' };
  });
}

/** The present state of a folder: it is listed only where its signature has changed. */
export function folderAt(path: string, known: FileState, now: number): FileState {
  return stateNow(statAt(path), known, now, (signature) => {
    const listing = orUndefined(() => listedIn(path));
    return listing ? folderState(listing, path, signature) : NO_STATE;
  });
}

function stateNow(
  stat: Stats | undefined,
  known: FileState,
  now: number,
  read: (signature: Signature | undefined) => FileState,
): FileState {
  if (!stat) return NO_STATE;
  const signature = signatureOf(stat, now);
  const isKnown = signature && known.signature?.every((it, place) => it === signature[place]);
  return isKnown ? known : read(signature);
}

export function folderState(
  listing: readonly Listed[],
  path: string,
  signature: Signature | undefined,
): FileState {
  // No name holds a NUL.
  const lines = listing.map(
    ({ name, kind = '', isLink }) => `${name}\0${kind}${isLink ? '@' : ''}`,
  );
  // What a link leads to changes elsewhere.
  const isTold = listing.every((it) => !it.isLink) && marksChanges(path);
  return {
    signature: isTold ? signature : undefined,
    hash: hashOf(lines.sort().join('\0\0')),
  };
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

/** Of `FileState.hash`, in letters of six bits each. */
const HASH_LENGTH = 22;

let nodeCrypto: typeof import('node:crypto') | undefined;

/** As in `FileState.hash`: of SHA-256, enough letters of base64 that two texts do not collide. */
export function hashOf(data: string | Buffer): string {
  // Not imported: loading it takes 7 to 10 ms, and where nothing has changed, nothing is hashed.
  nodeCrypto ??= process.getBuiltinModule('node:crypto');
  return nodeCrypto.hash('sha256', data, 'base64').slice(0, HASH_LENGTH);
}

/** As they are kept: each state is a row. Columns of numbers are read faster than as many small arrays and texts. */
export interface StateColumns {
  readonly paths: readonly string[];
  readonly inodes: readonly number[];
  readonly sizes: readonly number[];
  /** `UNSIGNED` where there is no signature. */
  readonly written: readonly number[];
  readonly changed: readonly number[];
  /** Sequentially, each of the same length; spaces where there is none. */
  readonly hashes: string;
}

/** No time that a file system reports. */
const UNSIGNED = -Number.MAX_SAFE_INTEGER;
const NOT_SIGNED: Signature = [0, 0, UNSIGNED, UNSIGNED];

/** States by paths, each once. A state is created on demand: where nothing has changed, most are never needed. */
export class StateTable implements Iterable<readonly [path: string, state: FileState]> {
  readonly columns: StateColumns;

  constructor(columns: StateColumns) {
    this.columns = columns;
  }

  static of(states: Iterable<readonly [path: string, state: FileState]>): StateTable {
    const all = [...states];
    const signatures = all.map(([, it]) => it.signature ?? NOT_SIGNED);
    return new StateTable({
      paths: all.map(([path]) => path),
      inodes: signatures.map(([it]) => it),
      sizes: signatures.map(([, it]) => it),
      written: signatures.map(([, , it]) => it),
      changed: signatures.map(([, , , it]) => it),
      hashes: all.map(([, it]) => it.hash.padEnd(HASH_LENGTH)).join(''),
    });
  }

  *[Symbol.iterator](): Generator<readonly [path: string, state: FileState]> {
    for (const [row, path] of this.columns.paths.entries()) yield [path, this.at(row)];
  }

  at(row: number): FileState {
    const { inodes, sizes, written, changed, hashes } = this.columns;
    const hash = hashes.slice(row * HASH_LENGTH, (row + 1) * HASH_LENGTH);
    return {
      signature:
        changed[row] === UNSIGNED
          ? undefined
          : [inodes[row]!, sizes[row]!, written[row]!, changed[row]!],
      hash: hash.startsWith(' ') ? '' : hash,
    };
  }

  /** Whether a present signature shows that the state of this row has not changed. */
  isSigned(row: number, signature: Signature | undefined): boolean {
    if (!signature) return false;
    const [inode, size, writtenMs, changedMs] = signature;
    const { inodes, sizes, written, changed } = this.columns;
    return (
      changedMs === changed[row] &&
      writtenMs === written[row] &&
      size === sizes[row] &&
      inode === inodes[row]
    );
  }
}
