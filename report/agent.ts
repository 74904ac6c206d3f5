import type { Problem } from '../scan/problem.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import { findingCount } from './counts.ts';
import { fixOf } from './fix.ts';
import type { ReportContext } from './format.ts';
import { grouped } from './grouped.ts';
import { byCost } from './order.ts';
import { shownPath } from './path.ts';

/** For a reader that pays by the token: every advice once, the worst first, and the places for which it holds. */
export function agentReport({ problems }: ScanResult, { cwd }: Pick<ReportContext, 'cwd'>): string {
  if (problems.length === 0) return 'deadtime: no findings\n';
  const groups = grouped(problems.toSorted(byCost), adviceOf);
  return [
    `deadtime: ${findingCount(problems)}`,
    ...[...groups].flatMap(([advice, group]) => [advice, placesOf(group, cwd)]),
    'Exceptions: npx deadtime explain RULE. Edits: -f json.\n',
  ].join('\n');
}

function adviceOf(problem: Problem): string {
  const { steps, safety } = fixOf(problem, '');
  const promise = safety === 'safe' ? '' : ` (changes ${safety})`;
  return [`${problem.finding.ruleId}${promise}:`, ...steps].join(' ');
}

/** `src/queue.ts:4,13 src/worker.ts:9` */
function placesOf(problems: readonly Problem[], cwd: string): string {
  const files = grouped(problems, (it) => shownPath(it.path, cwd));
  return [...files]
    .map(([file, group]) => `${word(file)}:${group.map((it) => it.start.line).join(',')}`)
    .join(' ');
}

function word(file: string): string {
  return /^[\w./@+()[\]-]+$/.test(file) ? file : JSON.stringify(file);
}
