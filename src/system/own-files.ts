import {
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/**
 * The one module that writes files of Deadtime's own: caches, data directories, logs. They lie below the user's cache, in
 * folders that only the user can enter, and are neither read nor written through links. The files that a user names, such as
 * reports, are written by src/cli/write-files.ts.
 */

/**
 * A folder or file of ours is a link, or belongs to a different user, or is writable by other users; the message states what to
 * do.
 */
export class UnsafePath extends Error {}

const DAY_MS = 24 * 60 * 60 * 1_000;
const KEPT_MS = 7 * DAY_MS;

const OTHERS_WRITE = 0o022;
const OTHERS = 0o077;
const EVERYONE_WRITES = 0o002;
const STICKY = 0o1000;

/** Windows lacks these flags, and has no modes either: there a folder is protected by the user's profile around it. */
const { O_NOFOLLOW = 0, O_DIRECTORY = 0 } = constants;
const hasModes = process.platform !== 'win32';

/** The user's own folder for what programs can make again. Throws where the user has no home. */
export function userCacheFolder(): string {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (process.platform === 'win32') {
    return join(LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'deadtime', 'Cache');
  }
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'deadtime');
  // A relative one would be in the scanned folder; the XDG specification requires ignoring it.
  const folder = XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : undefined;
  return join(folder ?? join(homedir(), '.cache'), 'deadtime');
}

/** The path of a folder below the user's cache, made and checked. Throws `UnsafePath`, or where it cannot be made. */
export function ownFolder(...names: readonly string[]): string {
  return makePrivate(userCacheFolder(), names);
}

/**
 * A folder that another account can pass through to what it owns in there: for a server that root starts as another user, which
 * cannot pass through root's home. Throws as `ownFolder`.
 */
export function passableFolder(name: string): string {
  const folder = join('/var/tmp', `deadtime-${process.getuid?.() ?? 'user'}`);
  const path = makePrivate(folder, [name]);
  for (const it of [folder, path]) chmodSync(it, 0o711);
  return path;
}

/** Makes the folder in which a file of ours is to lie: below the user's cache, or at a place that the user has named. */
export function makeFolderOf(path: string): void {
  const folder = resolve(dirname(path));
  const cache = knownCache();
  if (cache !== undefined && isWithin(cache, folder))
    makePrivate(cache, relative(cache, folder).split(sep));
  else makeNamed(folder);
}

/** Undefined for a user without a home, as some of containers are. */
function knownCache(): string | undefined {
  try {
    return userCacheFolder();
  } catch {
    return undefined;
  }
}

/** Links of the working directory are not followed: they come with the code that is scanned. */
function makeNamed(folder: string): void {
  const around = process.cwd();
  for (let it = folder; isWithin(around, it) && it !== around; it = dirname(it)) {
    if (lstatSync(it, { throwIfNoEntry: false })?.isSymbolicLink()) throw unsafe(it, 'is a link');
  }
  makeAround(folder);
  makeFolder(folder);
}

