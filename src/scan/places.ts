import { rules } from '../../rules/index.ts';
import type { Files } from '../project/files.ts';
import type { ProjectModules } from '../project/project-modules.ts';
import { createClock } from './clock.ts';
import { configurationsOf } from './configuration.ts';
import { filesOf } from './files.ts';
import type { Problem } from './problem.ts';
import { projectModules } from './project.ts';
import { rootAround } from './repository.ts';
import { scanFiles, type ScanFilesOptions, type ScanResult } from './scan-files.ts';

/** A place as a person names it, "src/worker.ts:41" or "src/worker.ts:41:5". */
export interface NamedPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number | undefined;
}

export function placeFrom(name: string): NamedPlace | undefined {
  const [, file, line, column] = /^(.+?):(\d+)(?::(\d+))?$/s.exec(name) ?? [];
  if (file === undefined) return undefined;
  return { file, line: Number(line), column: column === undefined ? undefined : Number(column) };
}

export function covers(
  { start, end }: Problem,
  { line, column }: Omit<NamedPlace, 'file'>,
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
    ...asked
  }: Pick<ScanFilesOptions, 'types' | 'provider' | 'watch'> & { readonly files?: Files } = {},
): Promise<Pick<ScanResult, 'problems' | 'notices'> & { readonly modules: ProjectModules }> {
  const root = rootAround(cwd);
  const clock = createClock();
  const found = filesOf([path], { cwd });
  const modules = projectModules(root, clock, { ...asked, ...(files && { files }) });
  const configurations = configurationsOf(rules, { profile: 'audit' }, files, root);
  const result = await scanFiles(found, { ...asked, rules, configurations, modules, clock });
  return { ...result, modules };
}
