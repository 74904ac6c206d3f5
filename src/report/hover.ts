import type { Estimate } from '../proof/result.ts';
import type { Problem } from '../scan/problem.ts';
import { hoverMessage, markdownCode } from './markdown-text.ts';
import { firstWayOf } from './fix.ts';
import { measuredSentence } from './measured.ts';
import { durationText } from './proof/figures.ts';
import { inUnit, parameterText, parameterValueText } from './proof/text.ts';
import { exceptionsOf } from './rule-page.ts';
import { frequencies } from './frequencies.ts';

export interface HoverContent {
  readonly problem: Problem;
  /** Whether the editor shows the message next to the hover. */
  readonly isMessageShown: boolean;
  /** A command line; undefined for a text that lies in no file. */
  readonly proof: string | undefined;
  readonly estimate: Estimate | undefined;
  /** The measured result, and its time and place. */
  readonly measured: string | undefined;
  /** The rule's page, in Markdown. */
  readonly page: string | undefined;
  readonly link: string;
}

/** A hover has room for 12 lines: for so many operands of an estimate. */
const MOST_OPERANDS = 3;

/** The hover of a finding in an editor, in Markdown: what, what it costs, how to fix it, when it is fine, how to prove it. */
export function hoverText(content: HoverContent): string {
  const { problem, isMessageShown, proof, page, link } = content;
  const { ruleId } = problem.finding;
  const way = firstWayOf(problem);
  const exceptions = page === undefined ? undefined : exceptionsOf(page);
  // An editor that shows the message also shows the rule with a link to its page.
  const rulePage = isMessageShown
    ? []
    : [`[${ruleId}](${link.replaceAll('(', '%28').replaceAll(')', '%29')})`];
  const proving = proof === undefined ? [] : [`**Prove:** ${markdownCode(proof)}`];
  return [
    ...(isMessageShown ? [] : [hoverMessage(problem.message)]),
    ...labelled('Cost', costOf(content)),
    ...labelled('Fix', way && sentence(hoverMessage(way))),
    ...labelled('When it is fine', exceptions?.replaceAll('\n', ' ')),
    [...proving, ...rulePage].join(' · '),
  ].join('\n\n');
}

function labelled(label: string, text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : [`**${label}:** ${text}`];
}

/** As measured in the program or by a proof, else as the formula has it, with the source of each number. */
function costOf({ problem, measured, estimate }: HoverContent): string {
  const { cost, context, measured: inProgram } = problem;
  const facts = [
    ...[cost, frequencies[context], inProgram && measuredSentence(inProgram)],
    ...(measured === undefined ? [] : [`Measured: ${measured}`]),
    // There is room for one of them.
    ...(measured === undefined && !inProgram && estimate ? [estimatedCost(estimate)] : []),
  ];
  return facts.flatMap((it) => (it === undefined ? [] : sentence(hoverMessage(it)))).join(' ');
}

function estimatedCost({ prediction, counts, parameters }: Estimate): string | undefined {
  // Equal sides show no cost: the parameters of a short proof hide it.
  if (!prediction || prediction.flagged === prediction.mended) return undefined;
  const { formula } = prediction;
  const inFormula = parameters.filter(({ name }) => namesIn(formula).has(name));
  const operands = [
    ...inFormula.map(parameterValueText),
    ...measuredOperands(formula, parameters).map((it) => `${it} (assumed)`),
  ];
  const shown = operands.slice(0, MOST_OPERANDS).join(', ');
  return `Estimated ${sidesText(prediction, counts)}${shown === '' ? '' : `, with ${shown}`}`;
}

function namesIn(formula: string): ReadonlySet<string> {
  return new Set(formula.match(/[A-Za-z]\w*/g));
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The closed form, then the value of each operand and where that comes from: nothing of it was run. */
export function estimateLines(estimate: Estimate): readonly string[] {
  const { prediction, counts, parameters, assumedMs } = estimate;
  if (!prediction) return [];
  const { formula } = prediction;
  return [
    `${sidesText(prediction, counts)}: \`${formula}\``,
    ...parameters.map(parameterText),
    ...measuredOperands(formula, parameters).map(
      (it) => `${valued(it, assumedMs[it])} (assumed; a proof measures it on this machine)`,
    ),
  ];
}

function valued(name: string, ms: number | undefined): string {
  return ms === undefined ? name : `${name} ${durationText(ms)}`;
}

function sidesText(
  { unit, flagged, mended }: NonNullable<Estimate['prediction']>,
  counts: Estimate['counts'],
): string {
  const of = unit === 'count' && counts !== undefined ? ` ${counts}` : '';
  return `${inUnit(flagged, unit)} vs ${inUnit(mended, unit)}${of}`;
}

/** Names of src/proof/case.ts: what is measured before a benchmark runs, and guessed until then. */
function measuredOperands(
  formula: string,
  parameters: readonly { readonly name: string }[],
): readonly string[] {
  const names = formula.match(
    /\b(?:query|roundTrip|request|connect|fsync|loopTurn|work)Ms\b|\bcores\b/g,
  );
  const known = new Set(parameters.map((it) => it.name));
  return [...new Set(names)].filter((it) => !known.has(it));
}
