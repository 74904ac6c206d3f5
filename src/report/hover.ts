import type { Estimate } from '../proof/result.ts';
import type { Problem } from '../scan/problem.ts';
import { hoverMessage, markdownCode } from './markdown-text.ts';
import { durationText } from './proof/figures.ts';
import { inUnit, parameterText } from './proof/text.ts';
import { exceptionsOf } from './rule-page.ts';
import { frequencies } from './frequencies.ts';

export interface HoverContent {
  readonly problem: Problem;
  /** A command line; undefined for a text that lies in no file. */
  readonly proof: string | undefined;
  readonly estimate: Estimate | undefined;
  /** The measured result, and its time and place. */
  readonly measured: string | undefined;
  /** The rule's page, in Markdown. */
  readonly page: string | undefined;
  readonly link: string;
}

/** The hover of a finding in an editor, in Markdown: what and why, the formula, the last proof, when it is no problem. */
export function hoverText(content: HoverContent): string {
  const { problem, proof, estimate, measured, page, link } = content;
  const { ruleId } = problem.finding;
  const leave = page === undefined ? undefined : exceptionsOf(page);
  return [
    `**Deadtime** \`${ruleId}\``,
    hoverMessage(problem.message),
    factsOf(problem),
    measured === undefined ? undefined : `**Measured:** ${measured}`,
    estimate ? estimateText(estimate) : undefined,
    proof === undefined ? undefined : `**Prove it:** ${markdownCode(proof)}`,
    leave === undefined ? undefined : `**Not a problem:** ${leave}`,
    `[${ruleId}](${link.replaceAll('(', '%28').replaceAll(')', '%29')})`,
  ]
    .filter((it) => it !== undefined)
    .join('\n\n');
}

function factsOf({ cost, context }: Problem): string | undefined {
  const facts = [cost === undefined ? undefined : `Cost: ${cost}`, frequencies[context]];
  const said = facts.filter((it) => it !== undefined);
  return said.length === 0 ? undefined : `${hoverMessage(said.join('. '))}.`;
}

function estimateText(estimate: Estimate): string | undefined {
  const [sides, ...operands] = estimateLines(estimate);
  if (sides === undefined) return undefined;
  return [`**Estimated:** ${sides}`, '', ...operands.map((it) => `- ${it}`)].join('\n');
}

/** The closed form, then the value of each operand and where that comes from: nothing of it was run. */
export function estimateLines(estimate: Estimate): readonly string[] {
  const { prediction, counts, parameters, assumedMs } = estimate;
  if (!prediction) return [];
  const { formula, unit, flagged, mended } = prediction;
  const of = unit === 'count' && counts !== undefined ? ` ${counts}` : '';
  return [
    `${inUnit(flagged, unit)} vs ${inUnit(mended, unit)}${of}: \`${formula}\``,
    ...parameters.map(parameterText),
    ...measuredOperands(formula, parameters).map(
      (it) => `${valued(it, assumedMs[it])} (assumed; a proof measures it on this machine)`,
    ),
  ];
}

function valued(name: string, ms: number | undefined): string {
  return ms === undefined ? name : `${name} ${durationText(ms)}`;
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
