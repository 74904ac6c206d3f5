import { frequencies } from './frequencies.ts';
import { createColors } from 'picocolors';
import { isWholeFileLeftOut } from '../scan/left-out.ts';
import type { Notice, Problem } from '../scan/problem.ts';
import { proofCommand } from '../scan/proof-command.ts';
import type { ScanResult, ScanStats } from '../scan/scan-files.ts';
import { baselinedCount, counted, findingCount, leftOutCount } from './counts.ts';
import type { ReportContext } from './format.ts';
import { measuredText } from './measured.ts';
import { byCost } from './order.ts';
import { shownPath } from './path.ts';
import { visible, visibleLines } from './visible.ts';

type TextOptions = Pick<ReportContext, 'cwd' | 'hasColors'>;

/** The report for a terminal: one block per finding, worst first, and a line that counts them. */
export function textReport(result: ScanResult, options: TextOptions): string {
  const problems = result.problems.toSorted(byCost);
  const blocks = problems.map((problem) => blockOf(problem, options));
  return [...blocks, summaryOf(problems, result)].join('\n');
}

function blockOf(problem: Problem, options: TextOptions): string {
  const { finding, path, start, message, related, measured } = problem;
  const { bold, cyan, dim, red, yellow, blue, gray } = createColors(options.hasColors);
  const color = { error: red, warning: yellow, information: blue, hint: gray }[finding.severity];
  const file = shownPath(path, options.cwd);
  const facts = visible(factsLine(problem));
  return [
    `${bold(visible(`${file}:${start.line}:${start.column}`))}  ${color(finding.severity)}  ${cyan(finding.ruleId)}`,
    `  ${visible(message)}`,
    ...(facts ? [`  ${bold(facts)}`] : []),
    ...(measured ? [`  ${bold(visible(measuredText(measured)))}`] : []),
    ...related.map((it) => {
      const elsewhere = shownPath(it.path, options.cwd);
      return dim(visible(`    ${elsewhere}:${it.start.line}  ${it.message}`));
    }),
    dim(`  Prove it: ${visible(proofCommand(file, problem))}`),
    '',
  ].join('\n');
}

function factsLine({ message, cost, context }: Problem): string {
  // Some messages contain it in their own sentence.
  const isNew = cost !== undefined && !message.includes(cost);
  return [isNew && `Cost: ${cost}`, frequencies[context]].filter(Boolean).join('. ');
}

/** The list of files that were not scanned, and the reasons, goes to stderr. */
function summaryOf(problems: readonly Problem[], { stats, notices }: ScanResult): string {
  if (stats.files === 0) return 'No file was scanned.\n';
  const scanned = `${counted(stats.files, 'file')}, ${counted(stats.lines, 'line')}`;
  const leftOut = leftOutCount(notices);
  const baselined = baselinedCount(stats);
  const isClean = problems.length === 0 && leftOut === undefined && baselined === undefined;
  const found =
    problems.length > 0
      ? findingCount(problems)
      : isClean && (stats.awaits ? understood(stats.awaits) >= ENOUGH : true)
        ? 'No dead time found'
        : isClean || leftOut !== undefined
          ? 'Nothing found'
          : 'Nothing new found';
  return [
    `${found} in ${scanned}.`,
    ...(leftOut === undefined ? [] : [`${leftOut}.`]),
    ...(baselined === undefined ? [] : [`${baselined}; --no-baseline shows them.`]),
    // Silence is no praise of code that was not understood.
    ...understandingOf(stats, isClean),
  ]
    .join(' ')
    .concat('\n');
}

const COVERAGE = '`deadtime coverage` shows';

/** What of the code was understood, as far as a sample of what it waits for shows. */
function understandingOf({ awaits }: ScanStats, isClean: boolean): readonly string[] {
  if (!awaits) return isClean ? [`${COVERAGE} what Deadtime understands of it.`] : [];
  const percent = Math.floor(100 * understood(awaits));
  if (percent === 100) return ['Deadtime understands all of the awaits.'];
  const part = percent === 0 ? 'hardly any' : `about ${percent} %`;
  return [
    `Deadtime understands ${part} of the awaits; ${COVERAGE} the rest.`,
    ...unsupportedPackages(awaits),
  ];
}

type AwaitSample = NonNullable<ScanStats['awaits']>;

/** `It does not support slonik (about 41 % of the awaits) and keyv (about 2 %).` */
function unsupportedPackages({ asked, packages = [] }: AwaitSample): readonly string[] {
  const shares = packages
    .map(({ name, awaits }) => ({ name, percent: Math.round((100 * awaits) / asked) }))
    .filter(({ percent }) => percent >= WORTH_NAMING)
    .slice(0, MOST_NAMED);
  if (shares.length === 0) return [];
  const named = shares.map(
    ({ name, percent }, i) =>
      `${visible(name)} (about ${percent} %${i === 0 ? ' of the awaits' : ''})`,
  );
  const last = named.pop()!;
  return [`It does not support ${named.length > 0 ? `${named.join(', ')} and ${last}` : last}.`];
}

/** Percent of the awaits. */
const WORTH_NAMING = 2;
const MOST_NAMED = 3;

function understood({ asked, hidden }: AwaitSample): number {
  return 1 - hidden / asked;
}

/** Where less than this is understood, silence about the rest is no result. */
const ENOUGH = 0.6;

/** One line for stderr; the stack of a rule that failed follows it. */
export function noticeLine({ path, message }: Notice, cwd: string): string {
  return `deadtime: ${visible(shownPath(path, cwd))}: ${visibleLines(message)}\n`;
}

/** Of the files that are left out for one reason, so many are named in a terminal. */
const NAMED = 10;

/** As above, for all of them: hundreds of minified files would hide the rest. Formats for machines name each. */
export function noticeLines(notices: readonly Notice[], cwd: string): readonly string[] {
  const counts = new Map<Notice['reason'], number>();
  const named = notices.filter((it) => {
    const count = (counts.get(it.reason) ?? 0) + 1;
    counts.set(it.reason, count);
    return count <= NAMED || !isWholeFileLeftOut(it);
  });
  const unnamed = [...counts].flatMap(([reason, count]) =>
    count > NAMED && isWholeFileLeftOut({ reason })
      ? [
          `deadtime: ${counted(count - NAMED, 'more file')} ignored (${reason}); deadtime check --format json lists all.\n`,
        ]
      : [],
  );
  return [...named.map((it) => noticeLine(it, cwd)), ...unnamed];
}

/**
 * For `--timing`: how many files came from the cache, and where the time went, in milliseconds, the longest stage first. Rules
 * are stages, too; those of `ruleIds` are added up.
 */
export function timingReport(
  { files, rememberedFiles, spentMs }: Partial<ScanStats> & Pick<ScanStats, 'spentMs'>,
  ruleIds: readonly string[],
): string {
  const sumOf = (stages: readonly string[]) =>
    stages.reduce((sum, it) => sum + (spentMs[it] ?? 0), 0);
  const rows: readonly (readonly [string, number])[] = [
    ...Object.entries(spentMs).sort((a, b) => b[1] - a[1]),
    ['all rules', sumOf(ruleIds)],
    ['all of this', sumOf(Object.keys(spentMs))],
  ];
  const remembered =
    rememberedFiles === undefined ? '' : `${rememberedFiles} of ${files} files from the cache\n`;
  return (
    remembered + rows.map(([stage, ms]) => `${ms.toFixed(1).padStart(9)} ms  ${stage}\n`).join('')
  );
}
