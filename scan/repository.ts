import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The repository's top, so that fingerprints are the same from every folder in it. */
export function rootAround(cwd: string): string {
  for (let it = cwd; ; it = dirname(it)) {
    if (existsSync(join(it, '.git'))) return it;
    if (dirname(it) === it) return cwd;
  }
}
