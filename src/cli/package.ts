import { readFileSync } from 'node:fs';
import { packageRoot } from '../system/package-root.ts';

/** A file of the installed package; undefined where it has none by that name. */
export function packageFile(path: string): string | undefined {
  try {
    return readFileSync(new URL(path, packageRoot), 'utf8');
  } catch {
    return undefined;
  }
}

/** The address of a file of the package, also where there is no such file. */
export function packageFileUrl(path: string): string {
  return new URL(path, packageRoot).href;
}

export function packageVersion(): string {
  return (JSON.parse(packageFile('package.json') ?? '{}') as { version?: string }).version ?? '0';
}
