import type { Problem } from '../scan/problem.ts';
import type { View } from './view.ts';

/** As much of a finding as it takes to know it again, and where it stood before the change. */
export interface FormerFinding {
  readonly fingerprint: string;
  /** Like `offset`, undefined for a line that was not there. */
  readonly path: string | undefined;
  readonly offset: number | undefined;
  readonly reasons: Reasons;
}

/** A finding after the change. */
export interface Placed extends FormerFinding {
  readonly problem: Problem;
}

/** What a finding says and rests on, wherever it stands. */
export interface Reasons {
  /** Rule and message. */
  readonly kind: string;
  /** What was read off the code. */
  readonly evidence: string;
  /** The related places, each with its text. */
  readonly places: readonly string[];
}

/**
 * Those among `after` that are not among `before`: for the same reasons, in the same place or in a function that says the
 * same. Each of `before` stands for one of `after`, so a copy is new.
 */
export function newFindings(
  after: readonly Placed[],
  before: readonly FormerFinding[],
): readonly Placed[] {
  const left = new Set(before);
  const isTaken = (isSame: (it: FormerFinding) => boolean) => {
    for (const it of left) if (isSame(it)) return left.delete(it);
    return false;
  };
  const unplaced = after.filter(
    ({ path, offset, reasons }) =>
      offset === undefined ||
      !isTaken((it) => it.path === path && it.offset === offset && hasNoMore(reasons, it.reasons)),
  );
  return unplaced.filter(
    ({ fingerprint, reasons }) =>
      !isTaken((it) => it.fingerprint === fingerprint && hasNoMore(reasons, it.reasons)),
  );
}

/** Of five reads in line, one was taken out: four are left, and nothing came. */
function hasNoMore(after: Reasons, before: Reasons): boolean {
  if (after.kind !== before.kind) return false;
  const gone = [...before.places];
  for (const place of after.places) {
    const at = gone.indexOf(place);
    if (at === -1) return false;
    gone.splice(at, 1);
  }
  return gone.length > 0 || after.evidence === before.evidence;
}

/** A finding where it stands in the texts of `view`. */
export function placed(
  { path, finding, fingerprint }: Problem,
  view: Pick<View, 'textAt'>,
): FormerFinding {
  return { fingerprint, path, offset: finding.range[0], reasons: reasonsOf(finding, view) };
}

function reasonsOf(finding: Problem['finding'], { textAt }: Pick<View, 'textAt'>): Reasons {
  // Lines move.
  const { line, ...evidence } = finding.evidence;
  return {
    kind: `${finding.ruleId} ${finding.messageId}`,
    evidence: JSON.stringify(evidence),
    places: finding.related.map(({ path, range, message }) =>
      [message, (textAt(path) ?? '').slice(...range).replaceAll(/\s+/g, '')].join(' '),
    ),
  };
}
