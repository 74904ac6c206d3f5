import { basename, dirname } from 'node:path';
import type { EntryKind, Files } from './files.ts';

/** The files with an editor's unsaved texts over them; a text for a path that is not there yet makes the file. */
export function overlaid(files: Files, texts: ReadonlyMap<string, string>): Files {
  return {
    read: (path) => texts.get(path) ?? files.read(path),
    list(directory) {
      const entries = files.list(directory);
      const names = [...texts.keys()]
        .filter((it) => dirname(it) === directory && !entries?.has(basename(it)))
        .map((it): [string, EntryKind] => [basename(it), 'file']);
      return names.length === 0 ? entries : new Map([...(entries ?? []), ...names]);
    },
    real: (path) => files.real(path),
    stamp: (path) => (texts.has(path) ? undefined : files.stamp(path)),
  };
}
