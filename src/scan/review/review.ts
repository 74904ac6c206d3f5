import { importersOf } from '../../project/importers.ts';
import { filesOf, isFoundBelow } from '../files.ts';
import type { Problem } from '../problem.ts';
import type { ScanResult } from '../scan-files.ts';
import { unwatched } from '../watch.ts';
import { causesIn } from './causes.ts';
import type { Change, ChangeSet } from './change-set.ts';
import { placesBefore } from './hunks.ts';
import { formerFindings, type Memory } from './former-findings.ts';
import { newFindings, placed, type IdentifiedProblem } from './same-findings.ts';
import { type View, viewOf, type ViewOptions } from './view.ts';

export interface ReviewOptions extends ViewOptions {
  /** In gitignore syntax. */
  readonly ignorePatterns?: readonly string[];
  /** Whether findings in unchanged files that import a changed one count, too: all files are read for that. */
  readonly followsImports: boolean;
  /** The cached results of the files before the change. */
  readonly memory?: Memory;
}

/**
 * The findings of a change: those that the files before it did not have, for the same reasons, at the same place or in a
 * function with the same text. So moving and formatting add none, and an edit far from a finding may add one.
 */
export async function review(set: ChangeSet, options: ReviewOptions): Promise<ScanResult> {
  const { root, changes } = set;
  const { run } = options.watch ?? unwatched;
  const after = viewOf(set.after, root, options);
  const changed = changes.map((it) => it.to).filter((it) => it !== undefined);
  const isReviewed = (path: string) => isFoundBelow(root, path, options.ignorePatterns ?? []);
  const own = await after.scan(run(() => changed.filter(isReviewed)));
  const importing = options.followsImports ? await findingsBehindImports(set, after) : [];
  const found = [...own.problems, ...importing];
  if (found.length === 0) return own;

  const formerly = changes.map((it) => it.from).filter((it) => it !== undefined);
  const known = await formerFindings(
    set,
    [...new Set([...formerly, ...importing.map((it) => it.path)])],
    // No rule outside of the list can have depended on them.
    { ...options, ruleIds: new Set(found.map(({ finding }) => finding.ruleId)) },
  );
  const offsetsBefore = new Map(changes.map((it) => [it.to, offsetsBeforeOf(it)]));
  const problems = run(() => {
    const fresh = newFindings(
      found.map((it) => placedBefore(it, offsetsBefore.get(it.path), after)),
      known,
    );
    const causesOf = causesIn(set, after);
    return fresh.map(({ problem }) => {
      return { ...problem, related: [...problem.related, ...causesOf(problem)] };
    });
  });
  return { ...own, problems };
}

/** In unchanged files whose findings depend on a changed or a new file. A removed file has no importer. */
async function findingsBehindImports(
  { root, changes }: ChangeSet,
  view: View,
): Promise<readonly Problem[]> {
  const changed = new Set(changes.flatMap((it) => it.to ?? []));
  const targets = changes.filter((it) => it.from === undefined || it.hunks.length > 0);
  const paths = targets.flatMap((it) => it.to ?? []);
  if (paths.length === 0) return [];
  const { files } = filesOf([root], { cwd: root });
  const { textAt, modules } = view;
  const importers = importersOf(paths, files, {
    read: textAt,
    pathOf: (specifier, from) => modules.pathOf(specifier, from),
    factsAt: (path) => modules.factsAt(path),
  });
  const { problems } = await view.scan(importers.filter((it) => !changed.has(it)));
  return problems.filter(({ path }) => modules.dependenciesOf(path).some((it) => changed.has(it)));
}

/** The places of a file before the change. */
interface OffsetsBefore {
  readonly path: string | undefined;
  readonly offsetOf: (offset: number) => number | undefined;
}

function offsetsBeforeOf({ from, before = '', after = '', hunks }: Change): OffsetsBefore {
  const offsetOf = from === undefined ? () => undefined : placesBefore(before, after, hunks);
  return { path: from, offsetOf };
}

function placedBefore(
  problem: Problem,
  before: OffsetsBefore | undefined,
  view: View,
): IdentifiedProblem {
  const here = { ...placed(problem, view), problem };
  if (!before) return here;
  return { ...here, path: before.path, offset: before.offsetOf(problem.finding.range[0]) };
}
