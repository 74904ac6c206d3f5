import { fileURLToPath } from 'node:url';
import { disk, type Files, spelledAsOnDisk } from '../src/project/files.ts';

/** How a path is found out, where it is not the usual way. */
export interface UriOptions {
  readonly real?: Files['real'];
  /** Whether paths have the letters of drives. */
  readonly windows?: boolean;
}

/**
 * The path of a file's URI, with one spelling per file: some editors write `file:///c%3A/`, others `file:///C:/`. Undefined for
 * a URI of no file.
 */
export function pathOfUri(
  uri: string,
  { real = disk.real, windows = process.platform === 'win32' }: UriOptions = {},
): string | undefined {
  try {
    const path = fileURLToPath(uri, { windows });
    return spelledAsOnDisk(
      path.replace(/^[a-z]:/, (it) => it.toUpperCase()),
      real,
    );
  } catch {
    return undefined;
  }
}
