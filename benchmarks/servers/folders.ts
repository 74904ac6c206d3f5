import { accessSync, constants, existsSync, mkdirSync, statfsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** The file systems of Linux that keep files in memory: tmpfs and ramfs. A flush takes no time there. */
const memoryFileSystems = new Set([0x01021994, 0x858458f6]);

/** The user's own folder for what programs can make again. */
export function userCacheFolder(): string {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (process.platform === 'win32') {
    return join(LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'deadtime', 'Cache');
  }
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'deadtime');
  // A relative one would lie in whatever folder is scanned; the XDG specification says to ignore it.
  const folder = XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : undefined;
  return join(folder ?? join(homedir(), '.cache'), 'deadtime');
}

/** Where programs are brought to from npm: an editor names a folder of its own. */
export function downloadFolder(): string {
  return process.env['DEADTIME_DOWNLOADS'] || userCacheFolder();
}

/** Where data directories are kept: with the project, else with the user, and on a disk wherever there is one. */
export function cacheFolder(cwd: string): string {
  const modules = nodeModulesAround(cwd);
  const candidates = [
    ...(modules ? [join(modules, '.cache', 'deadtime')] : []),
    userCacheFolder(),
    join(process.platform === 'win32' ? tmpdir() : '/var/tmp', 'deadtime'),
    join(tmpdir(), 'deadtime'),
  ].filter(isWritable);
  const path = candidates.find((it) => !isInMemory(it)) ?? candidates[0];
  if (!path)
    throw new Error('no folder for temporary files is writable: set TMPDIR to one that is');
  return path;
}

/** Whether a flush of a file in the folder reaches no disk. */
export function isInMemory(folder: string): boolean {
  return process.platform === 'linux' && memoryFileSystems.has(statfsSync(folder).type);
}

function nodeModulesAround(folder: string): string | undefined {
  for (let it = folder; ; it = dirname(it)) {
    const modules = join(it, 'node_modules');
    if (existsSync(modules)) return modules;
    if (dirname(it) === it) return undefined;
  }
}

function isWritable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
