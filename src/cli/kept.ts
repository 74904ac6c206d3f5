import { dirname } from 'node:path';
import { orUndefined } from '../project/files.ts';
import { checksumOf } from '../scan/cache/checksum.ts';
import { markUsed, readOwn, removeOld, writeWhole } from '../system/own-files.ts';

const CHECKSUM_BYTES = 8;

/** The cached data of a process of the same user at `path`; undefined where it is damaged, as after a power failure. */
export function kept(path: string, now = Date.now()): Buffer | undefined {
  const bytes = orUndefined(() => readOwn(path));
  const data = bytes?.subarray(CHECKSUM_BYTES);
  if (!data || bytes?.toString('latin1', 0, CHECKSUM_BYTES) !== checksumOf(data)) return undefined;
  markUsed(path, now);
  return data;
}

/** Keeps it for other processes of the same user. One may read the file meanwhile, or write the same. */
export function keep(path: string, data: Buffer): void {
  try {
    writeWhole(path, Buffer.concat([Buffer.from(checksumOf(data)), data]));
    removeOld(dirname(path));
  } catch {
    // Nothing can be kept here: the next process makes it again.
  }
}
