import { sep } from 'node:path';
import type { EntryKind, Files } from './files.ts';

/**
 * The files with other texts over them: an editor's unsaved ones, or another commit's. A text for a path that is not there
 * makes the file, and undefined takes it away. What is run is what lies on the disk: a program has other files that it imports.
 */
export function overlaid(files: Files, texts: ReadonlyMap<string, string | undefined>): Files {
  return {
    read: (path) => (texts.has(path) ? texts.get(path) : files.read(path)),
    list(directory) {
      const listing = files.list(directory);
      const inside = directory.endsWith(sep) ? directory : `${directory}${sep}`;
      let merged: Map<string, EntryKind> | undefined;
      for (const [path, text] of texts) {
        if (!path.startsWith(inside)) continue;
        const [name = '', ...rest] = path.slice(inside.length).split(sep);
        merged ??= new Map(listing?.kinds);
        if (text !== undefined) merged.set(name, rest.length > 0 ? 'directory' : 'file');
        else if (rest.length === 0) merged.delete(name);
      }
      return merged ? { kinds: merged, links: listing?.links ?? new Set() } : listing;
    },
    real: (path) => files.real(path),
    stamp: (path) => (texts.has(path) ? undefined : files.stamp(path)),
    ...(files.run && { run: files.run }),
  };
}
