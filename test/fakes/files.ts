import { basename, dirname } from 'node:path';
import type { EntryKind, Files } from '../../src/project/files.ts';

/** Files in memory, by their paths below `root`; a change of `texts` is a change of theirs. */
export function filesOf(
  root: string,
  texts: Readonly<Record<string, string>>,
): Files & { readonly reads: string[] } {
  const reads: string[] = [];
  const whole = (): [string, string][] =>
    Object.entries(texts).map(([path, text]) => [`${root}/${path}`, text]);
  return {
    reads,
    read(path) {
      reads.push(path);
      return whole().find(([it]) => it === path)?.[1];
    },
    list(directory) {
      const entries = new Map<string, EntryKind>();
      for (const [path] of whole()) {
        if (dirname(path) === directory) entries.set(basename(path), 'file');
        for (let it = dirname(path); it !== '/'; it = dirname(it)) {
          if (dirname(it) === directory) entries.set(basename(it), 'directory');
        }
      }
      return entries.size > 0 ? { kinds: entries, links: new Set() } : undefined;
    },
    real: (path) => path,
    stamp: (path) => whole().find(([it]) => it === path)?.[1],
  };
}

/** The same on a file system that does not tell capitals apart: whatever case is asked for, the one that is listed answers. */
export function blindToCase(files: Files, paths: readonly string[]): Files {
  const folders = paths.flatMap((path) => {
    const above: string[] = [];
    for (let it = dirname(path); it !== '/'; it = dirname(it)) above.push(it);
    return above;
  });
  const spelled = (path: string) =>
    [...paths, ...folders].find((it) => it.toLowerCase() === path.toLowerCase()) ?? path;
  return {
    read: (path) => files.read(spelled(path)),
    list: (directory) => files.list(spelled(directory)),
    real: (path) => files.real(spelled(path)),
    stamp: (path) =>
      files.stamp(spelled(path)) ?? (folders.includes(spelled(path)) ? '' : undefined),
  };
}
