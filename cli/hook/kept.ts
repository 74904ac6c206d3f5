import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { forgetOld } from '../../scan/cache/forget-old.ts';

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
    mkdirSync(dirname(path), { recursive: true });
    forgetOld(dirname(path));
    writeFileSync(`${path}.${process.pid}`, data, { mode: 0o600 });
    renameSync(`${path}.${process.pid}`, path);
  } catch {
    // Nothing can be kept here: the next process makes it again.
  }
}
