import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

/** Removes the files of a folder that nobody has written to for a week; `isOurs` where others may lie beside them. */
export function forgetOld(folder: string, isOurs: (name: string) => boolean = () => true): void {
  try {
    for (const name of readdirSync(folder).filter(isOurs)) {
      const path = join(folder, name);
      if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { force: true });
    }
  } catch {
    // There is no folder yet, or another process was quicker.
  }
}
