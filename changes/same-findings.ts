import type { Problem } from '../scan/problem.ts';

/** A finding, and where its line would stand in the other text; undefined for a line that is not there. */
export interface Placed {
  readonly problem: Problem;
  readonly path: string | undefined;
  readonly offset: number | undefined;
  /** What the finding says and rests on, wherever it stands. */
  readonly reason: string;
}

/**
 * Those among `after` that are not among `before`: for the same reasons, in the same place or in a function that says the
 * same. Each of `before` stands for one of `after`, so a copy is new.
 */
export function newFindings(
  after: readonly Placed[],
  before: readonly Placed[],
): readonly Placed[] {
  const left = new Set(before);
  const isTaken = (isSame: (it: Placed) => boolean) => {
    for (const it of left) if (isSame(it)) return left.delete(it);
    return false;
  };
  const unplaced = after.filter(
    ({ path, offset, reason }) =>
      offset === undefined ||
      !isTaken((it) => it.path === path && it.offset === offset && it.reason === reason),
  );
  return unplaced.filter(
    ({ problem, reason }) =>
      !isTaken((it) => it.problem.fingerprint === problem.fingerprint && it.reason === reason),
  );
}

/**
 * Rule, message, what was read off the code, and the text of the related places without white space. Not the line numbers:
 * they move.
 */
export function reasonOf(
  { finding }: Problem,
  textAt: (path: string) => string | undefined,
): string {
  const { line, ...evidence } = finding.evidence;
  const places = finding.related.map(({ path, range, message }) => [
    message,
    (textAt(path) ?? '').slice(...range).replaceAll(/\s+/g, ''),
  ]);
  return JSON.stringify([finding.ruleId, finding.messageId, evidence, places]);
}
