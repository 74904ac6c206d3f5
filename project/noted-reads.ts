import type { Reads } from '../facts/effects/reads.ts';
import type { FileReads } from './basis.ts';
import type { NameKey } from './text-names.ts';

/** No path starts with them. */
const REFUSED = 'not ';
const NAMING = 'names ';

/** How it is noted that a file was asked for a name that its text cannot export. */
export const refusedOf = (name: string): string => `${REFUSED}${name}`;

/** How it is noted that somebody asked which files say a name. */
export const namingOf = (key: NameKey): string => `${NAMING}${key}`;

/** What was noted, by kind. */
export function fileReadsOf(reads: Reads | undefined): FileReads {
  const said = [...(reads?.said ?? [])].filter((it) => typeof it === 'string');
  const after = (start: string) =>
    said.flatMap((it) => (it.startsWith(start) ? it.slice(start.length) : []));
  return {
    files: said.filter((it) => !it.startsWith(REFUSED) && !it.startsWith(NAMING)),
    refused: after(REFUSED),
    naming: after(NAMING) as NameKey[],
  };
}
