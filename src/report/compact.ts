import type { ScanResult } from '../scan/scan-files.ts';
import type { ReportContext } from './format.ts';
import { byCost } from './order.ts';
import { shownPath } from './path.ts';
import { visible } from './visible.ts';

/** One line a finding, worst first, as editors and grep take it. */
export function compactReport(
  { problems }: ScanResult,
  { cwd }: Pick<ReportContext, 'cwd'>,
): string {
  const lines = problems.toSorted(byCost).map(({ finding, path, start, message }) => {
    const place = `${shownPath(path, cwd)}:${start.line}:${start.column}`;
    return `${visible(`${place}: ${finding.severity} ${finding.ruleId}: ${message}`)}\n`;
  });
  return lines.join('');
}
