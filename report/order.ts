import { severities } from '../rules/define-rule.ts';
import type { Context, Problem } from '../scan/problem.ts';

/** The hotter the place, the earlier. */
const contexts: readonly Context[] = [
  'per-item',
  'per-job',
  'per-request',
  'periodic',
  'startup',
  'unknown',
];

/** Worst first: by severity, by how often the place runs, by its cost in milliseconds, then by place. */
export function byCost(a: Problem, b: Problem): number {
  return (
    severities.indexOf(a.finding.severity) - severities.indexOf(b.finding.severity) ||
    contexts.indexOf(a.context) - contexts.indexOf(b.context) ||
    costMsOf(b) - costMsOf(a) ||
    compare(a.path, b.path) ||
    a.finding.range[0] - b.finding.range[0] ||
    compare(a.finding.ruleId, b.finding.ruleId)
  );
}

/** What one pass costs in milliseconds; 0 where the code does not say it. */
export function costMsOf({ finding }: Problem): number {
  const { costMs, sleepMs } = finding.evidence;
  return Number(costMs ?? sleepMs ?? 0) || 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
