import { type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, sep } from 'node:path';
import { orUndefined } from './files.ts';

/**
 * The folder above, as far as it may say something of what is in this one: with configuration, ignore files, packages, or as the
 * repository's top. Not the user's home or what is above it, nor a folder that other users may write: what lies there belongs to no
 * project, or any user of the machine has put it there.
 */
export function folderAbove(folder: string): string | undefined {
  const above = dirname(folder);
  // A user of a container may have none.
  const home = orUndefined(homedir);
  const isBoundary =
    above === dirname(above) ||
    `${home}${sep}`.startsWith(`${above}${sep}`) ||
    mayBeOthers(above, folder);
  return isBoundary ? undefined : above;
}

/** The folder and those above it, the innermost first. */
export function foldersFrom(folder: string): readonly string[] {
  const folders: string[] = [];
  for (let it: string | undefined = folder; it !== undefined; it = folderAbove(it)) {
    folders.push(it);
  }
  return folders;
}

/**
 * Whether users may have written it who could not write `beside`. In containers and on mounted disks all files have one owner and the
 * same rights, which need not be the user's: only what differs tells something.
 */
export function mayBeOthers(path: string, beside: string): boolean {
  const stat = statOf(path);
  if (!stat) return false;
  const user = process.getuid?.();
  const isOwn = user === undefined || stat.uid === user || stat.uid === 0;
  if (isOwn && !isOpen(stat)) return false;
  const other = statOf(beside);
  if (!other) return false;
  return (isOpen(stat) && (isShared(stat) || !isOpen(other))) || (!isOwn && stat.uid !== other.uid);
}

function statOf(path: string): Stats | undefined {
  return orUndefined(() => statSync(path));
}

/** To all users. */
function isOpen({ mode }: Stats): boolean {
  return (mode & 0o002) !== 0;
}

/** As the folder for temporary files is: all may write in it, each only what is their own. */
function isShared({ mode }: Stats): boolean {
  return (mode & 0o1000) !== 0;
}
