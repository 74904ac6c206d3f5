import { groupedBy } from '../../analysis/syntax/grouped.ts';
import type { Problem } from '../problem.ts';
import type { View } from './view.ts';

/** The parts of a finding that identify it, and its place before the change. */
export interface FindingIdentity {
  readonly fingerprint: string;
  /** Like `offset`, undefined for a line that was not there. */
  readonly path: string | undefined;
  readonly offset: number | undefined;
  readonly reasons: Reasons;
}

/** A finding after the change. */
export interface IdentifiedProblem extends FindingIdentity {
  readonly problem: Problem;
}

/** The content and the reasons of a finding, without its place. */
export interface Reasons {
  /** Rule and message. */
  readonly kind: string;
  /** The evidence of the finding. */
  readonly evidence: string;
  /** The related places, each with its text. */
  readonly places: readonly string[];
}

/**
 * Those among `after` that are not among `before`: for the same reasons, at the same place or in a function with the same text.
 * Each of `before` matches one of `after`, so a copy is new.
 */
export function newFindings(
  after: readonly IdentifiedProblem[],
  before: readonly FindingIdentity[],
): readonly IdentifiedProblem[] {
  const left = new Set(before);
  const isNewBy = (keyOf: (it: FindingIdentity) => string | undefined) => {
    const groups = new Map(
      Array.from(groupedBy(before, keyOf), ([key, all]) => [key, new Set(all)]),
    );
    return (it: IdentifiedProblem): boolean => {
      const group = groups.get(keyOf(it) ?? '') ?? new Set();
      for (const other of group) {
        if (!left.has(other)) group.delete(other);
        else if (hasNoMore(it.reasons, other.reasons)) return !left.delete(other);
      }
      return true;
    };
  };
  return after.filter(isNewBy(placeOf)).filter(isNewBy(unitOf));
}

function placeOf({ path, offset, reasons }: FindingIdentity): string | undefined {
  return offset === undefined ? undefined : [reasons.kind, offset, path].join(' ');
}

function unitOf({ fingerprint, reasons }: FindingIdentity): string {
  return [reasons.kind, fingerprint].join(' ');
}

/** Of five sequential reads, an edit removed one: four are left, and none is new. */
function hasNoMore(after: Reasons, before: Reasons): boolean {
  if (after.kind !== before.kind) return false;
  const gone = new Map<string, number>();
  for (const it of before.places) gone.set(it, (gone.get(it) ?? 0) + 1);
  for (const it of after.places) {
    const count = gone.get(it) ?? 0;
    if (count === 0) return false;
    gone.set(it, count - 1);
  }
  return before.places.length > after.places.length || after.evidence === before.evidence;
}

/** The place of a finding in the texts of `view`. */
export function placed(
  { path, finding, fingerprint }: Problem,
  view: Pick<View, 'textAt'>,
): FindingIdentity {
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
