import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashOf } from '../../project/file-state.ts';

/** Put in place by the bundler. */
declare const DEADTIME_BUILD: string | undefined;

/** Equal only for equal analysis code: between two releases the version of the package does not show a change. */
export function buildOfDeadtime(): string {
  if (typeof DEADTIME_BUILD === 'string') return DEADTIME_BUILD;
  return buildFrom(fileURLToPath(new URL('../../../', import.meta.url)));
}

/** A digest of all that decides what is found, of the sources in `root`; the manifest names the parser's version. */
export function buildFrom(root: string): string {
  const parts = [readFileSync(join(root, 'package.json'))];
  for (const folder of [
    'rules',
    'src/analysis',
    'src/engine',
    'src/patterns',
    'src/project',
    'src/scan',
  ]) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((it) => it.endsWith('.ts')).sort()) {
      const path = join(root, folder, file);
      parts.push(Buffer.from(`\0${folder}/${file}\0`), readFileSync(path));
    }
  }
  return hashOf(Buffer.concat(parts));
}
