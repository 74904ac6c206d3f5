import type { Problem } from '../scan/problem.ts';
import { proofCommand } from '../scan/proof-command.ts';
import type { ScanResult } from '../scan/scan-files.ts';
import { counted, findingCount, leftOutCount } from './counts.ts';
import { fixOf, waysOf } from './fix.ts';
import type { ReportContext } from './format.ts';
import { htmlPage } from './html-page.ts';
import { byCost } from './order.ts';
import { shownPath } from './path.ts';
import { escaped } from './proof/markup.ts';
import { frequencies } from './frequencies.ts';
import { visible } from './visible.ts';

/** One file for a browser: a table of all findings, the costliest first, and a section for each. */
export function htmlReport(
  { problems, notices, stats }: ScanResult,
  context: Pick<ReportContext, 'cwd' | 'version'>,
): string {
  const sorted = problems.toSorted(byCost);
  const title = findingCount(problems);
  const body = [
    `<h1>Deadtime: ${escaped(title)}</h1>`,
    `<p>${escaped(`In ${[counted(stats.files, 'file'), counted(stats.lines, 'line'), leftOutCount(notices) ?? []].flat().join(', ')}.`)}</p>`,
    ...(sorted.length > 0 ? [overviewOf(sorted, context)] : []),
    ...sorted.map((problem, i) => sectionOf(problem, i, context)),
  ];
  return htmlPage(title, context.version, body.join('\n'));
}

type Folder = Pick<ReportContext, 'cwd'>;

function overviewOf(problems: readonly Problem[], folder: Folder): string {
  const rows = problems.map((problem, i) => {
    const { finding, cost = '' } = problem;
    const place = `<a href="#finding-${i}">${code(placeOf(problem, folder))}</a>`;
    return `<tr><td>${finding.severity}</td><td>${place}</td><td>${finding.ruleId}</td><td>${shown(cost)}</td></tr>`;
  });
  const head = '<tr><th>Severity</th><th>Where</th><th>Rule</th><th>Cost</th></tr>';
  return `<table><thead>${head}</thead><tbody>\n${rows.join('\n')}\n</tbody></table>`;
}

function sectionOf(problem: Problem, i: number, folder: Folder): string {
  const { finding, path, start, message, cost, context, related } = problem;
  const file = shownPath(path, folder.cwd);
  const facts = [cost && `Cost: ${cost}`, frequencies[context]].filter(Boolean);
  const places = related.map(
    (it) => `${shownPath(it.path, folder.cwd)}:${it.start.line}  ${it.message}`,
  );
  return [
    `<section id="finding-${i}">`,
    `<h2>${code(placeOf(problem, folder))}</h2>`,
    `<p class="rule">${finding.severity} · <code>${finding.ruleId}</code></p>`,
    `<p>${shown(message)}</p>`,
    ...(facts.length > 0 ? [`<p><strong>${shown(facts.join('. '))}</strong></p>`] : []),
    list('See', places.map(shown)),
    list('Fix', waysOf(problem).map(shown)),
    list('Commands', [proofCommand(file, start.line), fixOf(problem, file).verify].map(code)),
    '</section>',
  ].join('\n');
}

function placeOf({ path, start }: Problem, { cwd }: Folder): string {
  return `${shownPath(path, cwd)}:${start.line}:${start.column}`;
}

/** `lines` are HTML. */
function list(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `<h3>${title}</h3><ul>${lines.map((it) => `<li>${it}</li>`).join('')}</ul>`;
}

/** A sentence in which backticks mark code. */
function shown(text: string): string {
  return escaped(visible(text)).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function code(text: string): string {
  return `<code>${escaped(visible(text))}</code>`;
}
