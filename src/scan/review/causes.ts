import type { Problem, RelatedPlace } from '../problem.ts';
import type { Change, ChangeSet } from './change-set.ts';
import { firstLine, lastUpTo } from './hunks.ts';
import type { Hunk } from './patch.ts';
import type { View } from './view.ts';

/** More of them are of no use to a reader. */
const MOST_CAUSES = 3;

/** The changed lines that cause a finding, where neither the finding nor its related places are in one of them. */
export function causesIn(
  { changes }: ChangeSet,
  { modules, textAt }: View,
): (problem: Problem) => readonly RelatedPlace[] {
  const byPath = new Map(changes.map((it) => [it.to, it]));
  const lines = new Map<string, readonly string[]>();
  const linesAt = (path: string) => {
    let known = lines.get(path);
    if (!known) lines.set(path, (known = (textAt(path) ?? '').split('\n')));
    return known;
  };
  return (problem) => {
    const isShown = [problem, ...problem.related].some(({ path, start, end }) =>
      isTouched(byPath.get(path)?.hunks ?? [], start.line, end.line),
    );
    if (isShown) return [];
    const own = byPath.get(problem.path);
    const nearest = own && nearestHunk(own, problem);
    if (nearest) return [placeOf(own, nearest, linesAt(problem.path))];
    return modules
      .dependenciesOf(problem.path)
      .flatMap((path) => {
        const change = byPath.get(path);
        const [first] = change?.hunks ?? [];
        return change && first ? [placeOf(change, first, linesAt(path))] : [];
      })
      .slice(0, MOST_CAUSES);
  };
}

/** Lines that went touch nothing that is left. Of hunks in order, none before the last that starts here reaches further. */
function isTouched(hunks: readonly Hunk[], start: number, end: number): boolean {
  const last = hunks[lastUpTo(end, hunks, firstLine)];
  return last !== undefined && start < last.to + last.added.length;
}

function nearestHunk({ hunks }: Change, { start }: Problem): Hunk | undefined {
  const at = lastUpTo(start.line, hunks, firstLine);
  const [before, after] = [hunks[at], hunks[at + 1]];
  if (!before || !after) return before ?? after;
  return after.to - start.line < start.line - before.to ? after : before;
}

function placeOf(
  { to: path }: Change,
  { to, added }: Hunk,
  lines: readonly string[],
): RelatedPlace {
  const first = Math.min(to, lines.length);
  const last = Math.max(first, to + added.length - 1);
  return {
    path: path!,
    start: { line: first, column: 1 },
    end: { line: last, column: (lines[last - 1] ?? '').length + 1 },
    message: added.length > 0 ? 'the change that causes it' : 'the removal here causes it',
  };
}
