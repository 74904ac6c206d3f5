import { join } from 'node:path';
import { scratchFolder, writeWhole } from '../system/own-files.ts';

const FILE_BYTES = 256 * 1_024;

/** Files for a case that reads some, in a folder of their own. */
export interface ScratchFiles {
  readonly paths: readonly string[];
  /** Removes them. */
  close(): Promise<void>;
}

export function scratchFiles(count: number): ScratchFiles {
  const folder = scratchFolder();
  const paths = Array.from({ length: count }, (_, i) => join(folder.path, `${i}.json`));
  for (const path of paths) writeWhole(path, Buffer.alloc(FILE_BYTES));
  return { paths, close: async () => folder.remove() };
}
