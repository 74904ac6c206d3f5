import { existsSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ownFolder, userCacheFolder } from '../../system/own-files.ts';

/** The file systems of Linux that keep files in memory: tmpfs and ramfs. A flush takes no time there. */
const memoryFileSystems = new Set([0x01021994, 0x858458f6]);

/** The folder for programs from npm: an editor names its own. */
export function downloadFolder(): string {
  return process.env['DEADTIME_DOWNLOADS'] || userCacheFolder();
}

/**
 * Where a package may be that Deadtime uses and does not contain: next to Deadtime, and where its user has installed it for
 * proofs. Not in a project: scanned code provides no programs to run. The folders that exist.
 */
export function installedPackage(name: string): readonly string[] {
  const folders = [downloadFolder(), userCacheFolder()].map((it) => join(it, 'node_modules', name));
  return [...besideUs(name), ...folders].filter((it) => existsSync(join(it, 'package.json')));
}

/** Whether `import()` of a package that Deadtime does not contain works here. */
export function isImportable(name: string): boolean {
  return besideUs(name).length > 0;
}

function besideUs(name: string): readonly string[] {
  try {
    let folder = dirname(createRequire(import.meta.url).resolve(name));
    while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
    return [folder];
  } catch {
    return [];
  }
}

/** The folder of data directories. Throws where that is not safe, or not writable. */
export function serversFolder(): string {
  return ownFolder('servers');
}

/** Whether a flush of a file in the folder reaches no disk. */
export function isInMemory(folder: string): boolean {
  return process.platform === 'linux' && memoryFileSystems.has(statfsSync(folder).type);
}
