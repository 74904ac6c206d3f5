import type { Problem } from '../scan/problem.ts';
import { proofCommand } from '../scan/proof-command.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import type { ReportContext } from './format.ts';
import { grouped } from './grouped.ts';
import { byCost } from './order.ts';
import { shownPath } from './path.ts';
import { escaped } from './proof/markup.ts';

/** One test case a finding, by file; without findings one that passes, because a report without tests counts as a mistake. */
export function junitReport(
  { problems, stats }: ScanResult,
  { cwd }: Pick<ReportContext, 'cwd'>,
): string {
  const files = grouped(problems.toSorted(byCost), (it) => shownPath(it.path, cwd));
  const suites = [...files].map(([file, group]) => suiteOf(file, group));
  const count = problems.length;
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="deadtime" tests="${count || 1}" failures="${count}">`,
    ...(count > 0
      ? suites
      : [passing(stats.files > 0 ? 'no dead time found' : 'no file was scanned')]),
    '</testsuites>',
  ].join('\n')}\n`;
}

const passing = (name: string) => `  <testsuite name="deadtime" tests="1" failures="0">
    <testcase classname="deadtime" name="${name}"/>
  </testsuite>`;

function suiteOf(file: string, problems: readonly Problem[]): string {
  const count = problems.length;
  return [
    `  <testsuite name="${xml(file)}" tests="${count}" failures="${count}">`,
    ...problems.map((it) => caseOf(it, file)),
    '  </testsuite>',
  ].join('\n');
}

function caseOf(problem: Problem, file: string): string {
  const { finding, start, message } = problem;
  const place = `${start.line}:${start.column}`;
  const proof = proofCommand(file, problem);
  return [
    `    <testcase classname="${xml(file)}" name="${finding.ruleId} ${place}" file="${xml(file)}" line="${start.line}">`,
    `      <failure type="${finding.severity}" message="${xml(message)}">${xml(`${file}:${place}\nProve it: ${proof}`)}</failure>`,
    '    </testcase>',
  ].join('\n');
}

/** XML has no way to write most control characters and halves of surrogate pairs. */
function xml(text: string): string {
  return escaped(
    text.toWellFormed().replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd'),
  );
}
