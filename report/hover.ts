import type { Estimate } from '../benchmarks/result.ts';
import type { Problem } from '../scan/problem.ts';
import { frequencies } from './text.ts';
import { inUnit, parameterText } from './proof/text.ts';

export interface HoverContent {
  readonly problem: Problem;
  /** A command line; undefined for a text that lies in no file. */
  readonly proof: string | undefined;
  readonly estimate: Estimate | undefined;
  /** What was measured, and when and where. */
  readonly measured: string | undefined;
  /** The rule's page, in Markdown. */
  readonly page: string | undefined;
  readonly link: string | undefined;
}

/** What an editor shows over a finding, in Markdown: what and why, the formula, the last proof, when to leave it. */
export function hoverText(content: HoverContent): string {
  const { problem, proof, estimate, measured, page, link } = content;
  const { ruleId } = problem.finding;
  const leave = page === undefined ? undefined : firstParagraph(page, 'When to leave it');
  return [
    `**Deadtime** \`${ruleId}\``,
    problem.message,
    factsOf(problem),
    measured === undefined ? undefined : `**Measured:** ${measured}`,
    estimate ? estimateText(estimate) : undefined,
    proof === undefined ? undefined : `**Prove it:** \`${proof}\``,
    leave === undefined ? undefined : `**Not a problem:** ${leave}`,
    link === undefined ? undefined : `[${ruleId}](${link})`,
  ]
    .filter((it) => it !== undefined)
    .join('\n\n');
}

function factsOf({ cost, context }: Problem): string | undefined {
  const facts = [cost === undefined ? undefined : `Cost: ${cost}`, frequencies[context]];
  const said = facts.filter((it) => it !== undefined);
  return said.length === 0 ? undefined : `${said.join('. ')}.`;
}

/** The closed form with the value of each operand and where that comes from: nothing of it was run. */
function estimateText({ prediction, parameters }: Estimate): string | undefined {
  if (!prediction) return undefined;
  const { formula, unit, flagged, mended } = prediction;
  return [
    `**Estimated:** ${inUnit(flagged, unit)} against ${inUnit(mended, unit)}: \`${formula}\``,
    '',
    ...parameters.map((it) => `- ${parameterText(it)}`),
    ...measuredOperands(formula, parameters).map(
      (it) => `- ${it} (assumed; a proof measures it on this machine)`,
    ),
  ].join('\n');
}

/** Names of benchmarks/case.ts: what is measured before a benchmark runs, and guessed until then. */
function measuredOperands(
  formula: string,
  parameters: readonly { readonly name: string }[],
): readonly string[] {
  const names = formula.match(/\b(?:query|roundTrip|connect|fsync|loopTurn|work)Ms\b|\bcores\b/g);
  const known = new Set(parameters.map((it) => it.name));
  return [...new Set(names)].filter((it) => !known.has(it));
}

/** The text below a heading, up to the first empty line after it. */
export function firstParagraph(page: string, heading: string): string | undefined {
  const [, below] = page.split(`\n## ${heading}\n`);
  const [paragraph] = (below ?? '').split(/\n#/)[0]!.trim().split('\n\n');
  return paragraph || undefined;
}
