import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The repository's top; without one, the folder itself. */
export function rootAround(cwd: string): string {
  for (let it = cwd; ; it = dirname(it)) {
    if (existsSync(join(it, '.git'))) return it;
    if (dirname(it) === it) return cwd;
  }
}
