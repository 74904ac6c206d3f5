import { type Evidence, type Severity, severities } from '../../rules/define-rule.ts';
import { deadMsOf, type MeasuredCost } from '../scan/measured-costs.ts';
import type { Context, Problem } from '../scan/problem.ts';

/** The keys of the order of findings, for all forms of findings. */
export interface Rank {
  readonly severity: Severity;
  /** Of `measuredRank`. */
  readonly measured: number;
  readonly context: Context;
  /** The cost of one pass in milliseconds; 0 where the code does not contain it. */
  readonly costMs: number;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly ruleId: string;
}

/** The hotter the place, the earlier. */
const contexts: readonly Context[] = [
  'per-item',
  'per-job',
  'per-request',
  'periodic',
  'startup',
  'unknown',
];

/** Worst first: by severity, by what it has cost in the running program, by how often the place runs, by its cost, then by place. */
export function byRank(a: Rank, b: Rank): number {
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    b.measured - a.measured ||
    contexts.indexOf(a.context) - contexts.indexOf(b.context) ||
    b.costMs - a.costMs ||
    compare(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compare(a.ruleId, b.ruleId)
  );
}

export function byCost(a: Problem, b: Problem): number {
  return byRank(rankOf(a), rankOf(b));
}

export function rankOf({ finding, context, path, start, measured }: Problem): Rank {
  const { severity, evidence, ruleId } = finding;
  return {
    ...{ severity, measured: measuredRank(measured), context },
    ...{ costMs: costMsOf(evidence), file: path, ...start, ruleId },
  };
}

/** Milliseconds; behind those of which nothing was measured come those that did not run. */
export function measuredRank(
  measured:
    | Pick<MeasuredCost, 'state' | 'count' | 'unmeasured' | 'totalMs' | 'togetherMs'>
    | { readonly state: 'did-not-run' | 'stale' }
    | undefined,
): number {
  if (measured?.state === 'measured') return deadMsOf(measured);
  return measured?.state === 'did-not-run' ? -1 : 0;
}

export function costMsOf({ costMs, sleepMs }: Evidence): number {
  return Number(costMs ?? sleepMs ?? 0) || 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Each once, in the order of their JSON: several runs, or a run in a different order, give the same list. */
export function distinct<T>(items: readonly T[]): readonly T[] {
  const byText = new Map(items.map((it) => [JSON.stringify(it), it]));
  return [...byText].sort(([a], [b]) => compare(a, b)).map(([, it]) => it);
}
