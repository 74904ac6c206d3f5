import { type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, sep } from 'node:path';
import { orUndefined } from './files.ts';

/**
 * The folder above, where it may affect files in this one: by configuration, ignore files, packages, or as the repository's
 * top. Not the user's home or a folder above it, nor a folder that other users can write: its content belongs to no project, or
 * any user of the machine can have written it.
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
 * Whether users can have written it who cannot write `beside`. In containers and on mounted disks all files have one owner and
 * the same permissions, which need not be the user's: only a difference counts.
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
