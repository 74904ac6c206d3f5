import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type EntryKind = 'file' | 'directory';

/** The file system as module resolution needs it: synchronous, and it never throws. Paths are absolute. */
export interface Files {
  /** undefined where there is no readable file. */
  read(path: string): string | undefined;
  /** What a directory holds, links followed; undefined where there is no such directory. */
  list(directory: string): ReadonlyMap<string, EntryKind> | undefined;
  /** The path without links. */
  real(path: string): string;
  /** Changes when the file does; undefined where there is none. */
  stamp(path: string): string | undefined;
}

export const disk: Files = {
  read: (path) => orUndefined(() => readFileSync(path, 'utf8')),
  list: (directory) =>
    orUndefined(() => {
      const entries = new Map<string, EntryKind>();
      for (const entry of readdirSync(directory, { withFileTypes: true })) {
        const kind = entry.isSymbolicLink()
          ? orUndefined(() => kindOf(statSync(join(directory, entry.name))))
          : kindOf(entry);
        if (kind) entries.set(entry.name, kind);
      }
      return entries;
    }),
  real: (path) => orUndefined(() => realpathSync.native(path)) ?? path,
  stamp: (path) =>
    orUndefined(() => {
      const { mtimeMs, size } = statSync(path);
      return `${mtimeMs} ${size}`;
    }),
};

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): EntryKind | undefined {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'directory' : undefined;
}

/** A file that cannot be read is, for analysis, a file that is not there. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