function isWithin(around: string, path: string): boolean {
  const way = relative(around, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function makePrivate(top: string, names: readonly string[]): string {
  makeAround(top);
  const around = statSync(dirname(top));
  const isOpen = hasModes && (around.mode & EVERYONE_WRITES) !== 0 && (around.mode & STICKY) === 0;
  if (isOpen) throw unsafe(dirname(top), 'can be written to by every user of this machine');
  let path = top;
  for (const name of ['', ...names]) {
    path = join(path, name);
    makeFolder(path);
    assertPrivate(path);
  }
  return path;
}

/** Not `recursive`, which loops without an end where a file system creates no folders and reports one as missing. */
function makeAround(path: string): void {
  const missing: string[] = [];
  for (let it = dirname(path); !statSync(it, { throwIfNoEntry: false }); it = dirname(it)) {
    missing.unshift(it);
  }
  for (const it of missing) makeFolder(it);
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Checks the existing folder by its descriptor: at its path, a different folder may be a moment later. */
function assertPrivate(path: string): void {
  if (!hasModes) {
    if (!lstatSync(path).isDirectory()) throw unsafe(path, 'is no folder');
    return;
  }
  const folder = opened(path, constants.O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const { uid, mode } = fstatSync(folder);
    if (uid !== process.getuid!()) throw unsafe(path, 'belongs to another user');
    if (mode & OTHERS_WRITE) throw unsafe(path, 'can be written to by others');
    if (mode & OTHERS) fchmodSync(folder, 0o700);
  } finally {
    closeSync(folder);
  }
}

function opened(path: string, flags: number): number {
  try {
    return openSync(path, flags | O_NOFOLLOW, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP' || code === 'ENOTDIR') throw unsafe(path, 'is a link, or no folder');
    throw error;
  }
}

function unsafe(path: string, why: string): UnsafePath {
  return new UnsafePath(
    `${path} ${why}, so Deadtime writes nothing there. Remove it, or set XDG_CACHE_HOME to a folder that only you can write to.`,
  );
}

/** Whether this process's user made the file, and only that user may open it. What a checkout brings can be read by others. */
function isOwn(stats: Stats): boolean {
  return (
    stats.isFile() &&
    (!hasModes || (stats.uid === process.getuid!() && (stats.mode & OTHERS) === 0))
  );
}

/**
 * The content that this user's Deadtime has written at `path`; undefined for links, and for files of other users. Throws where
 * there is none.
 */
export function readOwn(path: string): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | O_NOFOLLOW | (constants.O_NONBLOCK ?? 0));
  try {
    return isOwn(fstatSync(file)) ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}

/**
 * Writes a file for other processes of the same user, whole or not at all, even with concurrent writers. Throws where it cannot
 * be written, and leaves nothing then. A link at `path` is replaced, and not followed.
 */
export function writeWhole(path: string, data: Buffer | string): void {
  const draft = `${path}.${process.pid}`;
  makeFolderOf(path);
  try {
    // A process of the same number may have left one, or a link.
    rmSync(draft, { force: true });
    writeFileSync(draft, data, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** A secret of this user's Deadtime, created by it: a project cannot have provided what contains it. */
export function ownSecret(): string {
  const path = join(userCacheFolder(), 'secret');
  if (!existsSync(path)) {
    // Not imported: each start of the command line would wait for it.
    const { randomBytes } = process.getBuiltinModule('node:crypto');
    writeWhole(path, randomBytes(16).toString('hex'));
  }
  const secret = readOwn(path)?.toString();
  if (secret === undefined) throw unsafe(path, 'can be read by others');
  return secret;
}

/** Adds to a file of ours, which is made if it is missing. Throws `UnsafePath` for a file that others may have written. */
export function appendOwn(path: string, text: string): void {
  makeFolderOf(path);
  const file = opened(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
  try {
    if (!isOwn(fstatSync(file))) throw unsafe(path, 'may have been written by others');
    appendFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** The descriptor of a new file, which replaces that of an earlier run. The caller closes it. */
export function createOwn(path: string): number {
  rmSync(path, { force: true });
  return openSync(path, 'wx', 0o600);
}

/** Removes a file of ours, where it is. */
export function removeOwn(path: string): void {
  rmSync(path, { force: true });
}

/** A new folder for the time of a benchmark. */
export interface ScratchFolder {
  readonly path: string;
  /** Throws no error where it cannot be removed: the next run does that. */
  remove(): void;
}

/** What a killed process has left is removed when the next folder is made, a day later. */
export function scratchFolder(): ScratchFolder {
  const parent = ownFolder('scratch');
  removeOld(parent, { olderThanMs: DAY_MS, folders: true });
  const path = mkdtempSync(join(parent, 'a'));
  return {
    path,
    remove() {
      try {
        rmSync(path, { recursive: true, force: true });
      } catch {
        // A file in it is still open, as Windows has it.
      }
    },
  };
}

interface Old {
  /** Where other files may be next to ours. */
  isOurs?(name: string): boolean;
  readonly olderThanMs?: number;
  readonly folders?: boolean;
  readonly now?: number;
}

/** Removes what of a folder was not written or used for a week; files alone, unless `folders` is set. */
export function removeOld(
  folder: string,
  { isOurs = () => true, olderThanMs = KEPT_MS, folders = false, now = Date.now() }: Old = {},
): void {
  for (const name of namesIn(folder).filter(isOurs)) {
    const path = join(folder, name);
    try {
      const isOld = now - lstatSync(path).mtimeMs > olderThanMs;
      if (isOld) rmSync(path, { force: true, recursive: folders });
    } catch {
      // Another process was quicker, or it is a folder.
    }
  }
}

/** There may be no folder yet. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** It was of use: `removeOld` leaves it. What is used all day is marked once, since each mark is a write. */
export function markUsed(path: string, now = Date.now()): void {
  try {
    if (now - lstatSync(path).mtimeMs > DAY_MS) utimesSync(path, now / 1_000, now / 1_000);
  } catch {
    // Then it is made again once it is a week old.
  }
}

/**
 * A folder of links, each from a name to an absolute path: for libraries that lack the names by which programs load them. Links
 * with a different target are replaced.
 */
export function ownLinks(name: string, targets: ReadonlyMap<string, string>): string {
  const folder = ownFolder(name);
  const own = new Set(targets.keys());
  for (const it of namesIn(folder)) {
    if (!own.has(it)) rmSync(join(folder, it), { recursive: true, force: true });
  }
  for (const [link, target] of targets) replaceLink(join(folder, link), target);
  return folder;
}

/** By a rename, since another process may be making the same links. */
function replaceLink(path: string, target: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() && readlinkSync(path) === target)
    return;
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  symlinkSync(target, draft);
  renameSync(draft, path);
}
