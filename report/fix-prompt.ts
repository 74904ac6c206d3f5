import type { Problem } from '../scan/problem.ts';
import { firstParagraph } from './rule-page.ts';

export interface FixPromptContent {
  readonly problem: Problem;
  /** Relative to the folder in which an agent works. */
  readonly file: string;
  readonly proof: string | undefined;
  readonly measured: string | undefined;
  readonly page: string | undefined;
}

/** Which promise of the code each suggestion gives up, in words that a programmer or an agent acts on. */
const givenUp: Readonly<Record<Problem['suggestions'][number]['changes'], string | undefined>> = {
  nothing: undefined,
  errors: 'which error comes first changes',
  order: 'the order of effects changes',
  load: 'more runs at once: keep it within the pool’s size',
  atomicity: 'another may run in between',
};

/** The finding as a task for whoever mends it: what, where, what to keep, and how to check it. */
export function fixPrompt({ problem, file, proof, measured, page }: FixPromptContent): string {
  const { finding, message, start, related, suggestions } = problem;
  const leave = page === undefined ? undefined : firstParagraph(page, 'When to leave it');
  const ways = suggestions.map((it) => `- ${wayText(it)}`);
  return `${[
    `Mend ${file}:${start.line} (deadtime/${finding.ruleId}): ${message}`,
    ...(measured === undefined ? [] : [`Measured: ${measured}`]),
    ...related.slice(0, 3).map((it) => `See line ${it.start.line}: ${it.message}`),
    ...(ways.length === 0 ? [] : ['One way:', ...ways]),
    ...(leave === undefined ? [] : [`Leave it as it is if this holds: ${leave}`]),
    'Keep results, order and error handling otherwise as they are.',
    `Check: npx deadtime check ${file}${proof === undefined ? '' : `; before and after: ${proof}`}`,
  ].join('\n')}\n`;
}

/** A suggestion, with the promise that it gives up. */
export function wayText({ title, changes }: Problem['suggestions'][number]): string {
  const promise = givenUp[changes];
  return promise === undefined ? title : `${title} (${promise})`;
}
