import type { ScanMemory } from '../scan/cache/scan-memory.ts';
import { filesOf, type FoundFiles, type FilesOptions } from '../scan/files.ts';
import { UsageError } from './failure.ts';
import { nearest } from '../scan/nearest.ts';
import { setFlags } from './v8-flags.ts';

interface Asked extends Pick<FilesOptions, 'disk'> {
  /** Instead of the disk. */
  readonly memory?: ScanMemory;
  readonly words?: readonly string[];
}

/**
 * The code in the files and folders that a user names, from the cache where possible. Throws a `UsageError` where a path does
 * not exist; the error suggests the nearest of `words`.
 */
export function namedFiles(
  paths: readonly string[],
  options: Omit<FilesOptions, 'disk'>,
  { memory, words = [], ...without }: Asked = {},
): FoundFiles {
  setFlags('whileScanning');
  const found = memory ? memory.search(paths, options) : filesOf(paths, { ...options, ...without });
  setFlags('own');
  if (found.missing.length === 0) return found;
  // Only the first word names a command.
  const [meant] = found.missing[0] === paths[0] ? nearest(paths[0]!, words) : [];
  const advice = meant === undefined ? '' : `. Did you mean deadtime ${meant}?`;
  throw new UsageError(`No such file or folder: ${found.missing.join(', ')}${advice}`);
}
