import { readFileSync } from 'node:fs';

// One folder below the package in the sources (cli/) and in the build (dist/): the same address serves both.
const root = new URL('../', import.meta.url);

/** A file of the installed package; undefined where it has none by that name. */
export function packageFile(path: string): string | undefined {
  try {
    return readFileSync(new URL(path, root), 'utf8');
  } catch {
    return undefined;
  }
}

/** Its address on this machine, whether there is such a file or not. */
export function packageFileUrl(path: string): string {
  return new URL(path, root).href;
}

export function packageVersion(): string {
  return (JSON.parse(packageFile('package.json') ?? '{}') as { version?: string }).version ?? '0';
}
