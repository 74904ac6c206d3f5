import { severities, type Severity } from '../../rules/define-rule.ts';
import { isLeftOut } from '../scan/left-out.ts';
import type { Notice, Problem } from '../scan/problem.ts';

/** `1,234`. The language's own way loads its tables of locales first: 12 ms, where a hook has 300. */
export function withCommas(count: number): string {
  const digits = String(count);
  return digits.replaceAll(/\d/g, (it, at: number) =>
    at > 0 && (digits.length - at) % 3 === 0 ? `,${it}` : it,
  );
}

/** `1,234 files`. */
export function counted(count: number, noun: string): string {
  return `${withCommas(count)} ${noun}${count === 1 ? '' : 's'}`;
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
  return severity === 'information' ? `${withCommas(count)} information` : counted(count, severity);
}

/** `2 files ignored`, undefined where all were scanned: a report must not imply that ignored files are clean. */
export function leftOutCount(notices: readonly Notice[]): string | undefined {
  const paths = new Set(notices.filter(isLeftOut).map((it) => it.path));
  return paths.size > 0 ? `${counted(paths.size, 'file')} ignored` : undefined;
}
