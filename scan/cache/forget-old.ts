import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '../../project/files.ts';

const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

/** Removes the files of a folder that nobody has written to for a week; `isOurs` where others may lie beside them. */
export function forgetOld(folder: string, isOurs: (name: string) => boolean = () => true): void {
  // There may be no folder yet.
  for (const name of orUndefined(() => readdirSync(folder).filter(isOurs)) ?? []) {
    const path = join(folder, name);
    try {
      if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { force: true });
    } catch {
      // Another process was quicker, or it is a folder.
    }
  }
}
