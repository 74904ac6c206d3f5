import { isLeftOut } from '../scan/left-out.ts';
import type { Problem } from '../scan/problem.ts';
import { proofCommand } from '../scan/proof-command.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import { baselinedCount, counted, findingCount, leftOutCount } from './counts.ts';
import { waysOf } from './fix.ts';
import type { ReportContext } from './format.ts';
import { markdownCode, markdownMessage, markdownText } from './markdown-text.ts';
import { measuredSentence } from './measured.ts';
import { byCost } from './order.ts';
import { shownPath } from './path.ts';
import { frequencies } from './frequencies.ts';
import { ownCommand } from '../system/own-command.ts';

/** GitHub takes no comment above 65,536 characters; none is less than a byte. */
const mostBytes = 65_000;

/** A comment on a change: the findings as a table, the costliest first, and below it how to fix them. */
export function markdownReport(result: ScanResult, context: Shown, most = mostBytes): string {
  const problems = result.problems.toSorted(byCost);
  const baselined = baselinedCount(result.stats);
  const more = baselined === undefined ? '' : `\n${baselined}.\n`;
  if (problems.length === 0) {
    const nothing =
      result.stats.files === 0
        ? 'scanned no file'
        : `found no ${baselined === undefined ? '' : 'new '}dead time`;
    return `${marker}\n**Deadtime** ${nothing}.\n${more}${leftOutList(result, context)}`;
  }
  const rows = fitting(
    problems.map((it) => rowOf(it, context)),
    most * 0.6,
  );
  const details = fitting(
    problems.slice(0, rows.length).map((it) => detailOf(it, context)),
    most * 0.3,
  );
  const left = problems.length - rows.length;
  return `${[
    `${marker}\n### Deadtime: ${findingCount(problems)}\n`,
    tableHead(context),
    ...rows,
    ...(left > 0 ? [`\n${counted(left, 'finding')} more: \`${ownCommand('')}\` shows them.`] : []),
    '\n<details><summary>How to fix, and how to measure</summary>\n',
    ...details,
    '\n</details>',
  ].join('\n')}\n${more}${leftOutList(result, context)}`;
}

/** So many of the files that were left out are named. */
const NAMED = 10;

function leftOutList({ notices }: ScanResult, { cwd }: Shown): string {
  const count = leftOutCount(notices);
  if (count === undefined) return '';
  const named = notices.filter(isLeftOut).slice(0, NAMED);
  const lines = named.map(({ path, message }) => {
    const [first = ''] = message.split('\n', 1);
    return `- ${markdownCode(shownPath(path, cwd))} ${markdownText(first)}`;
  });
  return `\n${count}:\n\n${lines.join('\n')}\n`;
}

/** By which a later run finds the comment that it replaces. */
const marker = '<!-- deadtime -->';

type Shown = Pick<ReportContext, 'cwd' | 'proofs'>;

function tableHead({ proofs }: Shown): string {
  const names = ['Severity', 'Where', 'What', 'Cost', ...(proofs ? ['Estimated', 'Measured'] : [])];
  return `| ${names.join(' | ')} |\n|${' --- |'.repeat(names.length)}`;
}

function rowOf(problem: Problem, { cwd, proofs }: Shown): string {
  const { finding, path, start, message, cost, context, measured: ofRun } = problem;
  const facts = [cost, frequencies[context], ofRun && measuredSentence(ofRun)].filter(
    (it) => it !== undefined,
  );
  const { estimated = '', measured = '' } = proofs?.get(problem) ?? {};
  const cells = [
    finding.severity,
    markdownCode(`${shownPath(path, cwd)}:${start.line}`),
    `**${finding.ruleId}**: ${markdownMessage(message)}`,
    facts.map(markdownText).join('. '),
    ...(proofs ? [markdownMessage(estimated), markdownMessage(measured)] : []),
  ];
  return `| ${cells.map((it) => it.replaceAll('|', '\\|')).join(' | ')} |`;
}

function detailOf(problem: Problem, { cwd }: Pick<ReportContext, 'cwd'>): string {
  const { path, start } = problem;
  const file = shownPath(path, cwd);
  const ways = waysOf(problem).map((it) => `  - ${markdownMessage(it)}`);
  const proof = `  - Prove it: ${markdownCode(proofCommand(file, problem))}`;
  return [`- ${markdownCode(`${file}:${start.line}`)}`, ...ways, proof].join('\n');
}

/** The first ones, as many as there is room for. */
function fitting(texts: readonly string[], bytes: number): readonly string[] {
  let room = bytes;
  const end = texts.findIndex((it) => (room -= Buffer.byteLength(it) + 1) < 0);
  return end === -1 ? texts : texts.slice(0, end);
}
