import { rules } from '../../rules/index.ts';
import type { Files } from '../project/files.ts';
import type { ProjectModules } from '../project/project-modules.ts';
import { type Clock, createClock } from './clock.ts';
import { configurationsOf } from './configuration.ts';
import { filesOf } from './files.ts';
import type { Problem } from './problem.ts';
import { projectModules } from './project.ts';
import { rootAround } from './repository.ts';
import { scanFiles, type ScanFilesOptions, type ScanResult } from './scan-files.ts';

/** A place as a person names it: "src/worker.ts:41", "src/worker.ts:41:5" or "src/worker.ts:41:5#2". */
export interface NamedPlace {
  readonly file: string;
  /** What follows the file: `41:5#2`. */
  readonly name: string;
  readonly line: number;
  readonly column: number | undefined;
  /** From 1: which of the findings that start there. */
  readonly ordinal: number | undefined;
}

export function placeFrom(text: string): NamedPlace | undefined {
  const [, file, name = '', line, column, ordinal] =
    /^(.+?):((\d+)(?::(\d+)(?:#(\d+))?)?)$/s.exec(text) ?? [];
  if (file === undefined) return undefined;
  const numberOf = (digits: string | undefined) =>
    digits === undefined ? undefined : Number(digits);
  return {
    ...{ file, name, line: Number(line) },
    ...{ column: numberOf(column), ordinal: numberOf(ordinal) },
  };
}

/** The findings that a place names: those that start there, or else those around it. */
export function problemsAt(
  problems: readonly Problem[],
  place: Omit<NamedPlace, 'file' | 'name'>,
): readonly Problem[] {
  const { line, column, ordinal } = place;
  const starting = problems.filter(
    ({ start }) => start.line === line && (column === undefined || start.column === column),
  );
  if (ordinal !== undefined) return starting.slice(ordinal - 1, ordinal);
  return starting.length > 0 ? starting : problems.filter((it) => covers(it, place));
}

function covers(
  { start, end }: Problem,
  { line, column }: Pick<NamedPlace, 'line' | 'column'>,
): boolean {
  if (line < start.line || line > end.line) return false;
  if (column === undefined) return true;
  return (line > start.line || column >= start.column) && (line < end.line || column <= end.column);
}

/** All findings of the file at an absolute path: a question about a place includes findings of any confidence. */
export async function problemsIn(
  path: string,
  cwd: string,
  {
    files,
    clock = createClock(),
    modules: given,
    ...asked
  }: Pick<ScanFilesOptions, 'types' | 'provider' | 'watch'> & {
    readonly files?: Files;
    readonly clock?: Clock;
    readonly modules?: ProjectModules;
  } = {},
): Promise<Pick<ScanResult, 'problems' | 'notices'> & { readonly modules: ProjectModules }> {
  const root = rootAround(cwd);
  const found = filesOf([path], { cwd });
  const configurations = configurationsOf(rules, { profile: 'audit' }, files, root);
  const { usesUnconfirmed } = configurations;
  const modules =
    given ?? projectModules(root, clock, { ...asked, ...(files && { files }), usesUnconfirmed });
  const result = await scanFiles(found, { ...asked, rules, configurations, modules, clock });
  return { ...result, modules };
}
