import type { Severity } from '../../rules/define-rule.ts';
import type { Problem } from '../scan/problem.ts';
import { proofCommand } from '../scan/proof-command.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import { findingCount, withCommas } from './counts.ts';
import type { ReportContext } from './format.ts';
import { grouped } from './grouped.ts';
import { byCost } from './order.ts';
import { shownPath } from './path.ts';

/** GitHub shows so many annotations of each kind a step, and drops the rest without a word. */
const mostOfAKind = 10;

/** Workflow commands for the costliest findings; the rest is counted, and listed in the step's summary. */
export function githubReport(
  { problems }: ScanResult,
  context: Pick<ReportContext, 'root' | 'cwd'>,
): string {
  const kinds = grouped(problems.toSorted(byCost), ({ finding }) => kindOf[finding.severity]);
  const shown = [...kinds].flatMap(([kind, group]) =>
    group.slice(0, mostOfAKind).map((it) => annotationOf(it, kind, context)),
  );
  const left = problems.length - shown.length;
  const rest = left > 0 ? `, ${withCommas(left)} more in the step summary` : '';
  return [...shown, `deadtime: ${findingCount(problems)}${rest}\n`].join('\n');
}

const kindOf = {
  error: 'error',
  warning: 'warning',
  information: 'notice',
  hint: 'notice',
} as const satisfies Record<Severity, string>;

function annotationOf(
  problem: Problem,
  kind: string,
  { root, cwd }: Pick<ReportContext, 'root' | 'cwd'>,
): string {
  const { finding, path, start, end, message } = problem;
  const properties = {
    file: shownPath(path, root),
    line: start.line,
    endLine: end.line,
    col: start.column,
    endColumn: end.column,
    title: `deadtime/${finding.ruleId}`,
  };
  const listed = Object.entries(properties).map(([name, it]) => `${name}=${property(String(it))}`);
  const proof = proofCommand(shownPath(path, cwd), problem);
  return `::${kind} ${listed.join(',')}::${data(`${message}\nProve it: ${proof}`)}`;
}

/** What follows the second `::`. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
