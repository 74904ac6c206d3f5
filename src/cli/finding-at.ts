import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { orUndefined } from '../project/files.ts';
import type { ProjectModules } from '../project/project-modules.ts';
import { byCost } from '../report/order.ts';
import { shownPath } from '../report/path.ts';
import { covers, type NamedPlace, placeFrom, problemsIn } from '../scan/places.ts';
import { isLeftOut } from '../scan/left-out.ts';
import type { Problem } from '../scan/problem.ts';
import type { Watch } from '../scan/watch.ts';
import { UsageError } from './failure.ts';
import { timeLimit } from './time-limit.ts';
import { diskFor, type TrustOption } from './trust.ts';
import { askedTypes, type TypesOption } from './types.ts';

export interface FoundProblem {
  readonly problem: Problem;
  /** The facts of the files around it. */
  readonly modules: ProjectModules;
}

/** Which code of the project may run to find the finding. */
export interface FindingOptions extends TypesOption, TrustOption {
  /** By default the time limit of a command. */
  readonly watch?: Watch;
}

/** The costliest finding at `file:line` or `file:line:column`; undefined for a name of another form. */
export async function findingAt(
  name: string,
  cwd: string,
  options: FindingOptions = {},
): Promise<FoundProblem | undefined> {
  const place = placeFrom(name);
  if (!place) return undefined;
  const path = resolve(cwd, place.file);
  if (!orUndefined(() => statSync(path))?.isFile()) {
    throw new UsageError(`No such file: ${place.file}`);
  }
  const files = await diskFor(options);
  const { end, ...asked } = askedTypes(options);
  const { watch = timeLimit(cwd) } = options;
  const { problems, notices, modules } = await problemsIn(path, cwd, { ...asked, files, watch });
  end();
  const problem = problems.filter((it) => covers(it, place)).sort(byCost)[0];
  if (problem) return { problem, modules };
  const unread = notices.find((it) => isLeftOut(it) && it.path === path);
  if (unread) {
    const { message } = unread;
    throw new UsageError(`There is no finding at ${name}. ${shownPath(path, cwd)}: ${message}`);
  }
  throw new UsageError(nothingThere(shownPath(path, cwd), place, problems));
}

/** Names the findings that are near. */
function nothingThere(
  file: string,
  { line }: Pick<NamedPlace, 'line'>,
  problems: readonly Problem[],
): string {
  const near = problems
    .toSorted((a, b) => Math.abs(a.start.line - line) - Math.abs(b.start.line - line))
    .slice(0, 3)
    .map((it) => `  ${file}:${it.start.line}  ${it.finding.ruleId}`);
  const others = near.length > 0 ? `The nearest are:\n${near.join('\n')}` : 'The file has none.';
  return `There is no finding at ${file}:${line}. ${others}`;
}
