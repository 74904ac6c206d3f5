import type { Problem } from '../scan/problem.ts';
import { fixOf, waysOf } from './fix.ts';
import { firstParagraph } from './rule-page.ts';
import { visible } from './visible.ts';

export interface FixPromptContent {
  readonly problem: Problem;
  /** Relative to the folder in which an agent works. */
  readonly file: string;
  readonly proof: string | undefined;
  readonly measured: string | undefined;
  readonly page: string | undefined;
}

/** The finding as a task for whoever mends it: what, where, what to keep, and how to check it. */
export function fixPrompt({ problem, file, proof, measured, page }: FixPromptContent): string {
  const { finding, message, start, related } = problem;
  const leave = page === undefined ? undefined : firstParagraph(page, 'When to leave it');
  const ways = waysOf(problem).map((it) => `- ${it}`);
  const { verify } = fixOf(problem, file);
  return `${[
    `Mend ${file}:${start.line} (deadtime/${finding.ruleId}): ${message}`,
    ...(measured === undefined ? [] : [`Measured: ${measured}`]),
    ...related.slice(0, 3).map((it) => `See line ${it.start.line}: ${it.message}`),
    ...(ways.length === 0 ? [] : ['One way:', ...ways]),
    ...(leave === undefined ? [] : [`Leave it as it is if this holds: ${leave}`]),
    'Keep results, order and error handling otherwise as they are.',
    `Check: ${verify}${proof === undefined ? '' : `; before and after: ${proof}`}`,
  ]
    .map(visible)
    .join('\n')}\n`;
}
