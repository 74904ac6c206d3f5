import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { foldersFrom } from '../project/folders-above.ts';

/** The repository's top; without one, the folder itself. */
export function rootAround(cwd: string): string {
  return foldersFrom(cwd).find((it) => existsSync(join(it, '.git'))) ?? cwd;
}
