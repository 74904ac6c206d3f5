import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { forgetOld } from '../../scan/cache/forget-old.ts';
import { writeWhole } from '../../scan/cache/write-whole.ts';

/** What a process before has kept at `path`. */
export function kept(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Keeps it for other processes of the same user. One may read the file meanwhile, or write the same. */
export function keep(path: string, data: Buffer | string): void {
  try {
    writeWhole(path, data);
    forgetOld(dirname(path));
  } catch {
    // Nothing can be kept here: the next process makes it again.
  }
}
