import type { Problem, RelatedPlace } from '../scan/problem.ts';
import type { Change, ChangeSet } from './change-set.ts';
import type { Hunk } from './patch.ts';
import type { View } from './view.ts';

/** More of them help nobody. */
const MOST_CAUSES = 3;

/** The changed lines that bring a finding, where neither it nor what it names stands in one of them. */
export function causesOf(
  problem: Problem,
  { changes }: ChangeSet,
  { modules, textAt }: View,
): readonly RelatedPlace[] {
  const changeOf = (path: string) => changes.find((it) => it.to === path);
  const isShown = [problem, ...problem.related].some(({ path, start, end }) =>
    changeOf(path)?.hunks.some((it) => touches(it, start.line, end.line)),
  );
  if (isShown) return [];
  const own = changeOf(problem.path);
  const nearest = own && nearestHunk(own, problem);
  if (nearest) return [placeOf(own, nearest, textAt(problem.path) ?? '')];
  return modules
    .dependenciesOf(problem.path)
    .flatMap((path) => {
      const change = changeOf(path);
      const [first] = change?.hunks ?? [];
      return change && first ? [placeOf(change, first, textAt(path) ?? '')] : [];
    })
    .slice(0, MOST_CAUSES);
}

/** Lines that went touch nothing that is left. */
function touches({ to, added }: Hunk, start: number, end: number): boolean {
  return to <= end && start < to + added.length;
}

function nearestHunk({ hunks }: Change, { start }: Problem): Hunk | undefined {
  const distance = ({ to }: Hunk) => Math.abs(to - start.line);
  return hunks.toSorted((a, b) => distance(a) - distance(b))[0];
}

function placeOf({ to: path }: Change, { to, added }: Hunk, text: string): RelatedPlace {
  const lines = text.split('\n');
  const first = Math.min(to, lines.length);
  const last = Math.max(first, to + added.length - 1);
  return {
    path: path!,
    start: { line: first, column: 1 },
    end: { line: last, column: (lines[last - 1] ?? '').length + 1 },
    message: added.length > 0 ? 'the change that brings it' : 'what was removed here brings it',
  };
}
