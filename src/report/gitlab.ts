import type { Severity } from '../../rules/define-rule.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import type { ReportContext } from './format.ts';
import { byCost } from './order.ts';
import { shownPath } from './path.ts';

/** GitLab's Code Quality report, worst first. */
export function gitlabReport(
  { problems }: ScanResult,
  { root }: Pick<ReportContext, 'root'>,
): string {
  const turns = new Map<string, number>();
  const issues = problems.toSorted(byCost).map(({ finding, path, start, message, fingerprint }) => {
    // The same function in two files has the same fingerprint, and GitLab shows one issue of each.
    const turn = (turns.get(fingerprint) ?? 0) + 1;
    turns.set(fingerprint, turn);
    return {
      description: message,
      check_name: `deadtime/${finding.ruleId}`,
      fingerprint: turn === 1 ? fingerprint : `${fingerprint}-${turn}`,
      severity: severityNames[finding.severity],
      location: { path: shownPath(path, root), lines: { begin: start.line } },
    };
  });
  return `${JSON.stringify(issues, undefined, 2)}\n`;
}

const severityNames: Readonly<Record<Severity, string>> = {
  error: 'critical',
  warning: 'major',
  information: 'minor',
  hint: 'info',
};
