import type { DependencySet } from '../engine/dependencies.ts';
import type { FileReads, Lacking } from './basis.ts';
import type { NameKey } from './text-names.ts';

/** No path starts with them. */
const REFUSED = 'not ';
const NAMING = 'names ';
const LACKING = 'lacking ';
const KINDS = [REFUSED, NAMING, LACKING];

/** How it is noted that a file was asked for a name that its text cannot export. */
export const refusedOf = (name: string): string => `${REFUSED}${name}`;

/** The record of a question: which files contain a name. */
export const namingOf = (key: NameKey): string => `${NAMING}${key}`;

/** How it is noted that a text was seen to have a class of the first of these names without the members that follow. */
export const lackingOf = ({ names, path }: Lacking): string =>
  `${LACKING}${names.join(' ')}\n${path}`;

/** What was noted, by kind. */
export function fileReadsOf(reads: DependencySet | undefined): FileReads {
  const said = [...(reads?.paths ?? [])];
  const after = (start: string) =>
    said.flatMap((it) => (it.startsWith(start) ? it.slice(start.length) : []));
  return {
    files: said.filter((it) => !KINDS.some((kind) => it.startsWith(kind))),
    refused: after(REFUSED),
    lacking: after(LACKING).map((it) => {
      const end = it.indexOf('\n');
      return { names: it.slice(0, end).split(' '), path: it.slice(end + 1) };
    }),
    naming: after(NAMING) as NameKey[],
  };
}
