import { severities, type Severity } from '../../rules/define-rule.ts';
import { isLeftOut, isWholeFileLeftOut } from '../scan/left-out.ts';
import type { Notice, Problem } from '../scan/problem.ts';
import type { ScanStats } from '../scan/scan-files.ts';

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

/** `2 files not scanned`, undefined where all were: a report must not imply that those files are clean. */
export function leftOutCount(notices: readonly Notice[]): string | undefined {
  const whole = pathsOf(notices.filter(isWholeFileLeftOut));
  const partly = pathsOf(notices.filter((it) => isLeftOut(it) && !whole.has(it.path)));
  const parts = [
    ...(whole.size > 0 ? [`${counted(whole.size, 'file')} not scanned`] : []),
    ...(partly.size > 0 ? [`${counted(partly.size, 'file')} partly scanned`] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : undefined;
}

function pathsOf(notices: readonly Notice[]): ReadonlySet<string> {
  return new Set(notices.map((it) => it.path));
}

/** `12 more in the baseline`, undefined where the baseline hides no finding. */
export function baselinedCount({
  baselined = 0,
}: Pick<ScanStats, 'baselined'>): string | undefined {
  return baselined > 0 ? `${withCommas(baselined)} more in the baseline` : undefined;
}
