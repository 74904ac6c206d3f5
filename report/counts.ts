import { severities, type Severity } from '../rules/define-rule.ts';
import type { Problem } from '../scan/problem.ts';

/** `1,234 files`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** `3 findings (1 error, 2 warnings)`. */
export function findingCount(problems: readonly Problem[]): string {
  const kinds = severities.flatMap((severity) => {
    const count = problems.filter(({ finding }) => finding.severity === severity).length;
    return count > 0 ? [severityCount(count, severity)] : [];
  });
  const all = counted(problems.length, 'finding');
  return kinds.length > 0 ? `${all} (${kinds.join(', ')})` : all;
}

function severityCount(count: number, severity: Severity): string {
  return severity === 'information'
    ? `${count.toLocaleString('en')} information`
    : counted(count, severity);
}
