import { basename } from 'node:path';
import type { Problem } from '../scan/problem.ts';
import { fixOf, waysOf } from './fix.ts';
import { exceptionsOf } from './rule-page.ts';
import { visible } from './visible.ts';

export interface FixPromptContent {
  readonly problem: Problem;
  /** Relative to the folder in which an agent works. */
  readonly file: string;
  readonly proof: string | undefined;
  readonly measured: string | undefined;
  readonly page: string | undefined;
}

/** Within 200 tokens, of which each takes 3.7 characters or more in such texts. */
const MOST_CHARACTERS = 740;

/** The parts omitted one by one where a prompt would be longer: the message also states what to do. */
const shortenings = [
  { places: 3, hasAllSteps: true, hasAllOfException: true },
  { places: 1, hasAllSteps: true, hasAllOfException: true },
  { places: 1, hasAllSteps: false, hasAllOfException: true },
  { places: 0, hasAllSteps: false, hasAllOfException: true },
  { places: 0, hasAllSteps: false, hasAllOfException: false },
] as const;

/**
 * The finding as a task for a person or an agent: what, where, what to keep, and how to check it, in at most 200 tokens where
 * the file's path has a usual length; measured results come on top.
 */
export function fixPrompt(content: FixPromptContent): string {
  const alone = { ...content, measured: undefined };
  const fitting = shortenings.find((it) => promptOf(alone, it).length <= MOST_CHARACTERS);
  return promptOf(content, fitting ?? shortenings.at(-1)!);
}

function promptOf(
  { problem, file, proof, measured, page }: FixPromptContent,
  { places, hasAllSteps, hasAllOfException }: (typeof shortenings)[number],
): string {
  const { finding, message, start, related, fix } = problem;
  const exceptions = page === undefined ? undefined : exceptionsOf(page);
  // One line per thought, and the first is the main one; `deadtime explain` has all of them.
  const [main] = exceptions?.split('\n') ?? [];
  // The text after a colon states what to do then.
  const leave = hasAllOfException ? main : main?.replace(/: .*$/, '.');
  const steps = hasAllSteps ? fix.steps : fix.steps.slice(0, 1);
  const ways = waysOf({ ...problem, fix: { ...fix, steps } }).map((it) => `- ${it}`);
  const { verify } = fixOf(problem, file);
  const elsewhere = related.filter(
    (it) => it.path !== problem.path || it.start.line !== start.line,
  );
  const seen = elsewhere.slice(0, places).map(({ path, start: { line }, message: what }) => {
    return `See ${path === problem.path ? `line ${line}` : `${basename(path)}:${line}`}: ${what}`;
  });
  return `${[
    `Fix ${file}:${start.line} (deadtime/${finding.ruleId}): ${message}`,
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
