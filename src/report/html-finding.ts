import type { Problem } from '../scan/problem.ts';
import { proofCommand } from '../scan/proof-command.ts';
import { type ExcerptLine, excerptOf } from './excerpt.ts';
import { fixOf, waysOf } from './fix.ts';
import type { ReportContext } from './format.ts';
import { frequencies } from './frequencies.ts';
import { measuredSentence } from './measured.ts';
import { shownPath } from './path.ts';
import { escaped } from './proof/markup.ts';
import { visible } from './visible.ts';

export interface FindingOptions extends Pick<ReportContext, 'cwd' | 'proofs'> {
  /** The text of a file that was scanned; empty where it cannot be read any more. */
  linesOf(path: string): readonly string[];
}

/** Three lines: what, how much, and the code; opened, also its surroundings, the fix and the commands. */
export function findingMarkup(
  problem: Problem,
  i: number,
  classes: string,
  options: FindingOptions,
): string {
  const { finding, path, start, message, cost, context, measured } = problem;
  const { severity, ruleId } = finding;
  const excerpt = excerptOf(problem, options.linesOf(path));
  const line = excerpt.find((it) => it.mark);
  const facts = [cost, frequencies[context], measured && measuredSentence(measured)].filter(
    (it) => it !== undefined,
  );
  const [headline = '', ...advice] = sentencesOf(message);
  const place = `${shownPath(path, options.cwd)}:${start.line}:${start.column}`;
  return [
    `<details class="finding ${classes}" id="finding-${i}"><summary>`,
    `<span class="head"><span class="grade is-${severity}">${severity}</span> <a href="#rule-${escaped(ruleId)}">${escaped(ruleId)}</a>`,
    ...(facts.length > 0 ? [`<span class="cost">${shownText(facts.join('. '))}</span>`] : []),
    '</span>',
    `<span class="what">${shownText(headline)}</span>`,
    `<span class="where">${codeText(place)}${line ? ` <code class="line">${lineMarkup(line).trimStart()}</code>` : ''}</span>`,
    '</summary>',
    ...(advice.length > 0 ? [`<p>${shownText(advice.join(' '))}</p>`] : []),
    ...detailsOf(problem, excerpt, options).filter((it) => it !== ''),
    '</details>',
  ].join('\n');
}

function detailsOf(
  problem: Problem,
  excerpt: readonly ExcerptLine[],
  { cwd, proofs }: FindingOptions,
): readonly string[] {
  const { path, related } = problem;
  const file = shownPath(path, cwd);
  const places = related.map(
    (it) => `${codeText(`${shownPath(it.path, cwd)}:${it.start.line}`)} ${shownText(it.message)}`,
  );
  const { estimated, measured } = proofs?.get(problem) ?? {};
  return [
    excerptMarkup(excerpt),
    '<dl>',
    list('See', places),
    list('Fix', waysOf(problem).map(shownText)),
    list('Estimated', estimated === undefined ? [] : [shownText(estimated)]),
    list('Measured', measured === undefined ? [] : [shownText(measured)]),
    list('Prove', [codeText(proofCommand(file, problem))]),
    list('Check', [codeText(fixOf(problem, file).verify)]),
    '</dl>',
  ];
}

function excerptMarkup(lines: readonly ExcerptLine[]): string {
  if (lines.length === 0) return '';
  const width = String(lines.at(-1)!.number).length;
  const rows = lines.map((line) => {
    const number = String(line.number).padStart(width);
    return `<span class="${line.mark ? 'at' : 'near'}"><i>${number}</i> ${lineMarkup(line)}</span>`;
  });
  return `<pre>${rows.join('\n')}</pre>`;
}

function lineMarkup({ text, mark }: ExcerptLine): string {
  if (!mark) return escaped(visible(text));
  const part = (from: number, to?: number) => escaped(visible(text.slice(from, to)));
  const { from, to } = mark;
  return `${part(0, from)}<mark>${part(from, to)}</mark>${part(to)}`;
}

/** The first sentence ends before a capital letter or a name in backquotes. */
function sentencesOf(message: string): readonly string[] {
  return message.split(/(?<=\.) (?=[A-Z`])/);
}

/** `lines` are HTML. */
function list(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `<dt>${title}</dt>${lines.map((it) => `<dd>${it}</dd>`).join('')}`;
}

/** A text in which backquotes mark code, as HTML. */
export function shownText(text: string): string {
  const joined = text.replaceAll('\n', ' ').replaceAll('**', '');
  return escaped(visible(joined)).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function codeText(text: string): string {
  return `<code>${escaped(visible(text))}</code>`;
}
