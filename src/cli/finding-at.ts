import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { orUndefined } from '../project/files.ts';
import type { ProjectModules } from '../project/project-modules.ts';
import { byCost } from '../report/order.ts';
import { shownPath } from '../report/path.ts';
import { type NamedPlace, placeFrom, problemsAt, problemsIn } from '../scan/places.ts';
import { isLeftOut } from '../scan/left-out.ts';
import type { Problem } from '../scan/problem.ts';
import type { Watch } from '../scan/watch.ts';
import { visible } from '../report/visible.ts';
import { UsageError } from './failure.ts';
import { ruleNamed } from './rule-names.ts';
import { timeLimit } from './time-limit.ts';
import { diskFor, type TrustOption } from './trust.ts';
import { askedTypes, type TypesOption } from './types.ts';

/** The place has no finding; the message names those that are near. */
export class NoFinding extends UsageError {}

export interface FoundProblem {
  readonly problem: Problem;
  /** The facts of the files around it. */
  readonly modules: ProjectModules;
}

/** Which code of the project may run to find the finding. */
export interface FindingOptions extends TypesOption, TrustOption {
  /** Its rule: others may report the same place. */
  readonly rule?: string | undefined;
  /** By default the time limit of a command. */
  readonly watch?: Watch;
}

/**
 * The finding at `file:line`, `file:line:column` or `file:line:column#number`, the costliest of several, which are printed on
 * stderr; undefined for a name of another form.
 */
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
  const { end, ...types } = askedTypes(options);
  const { watch = timeLimit(cwd), rule } = options;
  const { problems, notices, modules } = await problemsIn(path, cwd, { ...types, files, watch });
  end();
  const { id } = rule === undefined ? {} : ruleNamed(rule);
  const asked = problems.filter((it) => id === undefined || it.finding.ruleId === id);
  const [problem, ...others] = problemsAt(asked, place).toSorted(byCost);
  if (problem) {
    tellOthers(others, problem, shownPath(path, cwd));
    return { problem, modules };
  }
  const unread = notices.find((it) => isLeftOut(it) && it.path === path);
  if (unread) {
    const { message } = unread;
    throw new UsageError(`There is no finding at ${name}. ${shownPath(path, cwd)}: ${message}`);
  }
  throw new NoFinding(nothingThere(shownPath(path, cwd), place, asked));
}

/** Names the findings that are near. */
function nothingThere(
  file: string,
  { line, name }: Pick<NamedPlace, 'line' | 'name'>,
  problems: readonly Problem[],
): string {
  const near = problems
    .toSorted((a, b) => Math.abs(a.start.line - line) - Math.abs(b.start.line - line))
    .slice(0, 3)
    .map((it) => lineOf(it, file));
  const others = near.length > 0 ? `The nearest are:\n${near.join('\n')}` : 'The file has none.';
  return `There is no finding at ${file}:${name}. ${others}`;
}

function lineOf({ names, finding }: Problem, file: string): string {
  return `  ${file}:${names.short}  ${finding.ruleId}`;
}

function tellOthers(
  others: readonly Problem[],
  { finding }: Pick<Problem, 'finding'>,
  file: string,
): void {
  if (others.length === 0) return;
  const names = others.map((it) => `${visible(lineOf(it, file))}\n`);
  process.stderr.write(
    `deadtime: this is the costliest there (${finding.ruleId}). More findings there:\n${names.join('')}`,
  );
}
