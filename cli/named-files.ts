import type { ScanMemory } from '../scan/cache/scan-memory.ts';
import { filesOf, type FoundFiles, type FilesOptions } from '../scan/files.ts';
import { UsageError } from './failure.ts';

/**
 * The code in the files and folders that a user names, as far as possible from memory. Throws a `UsageError` where there is no
 * such thing.
 */
export function namedFiles(
  paths: readonly string[],
  options: FilesOptions,
  memory?: ScanMemory,
): FoundFiles {
  const found = memory ? memory.search(paths, options) : filesOf(paths, options);
  if (found.missing.length === 0) return found;
  throw new UsageError(`No such file or folder: ${found.missing.join(', ')}`);
}
