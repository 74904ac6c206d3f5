import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { orUndefined } from '../project/files.ts';
import { checksumOf } from '../scan/cache/checksum.ts';
import { forgetOld, markUsed } from '../scan/cache/forget-old.ts';
import { writeWhole } from '../scan/cache/write-whole.ts';

const CHECKSUM_BYTES = 8;

/** What a process of the same user has kept at `path`; undefined where it is damaged, as after a power failure. */
export function kept(path: string, now = Date.now()): Buffer | undefined {
  const bytes = orUndefined(() => ownBytes(path));
  const data = bytes?.subarray(CHECKSUM_BYTES);
  if (!data || bytes?.toString('latin1', 0, CHECKSUM_BYTES) !== checksumOf(data)) return undefined;
  markUsed(path, now);
  return data;
}

/** Undefined for what others may have written, and for what came with a checkout, whose files others may at least read. */
function ownBytes(path: string): Buffer | undefined {
  const file = openSync(path, 'r');
  try {
    const { uid, mode } = fstatSync(file);
    // Windows has no such modes: there, the folder is the user's.
    const isOwn = !process.getuid || (uid === process.getuid() && (mode & 0o077) === 0);
    return isOwn ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}

/** Keeps it for other processes of the same user. One may read the file meanwhile, or write the same. */
export function keep(path: string, data: Buffer): void {
  try {
    writeWhole(path, Buffer.concat([Buffer.from(checksumOf(data)), data]));
    forgetOld(dirname(path));
  } catch {
    // Nothing can be kept here: the next process makes it again.
  }
}
