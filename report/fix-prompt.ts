import { basename } from 'node:path';
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
  const exceptions = page === undefined ? undefined : firstParagraph(page, 'When to leave it');
  // A line is a thought, and the first is the main one; `deadtime explain` has the others.
  const [leave] = exceptions?.split('\n') ?? [];
  const ways = waysOf(problem).map((it) => `- ${it}`);
  const { verify } = fixOf(problem, file);
  const elsewhere = related.filter(
    (it) => it.path !== problem.path || it.start.line !== start.line,
  );
  const seen = elsewhere.slice(0, 3).map(({ path, start: { line }, message: what }) => {
    return `See ${path === problem.path ? `line ${line}` : `${basename(path)}:${line}`}: ${what}`;
  });
  return `${[
    `Mend ${file}:${start.line} (deadtime/${finding.ruleId}): ${message}`,
    ...(measured === undefined ? [] : [`Measured: ${measured}`]),
    ...seen,
    ...(ways.length === 0 ? [] : ['One way:', ...ways]),
    ...(leave === undefined ? [] : [`Exception: ${leave}`]),
    'Keep other results, order and error handling.',
    `Check: ${verify}${proof === undefined ? '' : `; measure: ${proof}`}`,
  ]
    .map(visible)
    .join('\n')}\n`;
}
