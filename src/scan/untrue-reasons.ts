import type { Evidence, Finding } from '../../rules/define-rule.ts';

/** A claim of a comment that the facts of the findings which it disables can contradict. */
interface Claim {
  readonly states: RegExp;
  /** What the code does instead, where the evidence of a finding shows it. */
  readonly contradictedBy: (evidence: Evidence) => string | undefined;
}

const claims: readonly Claim[] = [
  {
    states: /\brate[- ]?limit/i,
    // A loop whose remedy is one query waits for that query alone.
    contradictedBy: ({ remedy, table }) =>
      remedy === 'batch' && table !== undefined
        ? `only asks for rows of ${table}, and a database has no rate limit`
        : undefined,
  },
  {
    states:
      /\bruns? (?:only |just )?once\b(?!\s+(?:per|an?|each|every|for|the|in)\b)|\bat (?:start-?up|boot)\b/i,
    contradictedBy: ({ context }) =>
      context === 'per-request'
        ? 'runs for every request'
        : context === 'per-job'
          ? 'runs for every job'
          : undefined,
  },
];

/** What contradicts the reason of a comment, where all findings that it disables do; undefined where one may be as it states. */
export function contradictionOf(
  reason: string,
  findings: readonly Pick<Finding, 'evidence'>[],
): string | undefined {
  const [claim] = claims.filter((it) => it.states.test(reason));
  const found = claim ? findings.map((it) => claim.contradictedBy(it.evidence)) : [];
  const [first] = found;
  return found.every((it) => it !== undefined) ? first : undefined;
}
