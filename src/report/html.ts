import { basename } from 'node:path';
import type { ScanResult } from '../scan/scan-files.ts';
import { counted, findingCount, leftOutCount } from './counts.ts';
import type { ReportContext } from './format.ts';
import { filterForm, filterOf } from './html-filter.ts';
import { type FindingOptions, findingMarkup, shownText } from './html-finding.ts';
import { htmlPage } from './html-page.ts';
import { reportStylesheet } from './html-stylesheet.ts';
import { byCost } from './order.ts';
import { linesOf } from './excerpt.ts';
import { escaped } from './proof/markup.ts';
import { exceptionsOf, introductionOf } from './rule-page.ts';
import { visible } from './visible.ts';

export type HtmlContext = Pick<
  ReportContext,
  'cwd' | 'version' | 'date' | 'rules' | 'proofs' | 'pageOf' | 'textOf'
>;

/** One file for a browser: counts by level, rule and folder, which filter the findings below, the costliest first. */
export function htmlReport(result: ScanResult, context: HtmlContext): string {
  const problems = result.problems.toSorted(byCost);
  const title = findingCount(problems);
  const filter = filterOf(problems, context.cwd);
  const texts = new Map<string, readonly string[]>();
  const options: FindingOptions = {
    ...context,
    linesOf(path) {
      const lines = texts.get(path) ?? linesOf(context.textOf(path) ?? '');
      texts.set(path, lines);
      return lines;
    },
  };
  const body = [
    headerOf(result, title, context),
    ...(problems.length > 0 ? [filterForm(filter)] : ['<p>Deadtime found no dead time.</p>']),
    '<main>',
    ...problems.map((it, i) => findingMarkup(it, i, filter.classesOf(it), options)),
    '</main>',
    rulesMarkup(filter.ruleIds, context),
  ];
  const styles = reportStylesheet + filter.styles;
  return htmlPage({ title, version: context.version, styles, body: body.join('\n') });
}

function headerOf(
  { notices, stats }: ScanResult,
  title: string,
  { cwd, date, version }: HtmlContext,
): string {
  const name = escaped(visible(basename(cwd)));
  const scanned = [
    counted(stats.files, 'file'),
    counted(stats.lines, 'line'),
    leftOutCount(notices) ?? [],
  ].flat();
  const facts = [`${title} in ${scanned.join(', ')}`, date, `Deadtime ${version}`];
  return `<header><h1>Dead time in ${name}</h1>\n<p>${escaped(facts.join(' · '))}</p></header>`;
}

/** What each rule of the report is about: a reader may have neither the package nor a network. */
export function rulesMarkup(
  ruleIds: readonly string[],
  { rules, pageOf }: Pick<HtmlContext, 'rules' | 'pageOf'>,
): string {
  if (ruleIds.length === 0) return '';
  const entries = ruleIds.map((id) => {
    const description = rules.find((it) => it.id === id)?.description ?? '';
    const page = pageOf(id) ?? '';
    const exceptions = exceptionsOf(page);
    const texts = [
      introductionOf(page),
      exceptions === undefined ? '' : `When it is fine: ${exceptions}`,
    ].filter((it) => it !== '');
    return [
      `<details><summary><code>${escaped(id)}</code> ${shownText(description)}.</summary>`,
      `<div id="rule-${escaped(id)}">${texts.map((it) => `<p>${shownText(it)}</p>`).join('')}</div>`,
      '</details>',
    ].join('\n');
  });
  return `<section class="rules"><h2>The rules</h2>\n${entries.join('\n')}\n</section>`;
}
