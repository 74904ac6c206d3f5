import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** How many of each kind are kept for the next start: two concurrent proofs are rare, more are not worth their disk. */
const KEPT = 2;

/** A new directory has 40 to 50 MB. */
const MAX_KEPT_MB = 400;

/** A folder that nothing took for so long is deleted, of any kind. */
const UNUSED_MS = 7 * 24 * 3_600_000;

/** No proof lasts a day: after that the process with the id in the name is a new one. */
const ABANDONED_MS = 24 * 3_600_000;

/** Of the names below; a folder without such a name is not ours. */
const pattern = /^(?<kind>.+)\.(?:ready-[0-9a-f]+|used-by-(?<pid>\d+)-on-(?<host>.+))$/;

/** Whose files a server writes, where it is not the user's own account. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** A folder for the data of a server, in use by this process and by no other. */
export interface LeasedFolder {
  readonly path: string;
  /** Nothing was in it before. */
  readonly isNew: boolean;
  /** Keeps it for the next start, or deletes it when it is broken or has grown. */
  giveBack(options: { readonly isReusable: boolean }): void;
}

/**
 * Takes a folder that an earlier start has left in `parent`, which is one of `own-files.ts`, or makes one. Taking is a rename,
 * which one of several processes wins; so proofs at the same time have a folder each, and a process that was killed leaves no
 * lock behind.
 */
export function leaseFolder(parent: string, kind: string): LeasedFolder {
  const path = join(parent, `${kind}.used-by-${process.pid}-on-${hostname()}`);
  // An earlier process with the same id did not end by itself.
  rmSync(path, { recursive: true, force: true });
  const isNew = !readyFolders(parent, kind).some((it) => isRenamed(it, path));
  if (isNew) mkdirSync(path, { mode: 0o700 });
  return {
    path,
    isNew,
    giveBack({ isReusable }) {
      if (isReusable) {
        utimesSync(path, new Date(), new Date());
        renameSync(path, join(parent, `${kind}.ready-${randomBytes(4).toString('hex')}`));
      } else {
        rmSync(path, { recursive: true, force: true });
      }
    },
  };
}

/** A folder within one that is leased, in which another account writes; it can pass through to there, and no further. */
export function handOver(folder: string, name: string, owner: Owner): void {
  chmodSync(folder, 0o711);
  const path = join(folder, name);
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, owner.uid, owner.gid);
}

/** Lets another account read a file of ours. */
export function lend(path: string, owner: Owner): void {
  chownSync(path, owner.uid, owner.gid);
}

/** Deletes what will not be taken again: left by killed processes, of other versions, more than are worth keeping. */
export function deleteOldFolders(parent: string, kind: string): void {
  const surplus = new Set(readyFolders(parent, kind).slice(KEPT));
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (surplus.has(path) || isAbandoned(path, name)) {
      // A server that still runs in there ends by itself: PostgreSQL does when its lock file is gone.
      rmSync(path, { recursive: true, force: true });
    }
  }
}

/** Not where a killed proof has left large tables: making a new one is quicker than cleaning up. */
export function isWorthKeeping(path: string): boolean {
  const sizes = readdirSync(path, { recursive: true, encoding: 'utf8' }).map(
    (it) => statSync(join(path, it), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, it) => sum + it, 0) < MAX_KEPT_MB * 1_048_576;
}

function isAbandoned(path: string, name: string): boolean {
  const groups = pattern.exec(name)?.groups;
  if (!groups) return false;
  const { pid, host } = groups;
  if (!pid) return ageMs(path) > UNUSED_MS;
  return (host === hostname() && !isRunning(Number(pid))) || ageMs(path) > ABANDONED_MS;
}

/** The latest first: what it wrote is still in memory. */
function readyFolders(parent: string, kind: string): readonly string[] {
  return readdirSync(parent)
    .filter((it) => it.startsWith(`${kind}.ready-`))
    .map((it) => join(parent, it))
    .filter(isOwnFolder)
    .sort((a, b) => ageMs(a) - ageMs(b));
}

/** Only this user can make one in `parent`: one of another account, or a link, was put there by a backup or by hand. */
function isOwnFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return false;
  return !process.getuid || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0);
}

function isRenamed(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

/** Of a folder that is gone, 0: another process has just taken it. */
function ageMs(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
