import { rules } from '../../rules/index.ts';
import { factsOf } from '../analysis/facts.ts';
import type { Skeleton, Unreadable } from '../patterns/skeleton/shape.ts';
import { skeletonAt } from '../patterns/skeleton/skeletons.ts';
import type { ProjectModules } from '../project/project-modules.ts';
import { isFailure, sourceOf } from './parse.ts';
import type { Problem } from './problem.ts';
import { readingOf } from './text.ts';

export type { Skeleton, Unreadable };

/** The waits of the code around a finding; undefined where its rule is not about sequential waits. */
export function skeletonOf(
  { path, finding }: Pick<Problem, 'path' | 'finding'>,
  modules: ProjectModules,
): Skeleton | Unreadable | undefined {
  const subject = rules.find(({ id }) => id === finding.ruleId)?.replays;
  if (!subject) return undefined;
  const reading = readingOf(path);
  if (!('text' in reading)) return { unreadable: `its file ${reading.message}` };
  const source = sourceOf(reading.text, path, { modules: () => modules });
  if (isFailure(source)) return { unreadable: `its file ${source.message}` };
  modules.adopt(source);
  return skeletonAt(factsOf(source), subject, finding.range[0]);
}
