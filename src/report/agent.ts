import { dirname } from 'node:path';
import type { Problem } from '../scan/problem.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import { baselinedCount, counted, leftOutCount } from './counts.ts';
import { fixOf } from './fix.ts';
import type { ReportContext } from './format.ts';
import { grouped } from './grouped.ts';
import { byCost } from './order.ts';
import { shownPath } from './path.ts';
import { visible } from './visible.ts';
import { ownCommand } from '../system/own-command.ts';

/** For each finding, and for ten at least: some 150 tokens for ten of them. */
const MOST_CHARACTERS = 50;

/**
 * For a reader that pays per token: every advice once, the worst first, behind its places. Where that would be long, each
 * advice is its first step, and the folder of all places comes once, at the top.
 */
export function agentReport(
  {
    problems,
    notices = [],
    stats,
  }: Pick<ScanResult, 'problems'> & Partial<Pick<ScanResult, 'notices' | 'stats'>>,
  { cwd }: Pick<ReportContext, 'cwd'>,
): string {
  const baselined = stats && baselinedCount(stats);
  if (problems.length === 0) {
    if (stats?.files === 0) return 'deadtime: no file was scanned\n';
    return `deadtime: ${['no findings', leftOutCount(notices) ?? [], baselined ?? []].flat().join(', ')}\n`;
  }
  const worst = problems.toSorted(byCost);
  const shown = (path: string) => shownPath(path, cwd);
  const whole = reportOf(worst, { adviceOn: wholeAdvice, shown, baselined });
  if (whole.length <= MOST_CHARACTERS * Math.max(problems.length, 10)) return whole;
  const folder = folderOf(worst.map((it) => shown(it.path)));
  return reportOf(worst, {
    ...{ adviceOn: firstStep, folder, baselined },
    shown: (path) => shown(path).slice(folder.length),
  });
}

interface Shape {
  readonly adviceOn: (problem: Problem) => string;
  readonly shown: (path: string) => string;
  readonly folder?: string;
  readonly baselined: string | undefined;
}

function reportOf(
  problems: readonly Problem[],
  { adviceOn, shown, folder = '', baselined }: Shape,
): string {
  const found = `${counted(problems.length, 'finding')}${folder && ` in ${visible(word(folder))}`}`;
  return [
    `deadtime: ${[found, baselined ?? []].flat().join(', ')}`,
    ...Array.from(grouped(problems, adviceOn), ([advice, group]) =>
      visible(`${placesOf(group, shown)} ${advice}`),
    ),
    `Details: ${ownCommand('explain FILE:LINE')}\n`,
  ].join('\n');
}

function wholeAdvice(problem: Problem): string {
  const { steps, safety } = fixOf(problem, '');
  const promise = safety === 'safe' ? '' : ` (changes ${safety})`;
  return [`${problem.finding.ruleId}${promise}:`, ...steps].join(' ');
}

function firstStep({ finding, fix: { steps } }: Problem): string {
  return [`${finding.ruleId}:`, ...steps.slice(0, 1)].join(' ').replace(/\.$/, '');
}

/** What all paths start with, up to a slash. */
function folderOf(paths: readonly string[]): string {
  let folder = `${dirname(paths[0]!)}/`;
  while (folder !== './' && !paths.every((it) => it.startsWith(folder))) {
    folder = `${dirname(folder)}/`;
  }
  return folder === './' ? '' : folder;
}

/** `src/queue.ts:4,13 src/worker.ts:9` */
function placesOf(problems: readonly Problem[], shown: (path: string) => string): string {
  const files = grouped(problems, (it) => shown(it.path));
  return [...files]
    .map(([file, group]) => `${word(file)}:${group.map((it) => it.start.line).join(',')}`)
    .join(' ');
}

function word(file: string): string {
  return /^[\w./@+()[\]-]+$/.test(file) ? file : JSON.stringify(file);
}
