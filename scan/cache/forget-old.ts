import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '../../project/files.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const KEPT_MS = 7 * DAY_MS;

/** Removes the files of a folder that nobody has written or used for a week; `isOurs` where others may lie beside them. */
export function forgetOld(
  folder: string,
  isOurs: (name: string) => boolean = () => true,
  now = Date.now(),
): void {
  // There may be no folder yet.
  for (const name of orUndefined(() => readdirSync(folder).filter(isOurs)) ?? []) {
    const path = join(folder, name);
    try {
      if (now - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { force: true });
    } catch {
      // Another process was quicker, or it is a folder.
    }
  }
}

/** It was of use: `forgetOld` leaves it. What is used all day is marked once, since each mark is a write. */
export function markUsed(path: string, now = Date.now()): void {
  try {
    if (now - statSync(path).mtimeMs > DAY_MS) utimesSync(path, now / 1_000, now / 1_000);
  } catch {
    // Then it is made again once it is a week old.
  }
}
